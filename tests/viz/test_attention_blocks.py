"""Long inputs: what a figure holds exactly, the block means of the rest, and the bytes that it takes."""

import json
from itertools import product

import numpy as np
import pytest

from tests.samples import opened_attention
from viz.components.attention import attention_data
from viz.components.attention_blocks import MOST, Held, block_means, held, mean_entropy, packed_bytes
from viz.data import AttentionPanel, Look, View
from viz.figures.attention import AttentionFigure
from viz.notebook.texts import attention_words

WORD = attention_words("en", written=False)


def softmax(*shape: int, spread: float = 1.0, causal: bool = False) -> np.ndarray:
    scores = np.random.default_rng(0).normal(size=shape).astype(np.float32) * spread
    weights = np.exp(scores)
    weights = np.tril(weights) if causal else weights
    return weights / weights.sum(-1, keepdims=True)


def panel(weights: np.ndarray, kind: str = "encoder") -> AttentionPanel:
    queries, keys = (list(map(str, range(count))) for count in weights.shape[-2:])
    return AttentionPanel.of_tokens(kind, weights, queries, keys)  # type: ignore[arg-type]


def figure(weights: np.ndarray, view: View = "matrix") -> AttentionFigure:
    words = attention_words("en", written=False)
    return AttentionFigure([panel(weights)], Look(view, "encoder"), words=words, exact={}, each=view == "links")


@pytest.mark.parametrize(("shape", "block"), [((12, 8), (4, 4)), ((11, 7), (4, 3)), ((5, 9), (1, 4)), ((3, 3), (5, 5))])
def test_a_block_is_what_its_queries_give_to_its_keys_on_average(
    shape: tuple[int, int], block: tuple[int, int]
) -> None:
    weights = softmax(2, 3, *shape)
    means = block_means(weights, block)
    rows, columns = (range(0, length, size) for length, size in zip(shape, block, strict=True))
    assert means.shape == (2, 3, len(rows), len(columns))
    for (i, row), (j, column) in product(enumerate(rows), enumerate(columns)):
        part = weights[:, :, row : row + block[0], column : column + block[1]]
        np.testing.assert_allclose(means[:, :, i, j], part.sum(-1).mean(-1), atol=1e-6)
    np.testing.assert_allclose(means.sum(-1), 1, atol=1e-5)


@pytest.mark.sample(4)
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("view", ["matrix", "links"])
def test_12_layers_of_12_heads_of_512_tokens_are_below_5_mb(view: View, causal: bool) -> None:
    long = figure(softmax(12, 12, 512, 512, causal=causal), view)
    assert len(long.html().encode()) < 5_000_000
    assert len(long._repr_html_().encode()) < 5_000_000


@pytest.mark.sample(3)
@pytest.mark.parametrize("spread", [0.5, 1, 2])
def test_2000_tokens_are_exact_and_below_5_mb(spread: float) -> None:
    long = figure(softmax(1, 2, 2000, 2000, spread=spread))
    assert len(long._repr_html_().encode()) < 5_000_000
    header, values = opened_attention(long.message())
    [described] = header["panels"]
    assert (described["exact"], described["blocks"]) == ([[0, 0]], [32, 32])
    means, exact = np.split(values, [-(2000**2)])
    weights = long.panels["encoder"].weights
    assert np.abs(exact.reshape(2000, 2000) - weights[0, 0]).max() < 2.5e-5
    np.testing.assert_allclose(means.reshape(2, 63, 63), block_means(weights[0], (32, 32)), atol=2.5e-5)


@pytest.mark.parametrize("spread", [0.3, 1, 3])
@pytest.mark.parametrize("size", [130, 700])
def test_the_bytes_of_weights_are_not_underestimated(size: int, spread: float) -> None:
    weights = softmax(1, 2, size, size, spread=spread)
    part = {"encoder": Held(None, ((0, 0), (0, 1)))}
    data = attention_data([panel(weights)], Look("matrix", "encoder"), WORD, held=part)  # type: ignore[arg-type]
    labels = len(json.dumps(list(map(str, range(size))))) * 4
    assert len(data) * 1.25 < packed_bytes(weights) * 1.05 + labels + 5000


@pytest.mark.parametrize("size", [20, 300])
def test_decimals_are_those_of_the_weights(size: int) -> None:
    weights = softmax(1, 1, size, size, spread=4)
    weights[0, 0, 0, :3] = [0.0535036, 0.0949999, 0]  # as 1/65535: 0.053498 and 0.095003
    _, values = opened_attention(figure(weights).message())
    for decimals in (2, 3):
        got = [f"{value:.{decimals}f}" for value in values]
        assert got == [f"{value:.{decimals}f}" for value in weights.ravel()]


@pytest.mark.parametrize(("rows", "columns"), [(400, 2000), (60, 180)])
def test_sums_and_entropy_of_many_small_weights_are_right(rows: int, columns: int) -> None:
    """Each small weight is sent as at least 1/65535: 180 of them would add 0.003, and 0.04 bits."""
    sharp = np.full((1, 2, rows, columns), 1e-7)
    sharp[..., 5] = 1 - (columns - 1) * 1e-7
    sharp[0, 1] = np.eye(1, columns)
    header, values = opened_attention(figure(sharp).message())
    [described] = header["panels"]
    assert values.reshape(2, rows, columns).sum(-1)[0].min() > 1.002
    [[of_rows, of_columns], _] = described["sums"]
    assert (set(of_rows), of_columns[5], of_columns[6]) == ({1.0}, round(float(sharp[0, 0, :, 5].sum()), 3), 0)
    expected = -(sharp[0, 0, 0] * np.log2(sharp[0, 0, 0])).sum()
    assert described["entropies"] == [pytest.approx(expected, abs=0.005), 0]


def test_sums_and_entropies_have_the_decimals_that_a_figure_shows() -> None:
    weights = softmax(2, 3, 49, 49, spread=3)
    [described] = opened_attention(figure(weights).message())[0]["panels"]
    heads = weights.reshape(6, 49, 49).astype(np.float64)
    assert [[f"{value:.3f}" for value in columns] for _, columns in described["sums"]] == [
        [f"{value:.3f}" for value in head.sum(0)] for head in heads
    ]
    assert [f"{value:.2f}" for value in described["entropies"]] == [f"{mean_entropy(head):.2f}" for head in heads]


def test_entropy_leaves_out_rows_without_weights() -> None:
    assert mean_entropy(np.array([[0.5, 0.5], [0, 0]])) == 1
    assert mean_entropy(np.zeros((2, 2))) == 0


def test_a_small_figure_is_what_it_is_without_any_limit() -> None:
    weights = softmax(6, 8, 64, 64)
    plain = AttentionFigure([panel(weights)], Look("matrix", "encoder"), words=attention_words("en", written=False))
    assert figure(weights).message() == plain.message()
    assert figure(weights).svg(layer=2, head=3) == plain.svg(layer=2, head=3)


def test_a_long_input_that_fits_is_held_whole() -> None:
    assert held([panel(softmax(1, 3, 2, 500))], {}, {}) == {}


@pytest.fixture(scope="module")
def kinds() -> list[AttentionPanel]:
    shapes = {"encoder": (12, 12, 400, 400), "decoder": (12, 12, 20, 20), "cross": (12, 12, 20, 400)}
    return [panel(softmax(*shape), kind) for kind, shape in shapes.items()]


def test_of_several_kinds_the_small_one_is_whole_and_blocks_follow_each_side(kinds: list[AttentionPanel]) -> None:
    assert sum(packed_bytes(each.weights) for each in kinds) > MOST
    part = held(kinds, {"cross": [(3, 2)]}, {"encoder": {(11, 0), (2, 5)}})
    assert set(part) == {"encoder", "cross"}
    assert part["encoder"] == Held((10, 10), ((2, 5), (11, 0)))
    assert part["cross"] == Held((1, 10), ((3, 2),))


def test_lines_have_the_heads_of_their_layer_where_there_is_room(kinds: list[AttentionPanel]) -> None:
    words = attention_words("en", written=False)
    lines = AttentionFigure(kinds, Look("links", "encoder", 3, 2), words=words, each=True, exact={})
    for kind, layer in (("encoder", 3), ("cross", 0)):
        header, _ = opened_attention(lines.message(kind))  # type: ignore[arg-type]
        assert header["panels"][0]["exact"] == [[layer, head] for head in range(12)]


def test_a_picture_of_any_head_is_exact(kinds: list[AttentionPanel]) -> None:
    wall = AttentionFigure(kinds, Look("matrix", "encoder"), words=attention_words("en", written=False), exact={})
    header, values = opened_attention(wall.one_head("encoder", 7, 8))
    assert (header["panels"][0]["exact"], header["panels"][0]["blocks"]) == ([[7, 8]], None)
    assert np.abs(values - kinds[0].weights[7, 8].ravel()).max() < 2.5e-5
    assert "layer 7 · head 8" in wall.svg(kind="encoder", layer=7, head=8)


def test_a_head_that_is_too_large_for_a_file_is_exact_only_if_it_is_named() -> None:
    large = panel(softmax(1, 2, 2600, 2600))
    assert held([large], {"encoder": [(0, 1)]}, {}) == {"encoder": Held((41, 41), ())}
    assert held([large], {"encoder": [(0, 1)]}, {"encoder": {(0, 0)}})["encoder"].heads == ((0, 0),)


def test_the_sums_of_blocks_are_right_where_most_are_small() -> None:
    near = np.tile(np.eye(300) * (1 - 299e-6) + (1 - np.eye(300)) * 1e-6, (12, 12, 1, 1))
    header, values = opened_attention(figure(near).message())
    [described] = header["panels"]
    assert values[:3600].reshape(60, 60).sum(-1).max() > 1.0005
    assert {total for rows, columns in described["blockSums"] for total in rows} == {1.0}
    assert len(described["blockSums"]) == 144
