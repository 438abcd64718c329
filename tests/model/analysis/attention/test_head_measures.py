"""A head step by step, one cell by hand, rollout, measures and likeness: against the pass itself and worked cases."""

from decimal import Decimal

import numpy as np
import pytest
import torch

from model.analysis.attention import head_measures
from model.analysis.attention.cell_arithmetic import cell, rounded, shown, significant
from model.analysis.attention.head_stages import Stages, stages
from model.trace import ATTENTION_KINDS, Recorder, Trace
from model.transformer import Transformer
from pages.attention.step_formulas import step_latex
from pages.shared.text.words import section
from viz.attention_rollout import rollout
from viz.html import arithmetic_tables
from viz.matrices.attention.measure_matrices import measure_matrices, table_rows
from viz.matrices.attention.stage_matrices import STEPS, Labels, stage_matrices, step_parts

SOURCE = torch.tensor([[1, 5, 9, 7, 2]])
TARGET = torch.tensor([[1, 4, 8]])
LAYER, HEAD = 1, 1
CLOSE = {"atol": 1e-5}


def trace(model: Transformer) -> Trace:
    recorder = Recorder()
    with torch.inference_mode():
        model(SOURCE, TARGET, SOURCE > 0, recorder)
    return Trace(recorder.values, tuple("abcde"), tuple("xyz"), tuple("uvw"))


@pytest.fixture(params=ATTENTION_KINDS)
def chosen(request: pytest.FixtureRequest, model: Transformer) -> tuple[Transformer, str, Stages]:
    return model, request.param, stages(model, trace(model), request.param, LAYER, HEAD)


# stages


def test_every_stage_makes_the_next(chosen: tuple[Transformer, str, Stages]) -> None:
    _, _, s = chosen
    np.testing.assert_allclose(s.x @ s.w_q + s.b_q, s.q, **CLOSE)
    np.testing.assert_allclose(s.memory @ s.w_k + s.b_k, s.k, **CLOSE)
    np.testing.assert_allclose(s.memory @ s.w_v + s.b_v, s.v, **CLOSE)
    np.testing.assert_allclose(np.einsum("qd,kd->qk", s.q, s.k), s.raw, **CLOSE)
    np.testing.assert_allclose(s.raw / np.sqrt(8), s.scaled, **CLOSE)
    np.testing.assert_array_equal(s.masked, np.where(s.allowed, s.scaled, -np.inf))
    power = np.exp(s.masked - s.masked.max(axis=1, keepdims=True))
    np.testing.assert_allclose(power / power.sum(axis=1, keepdims=True), s.weights, **CLOSE)
    np.testing.assert_allclose(s.weights @ s.v, s.head_output, **CLOSE)
    np.testing.assert_array_equal(s.concatenated[:, 8:], s.head_output)  # the second of two heads of 8
    np.testing.assert_allclose(s.concatenated @ s.w_o + s.b_o, s.output, **CLOSE)
    np.testing.assert_allclose(s.before + s.output, s.added, **CLOSE)


def test_the_norm_stands_where_the_model_has_it(chosen: tuple[Transformer, str, Stages]) -> None:
    model, kind, s = chosen
    block = (model.encoder if kind == "encoder" else model.decoder)[LAYER]
    norm = block.residuals[1 if kind == "cross" else 0].norm
    gain, shift = norm.weight.detach().numpy(), norm.bias.detach().numpy()

    def normed(x: np.ndarray) -> np.ndarray:
        deviation = np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
        return gain * (x - x.mean(axis=1, keepdims=True)) / deviation + shift

    if model.config.norm == "pre":
        np.testing.assert_allclose(s.x, normed(s.before), **CLOSE)
        np.testing.assert_allclose(s.residual, s.added, **CLOSE)
    else:
        np.testing.assert_array_equal(s.x, s.before)
        np.testing.assert_allclose(s.residual, normed(s.added), **CLOSE)


def test_the_mask_is_the_kind_s(chosen: tuple[Transformer, str, Stages]) -> None:
    _, kind, s = chosen
    shape = {"encoder": (5, 5), "decoder": (3, 3), "cross": (3, 5)}[kind]
    expected = np.tri(3, dtype=bool) if kind == "decoder" else np.ones(shape, dtype=bool)
    np.testing.assert_array_equal(s.allowed, expected)


def test_the_stages_of_a_layer_begin_where_the_last_one_ended(model: Transformer) -> None:
    recording = trace(model)
    np.testing.assert_array_equal(stages(model, recording, "encoder", 0, 0).before, recording.values["encoder.input"])
    expected = recording.values["encoder.0.feed_forward.residual"]
    np.testing.assert_array_equal(stages(model, recording, "encoder", 1, 0).before, expected)
    expected = recording.values["decoder.1.self_attention.residual"]
    np.testing.assert_array_equal(stages(model, recording, "cross", 1, 0).before, expected)


def test_every_step_is_drawn_with_its_shapes(chosen: tuple[Transformer, str, Stages]) -> None:
    model, kind, s = chosen
    values = vars(s) | {"k_transposed": s.k.T}
    recording = trace(model)
    queries, keys = {"encoder": ("abcde", "abcde"), "decoder": ("xyz", "xyz"), "cross": ("uvw", "abcde")}[kind]
    labels = Labels(tuple(queries), tuple(keys), kind)
    words = {name: name for name in section("attention_part", "en")}
    results = {}
    for step in STEPS:
        matrices = stage_matrices(step_parts(step, values), values, labels, words)
        results[step] = matrices[-1]
        for matrix in matrices:
            np.testing.assert_array_equal(matrix.values, values[matrix.key])
            assert matrix.title == matrix.key
        assert step_latex(step, values, head=HEAD, cross=kind == "cross", norm=model.config.norm)
    signs = {step: "".join(sign for sign, _ in step_parts(step, values)) for step in STEPS}
    assert (signs["query"], signs["raw"], signs["mix"]) == ("·+=", "·=", "·=")
    assert signs["input"] == ("→" if model.config.norm == "pre" else "")
    assert signs["residual"] == ("+=" if model.config.norm == "pre" else "+=→")
    assert results["softmax"].rows == tuple(queries)
    assert results["softmax"].columns == tuple(keys)
    assert results["softmax"].scale == "weight"
    assert results["mask"].scale == "mask"
    name = f"{'encoder' if kind == 'encoder' else 'decoder'}.1.{'cross' if kind == 'cross' else 'self'}_attention"
    np.testing.assert_allclose(results["residual"].values, recording.values[f"{name}.residual"], **CLOSE)


# one cell by hand


def test_a_worked_cell() -> None:
    """q·k = 1·3 + 2·(−1) + 0.5·2 + 0·7 = 2, ÷ √4 = 1; the row e¹ + e⁰ + e^−1 = 4.08616, so 2.71828 ÷ 4.08616."""
    q, k = np.array([1, 2, 0.5, 0]), np.array([3, -1, 2, 7])
    result = cell(q, k, np.array([1.0, 0, -1, 5]), np.array([True, True, True, False]), 0, 0.6652)
    assert result.products == tuple(map(Decimal, ("3", "-2", "1", "0")))
    assert (result.dot, result.root, result.score) == (2, 2, 1)
    assert result.powers == (Decimal("2.71828"), Decimal("1"), Decimal("0.367879"), Decimal(0))
    assert result.total == Decimal("4.08616")
    assert result.weight == Decimal("0.6652")
    assert result.scores[3] is None
    assert result.exact.weight == 0.6652


def test_a_pocket_calculator_agrees(chosen: tuple[Transformer, str, Stages]) -> None:
    """Every shown line again from the shown numbers alone, and close to what the model has."""
    _, _, s = chosen
    for query, key in np.argwhere(s.allowed):
        result = cell(s.q[query], s.k[key], s.scaled[query], s.allowed[query], int(key), s.weights[query, key])
        shown_numbers = (*result.q, *result.k, *result.products, result.dot, result.score, result.weight)
        assert all(value == round(value, 4) for value in shown_numbers)
        q, k, products = ([float(str(value)) for value in part] for part in (result.q, result.k, result.products))
        assert all(abs(a * b - p) <= 0.5001e-4 for a, b, p in zip(q, k, products, strict=True))
        assert float(result.dot) == pytest.approx(sum(products), abs=1e-9)
        assert abs(float(result.dot) / float(result.root) - float(result.score)) <= 0.5001e-4
        powers = [float(power) for power in result.powers]
        assert powers[key] == pytest.approx(np.exp(float(result.score)), rel=1e-5)
        assert float(result.total) == pytest.approx(sum(powers), rel=1e-5)
        assert abs(powers[key] / float(result.total) - float(result.weight)) <= 0.5001e-4
        # and near the exact ones, which are the model's
        assert result.exact.dot == pytest.approx(float(s.q[query] @ s.k[key]), abs=1e-5)
        assert result.exact.power / result.exact.total == pytest.approx(float(s.weights[query, key]), abs=1e-5)
        assert float(result.score) == pytest.approx(float(s.scaled[query, key]), abs=1e-3)
        assert float(result.weight) == pytest.approx(float(s.weights[query, key]), abs=1e-3)


def test_a_forbidden_cell_weighs_nothing(model: Transformer) -> None:
    s = stages(model, trace(model), "decoder", LAYER, HEAD)
    result = cell(s.q[0], s.k[2], s.scaled[0], s.allowed[0], 2, s.weights[0, 2])
    assert not result.allowed
    assert result.weight == 0
    assert result.exact.weight == 0
    assert [score is None for score in result.scores] == [False, True, True]


@pytest.mark.parametrize(
    ("value", "expected"), [("0.00005", "0.0001"), ("-0.00005", "-0.0001"), ("-0.00004", "0.0000"), ("2", "2.0000")]
)
def test_rounding_is_half_up_and_never_minus_zero(value: str, expected: str) -> None:
    assert str(rounded(Decimal(value))) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [("0.00000123456789", "1.23457e−6"), ("1234567890123", "1.23457e12"), ("-0.5", "−0.500000"), ("0", "0")],
)
def test_numbers_are_written_out(value: str, expected: str) -> None:
    assert shown(significant(Decimal(value))) == expected


def test_typed_text_is_escaped_in_the_tables() -> None:
    words = {name: name for name in section("attention_cell", "en")}
    page = arithmetic_tables.row_html(
        [arithmetic_tables.Key("<b>x</b>", "1", "2", "3"), arithmetic_tables.Key("&", "", "0", "0")], 0, words
    )
    assert "<b>x" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page
    assert "forbidden" in page


# rollout


def test_rollout_of_two_layers_by_hand() -> None:
    """Layer 0: heads (1 0; 0 1) and (1 0; 1 0); layer 1: both (0 1; 0 1)."""
    weights = np.array([[[[1, 0], [0, 1]], [[1, 0], [1, 0]]], [[[0, 1], [0, 1]], [[0, 1], [0, 1]]]], dtype=np.float32)
    first = [[1, 0], [0.25, 0.75]]  # ½ (1 0; ½ ½) + ½ I
    second = [[0.5 * 1 + 0.5 * 0.25, 0.5 * 0.75], [0.25, 0.75]]  # (½ ½; 0 1) times the first
    np.testing.assert_allclose(rollout(weights), [first, second])


def test_rollout_rows_sum_to_one_and_keep_to_the_mask(model: Transformer) -> None:
    recording = trace(model)
    for kind in ("encoder", "decoder"):
        shares = rollout(recording.weights(kind))
        np.testing.assert_allclose(shares.sum(axis=-1), 1, atol=1e-6)
        assert (shares >= 0).all()
    assert (np.triu(shares[-1], k=1) == 0).all()  # of the decoder: nothing flows back from the future


# measures


def heads(*matrices: object) -> np.ndarray:
    return np.array([matrices], dtype=np.float32)  # (1, H, Q, K)


IDENTITY = np.eye(3)
PREVIOUS = [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
FIRST = [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
UNIFORM = np.full((3, 3), 1 / 3)


def test_measures_of_heads_made_by_hand() -> None:
    result = head_measures.measures(heads(IDENTITY, PREVIOUS, FIRST, UNIFORM), "encoder")
    expected = {
        "entropy": [0, 0, 0, np.log2(3)],
        "distance": [0, 2 / 3, 1, 8 / 9],
        "previous": [0, 1, 0.5, 1 / 3],
        "first": [1 / 3, 2 / 3, 1, 1 / 3],
        "diagonal": [1, 1 / 3, 1 / 3, 1 / 3],
    }
    for name, values in expected.items():
        np.testing.assert_allclose(result[name], [values], atol=1e-6, err_msg=name)
    assert np.isnan(result["coverage"]).all()


def test_coverage_counts_a_source_token_once() -> None:
    looks = [[1, 0, 0, 0], [1, 0, 0, 0], [0, 0.5, 0.5, 0]]  # column sums 2, ½, ½, 0
    result = head_measures.measures(heads(looks), "cross")
    np.testing.assert_allclose(result["coverage"], [[(1 + 0.5 + 0.5 + 0) / 4]])
    for name in ("distance", "previous", "diagonal"):
        assert np.isnan(result[name]).all()


def test_one_token_has_measures_too() -> None:
    result = head_measures.measures(heads([[1.0]]), "decoder")
    assert [result[name][0, 0] for name in ("entropy", "distance", "previous", "first", "diagonal")] == [0, 0, 0, 1, 1]


def test_measures_reach_the_figure_and_the_table() -> None:
    result = {
        "encoder": head_measures.measures(heads(IDENTITY, UNIFORM), "encoder"),
        "cross": head_measures.measures(heads(FIRST, UNIFORM), "cross"),
    }
    words = {"layer": "{layer}", "head": "{head}", "layers": "l", "heads": "h"}
    [only] = measure_matrices({kind: values["diagonal"] for kind, values in result.items()}, {"encoder": "e"}, words)
    assert (only.key, only.limit) == ("encoder", 1)
    np.testing.assert_allclose(only.values, [[1, 1 / 3]])
    rows = table_rows(result, ("diagonal", "coverage"))
    assert [(row["kind"], row["layer"], row["head"]) for row in rows] == [
        ("encoder", 0, 0), ("encoder", 0, 1), ("cross", 0, 0), ("cross", 0, 1),
    ]  # fmt: skip
    assert rows[0]["diagonal"] == 1
    assert rows[0]["coverage"] is None
    assert rows[2]["coverage"] == pytest.approx(1 / 3)


# likeness


def test_like_heads_are_like_and_unlike_ones_are_not() -> None:
    alike = head_measures.similarity(np.stack([IDENTITY, IDENTITY, np.roll(IDENTITY, 1, axis=1), UNIFORM]))
    assert alike[0, 1] == pytest.approx(1)
    assert alike[0, 2] == pytest.approx(0)  # nothing in common in any row
    np.testing.assert_allclose(alike, alike.T)
    np.testing.assert_array_equal(np.diag(alike), 1)
    # JSD of (1 0 0) and (⅓ ⅓ ⅓): H(⅔ ⅙ ⅙) − ½ log₂ 3
    divergence = -(2 / 3 * np.log2(2 / 3) + 2 / 6 * np.log2(1 / 6)) - np.log2(3) / 2
    assert alike[0, 3] == pytest.approx(1 - divergence)
    assert head_measures.pairs(alike)[0] == (0, 1)
    assert head_measures.pairs(alike)[-1] in ((0, 2), (1, 2))


def test_likeness_of_the_model_s_heads_is_that_of_their_definition(model: Transformer) -> None:
    weights = trace(model).weights("cross").reshape(4, 3, 5).astype(float)
    alike = head_measures.similarity(weights)
    for i in range(4):
        for j in range(4):
            middle = (weights[i] + weights[j]) / 2
            kl = [(w * np.log2(w / middle)).sum(axis=1) for w in (weights[i], weights[j])]
            assert alike[i, j] == pytest.approx(1 - float(((kl[0] + kl[1]) / 2).mean()), abs=1e-6)
