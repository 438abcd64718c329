"""Input of users: the forms that are read, and the errors for others."""

import warnings
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from model.trace import Trace
from viz.notebook.panels import panels
from viz.notebook.recordings import TOKEN_LISTS

ABC = ["a", "b", "c"]
SIX = ["<s>", "a", "b", "c", "d", "</s>"]


def softmaxed(*shape: int, causal: bool = False) -> np.ndarray:
    values = np.exp(np.random.default_rng(0).normal(size=shape))
    values = np.tril(values) if causal else values
    return (values / values.sum(-1, keepdims=True)).astype(np.float32)


FOUR = softmaxed(2, 3, 3, 3)  # (L, H, Q, K)


@pytest.mark.parametrize(
    "given",
    [
        FOUR,
        FOUR.tolist(),
        torch.tensor(FOUR, requires_grad=True),
        torch.tensor(FOUR).to(torch.float64),
        list(FOUR),
        tuple(torch.tensor(layer)[None] for layer in FOUR),
        torch.tensor(FOUR)[:, None],
    ],
    ids=["array", "list", "tensor", "double", "layers", "transformers", "five axes"],
)
def test_each_form_of_one_attention_is_the_same_figure(glassformer: ModuleType, given: Any) -> None:
    figure = glassformer.head_wall(given, ABC)
    assert figure.panels["encoder"].weights.shape == (2, 3, 3, 3)
    np.testing.assert_allclose(figure.panels["encoder"].weights, FOUR, atol=1e-6)


def test_one_layer_and_other_precisions(glassformer: ModuleType) -> None:
    assert glassformer.head_wall(FOUR[0], ABC).panels["encoder"].weights.shape == (1, 3, 3, 3)
    half = glassformer.head_wall(torch.tensor(FOUR).bfloat16(), ABC).panels["encoder"].weights
    np.testing.assert_allclose(half, FOUR, atol=0.01)


def test_an_item_of_a_batch(glassformer: ModuleType) -> None:
    batch = tuple(torch.tensor(np.stack([layer, layer[::-1].copy()])) for layer in FOUR)
    figure = glassformer.attention_lines(batch, ABC, item=1)
    np.testing.assert_array_equal(figure.panels["encoder"].weights, FOUR[:, ::-1])


def test_the_kind_follows_from_what_is_given(glassformer: ModuleType) -> None:
    lines = glassformer.attention_lines
    assert list(lines(softmaxed(1, 2, 3, 3, causal=True), ABC).panels) == ["decoder"]
    assert list(lines(FOUR, ABC).panels) == ["encoder"]
    assert list(lines(FOUR, decoder_tokens=ABC).panels) == ["decoder"]
    figure = lines(softmaxed(1, 2, 3, 6), encoder_tokens=SIX, decoder_tokens=ABC)
    assert figure.panels["cross"].keys == tuple(SIX)
    assert figure.panels["cross"].key_specials == (True, False, False, False, False, True)


def test_outputs_with_encoder_decoder_and_cross(glassformer: ModuleType) -> None:
    inputs = SimpleNamespace(
        encoder_attentions=tuple(torch.tensor(softmaxed(2, 3, 6, 6))[:, None]),
        decoder_attentions=tuple(torch.tensor(softmaxed(2, 3, 3, 3, causal=True))[:, None]),
        cross_attentions=tuple(torch.tensor(softmaxed(2, 3, 3, 6))[:, None]),
    )
    figure = glassformer.head_wall(inputs, encoder_tokens=SIX, decoder_tokens=ABC, output_tokens=["b", "c", "d"])
    assert list(figure.panels) == ["encoder", "decoder", "cross"]
    assert (figure.panels["cross"].queries, figure.panels["cross"].read) == (("b", "c", "d"), ("a", "b", "c"))
    by_name = {
        "encoder": inputs.encoder_attentions,
        "decoder": inputs.decoder_attentions,
        "cross": inputs.cross_attentions,
    }
    lines = glassformer.attention_lines(by_name, encoder_tokens=SIX, decoder_tokens=ABC)
    assert len(lines.components) == 3
    # the rows of cross-attention are what was read, unless what was written is given
    assert [b"While writing" in part.data for part in (*lines.components, *figure.components)] == [False] * 3 + [True]


def test_a_decoder_with_cross_attention_has_one_stack(glassformer: ModuleType) -> None:
    inputs = SimpleNamespace(
        attentions=tuple(torch.tensor(softmaxed(2, 3, 3, 3))[:, None]),
        cross_attentions=tuple(torch.tensor(softmaxed(2, 3, 3, 6))[:, None]),
    )
    figure = glassformer.head_wall(inputs, encoder_tokens=SIX, decoder_tokens=ABC)
    assert list(figure.panels) == ["decoder", "cross"]


@pytest.mark.parametrize(
    ("given", "tokens", "said"),
    [
        (FOUR, SIX, r"axis 2 \(queries\) has 3 rows, but 6 tokens were given as tokens"),
        (FOUR[0], SIX, r"axis 1 \(queries\) has 3 rows, but 6 tokens"),
        (tuple(FOUR[:, None]), SIX, r"axis 2 \(queries\) has 3 rows, but 6 tokens"),
        (FOUR[..., :2], ABC, r"axis 3 \(keys\) has 2 columns, but 3 tokens"),
        (FOUR[0, 0], ABC, r"needs the axes \(heads, queries, keys\).* 2 axes, the shape \(3, 3\)"),
        ([FOUR[0], FOUR[1, :2]], ABC, r"axis 0 \(heads\) of layer 1 is 2, of layer 0 3"),
        ([FOUR[0], FOUR[1:2]], ABC, r"layer 1 has 4 axes.* layer 0 has 3 axes"),
        ((np.stack([FOUR[0]] * 2),), ABC, r"axis 0 \(batch\) has 2 items; choose one, item=0 to item=1"),
        ((None, None), ABC, r"no layer has weights \(None\).*eager"),
        (SimpleNamespace(attentions=None), ABC, r"attentions is None.*output_attentions=True"),
        (FOUR * 4, ABC, r"between 0 and 1, but the largest is .* model\.eval\(\)"),
        (FOUR - 1, ABC, r"must lie between 0 and 1"),
        (FOUR * np.nan, ABC, r"not numbers"),
        ({"encoder": FOUR, "other": FOUR}, ABC, r"'other'"),
        ({"encoder": FOUR, "cross": FOUR}, ABC, r"encoder and cross attention give encoder_tokens and decoder_tokens"),
        ({"cross": FOUR}, ABC, r"cross attention needs encoder_tokens"),
        (FOUR, None, r"encoder attention needs tokens, a list of strings"),
        ([[1.0], [1.0, 2.0]], ABC, r"rows have different lengths"),
        (FOUR[0, 0], ABC, r"One head alone, \(queries, keys\), is given as weights\[None\]"),
        ([FOUR[0, 0]], ABC, r"One head alone, \(queries, keys\), is given as \[weights\[None\]\]"),
        (np.broadcast_to(np.float32(1e-9), (1, 1, 10**9, 10**9)), ABC, r"do not fit into this computer's memory: show"),
    ],
)  # fmt: skip
def test_an_error_names_what_is_wrong(glassformer: ModuleType, given: Any, tokens: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        glassformer.head_wall(given, tokens)


@pytest.mark.parametrize(
    ("given", "tokens", "said"),
    [(FOUR, "abc", "list of strings, not str"), (FOUR, [1, 2, 3], "convert_ids_to_tokens"), ("x", ABC, "hold numbers")],
)
def test_a_wrong_type_is_named(glassformer: ModuleType, given: Any, tokens: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        glassformer.head_wall(given, tokens)


def test_labels_of_a_matrix_are_no_tokens(glassformer: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"rows must be .* holds int values; rows=\[str\(label\) for label in labels\]"):
        glassformer.matrix([[1, 2]], rows=[1])


def test_an_id_that_the_tokenizer_does_not_know_is_its_place(glassformer: ModuleType) -> None:
    """Qwen's tables have more rows than its tokenizer has tokens."""
    assert glassformer.head_wall(FOUR, ["a", None, "c"]).panels["encoder"].keys == ("a", "#1", "c")


@pytest.mark.parametrize("character", ["\ud800", "\ufffe", "\uffff", "\x00"])
def test_a_character_that_no_file_can_hold_is_shown_as_unknown(
    glassformer: ModuleType, character: str, tmp_path: Path
) -> None:
    labels = [f"a{character}", "b", "c"]
    for figure in (
        glassformer.attention_lines(FOUR, labels, title=character),
        glassformer.matrix(
            FOUR[0, 0], rows=labels, columns=labels, title=character, note=character, row_axis=character
        ),
    ):
        figure.save(tmp_path / "x.html")
        ElementTree.parse(figure.save(tmp_path / "x.svg"))  # is XML


def test_what_a_figure_lacks(glassformer: ModuleType) -> None:
    with pytest.raises(ValueError, match="3 heads, 0 to 2; there is no head=3"):
        glassformer.head_wall(FOUR, ABC, head=3)
    with pytest.raises(ValueError, match="has no batch axis, so item=2 chooses nothing"):
        glassformer.head_wall(FOUR, ABC, item=2)
    with pytest.raises(ValueError, match="language is one of en, es, zh"):
        glassformer.head_wall(FOUR, ABC, language="de")
    with pytest.raises(ValueError, match=r"axis 0 \(rows\) has 2 rows, but 3 labels were given as rows"):
        glassformer.matrix([[1, 2], [3, 4]], rows=ABC)
    with pytest.raises(ValueError, match=r"the axes \(rows, columns\)"):
        glassformer.matrix([1, 2])


def test_a_matrix_chooses_its_scale(glassformer: ModuleType) -> None:
    scales = [[[1, 2]], [[1, -2]], [[True, False]], torch.tensor([[0.5, -np.inf]])]
    assert [glassformer.matrix(each).matrices[0].scale for each in scales] == ["positive", "signed", "mask", "positive"]
    assert glassformer.matrix([[1, 2]]).matrices[0].columns == ("0", "1")


def test_a_recording_of_the_command_line(glassformer: ModuleType, tmp_path: Any) -> None:
    values = {
        "encoder.0.self_attention.weights": softmaxed(2, 6, 6),
        "encoder.0.self_attention.q": np.ones((2, 6, 4), np.float32),
        "decoder.0.self_attention.weights": softmaxed(2, 3, 3, causal=True),
        "decoder.0.cross_attention.weights": softmaxed(2, 3, 6),
        "decoder.0.feed_forward.output": np.ones((3, 4), np.float32),
    }
    recording = Trace(values, tuple(SIX), ("<bos>", "a", "b"), ("a", "b", "<eos>"))
    recording.save(tmp_path / "x.npz")
    for inputs in (tmp_path / "x.npz", values | {"source_tokens": SIX, "target_tokens": ABC, "output_tokens": ABC}):
        figure = glassformer.trace(inputs)
        assert list(figure.panels) == ["encoder", "decoder", "cross"]
        heads = glassformer.trace(inputs, "encoder.0.self_attention.q").matrices
        assert [(each.rows, each.columns) for each in heads] == [(tuple(SIX), ("0", "1", "2", "3"))] * 2
        assert len(glassformer.trace(inputs, "decoder.0.feed_forward.output").matrices) == 1
    assert glassformer.trace(tmp_path / "x.npz").panels["cross"].read == recording.target_tokens
    short = {f"{kind}_attention": recording.weights(kind) for kind in recording.kinds}
    same = glassformer.trace(short | {name: getattr(recording, name) for name in TOKEN_LISTS})
    for kind in recording.kinds:
        np.testing.assert_array_equal(same.panels[kind].weights, recording.weights(kind))
    with pytest.raises(ValueError, match="no value 'logits'"):
        glassformer.trace(values, "logits")
    with pytest.raises(ValueError, match="needs source_tokens and target_tokens"):
        glassformer.trace(values)
    gap = {"encoder.1.self_attention.weights": softmaxed(2, 6, 6), "source_tokens": SIX}
    with pytest.raises(ValueError, match="layer 1, but not of layer 0"):
        glassformer.trace(gap)
    (tmp_path / "y.npz").write_bytes(b"no")
    with pytest.raises(ValueError, match=r"not an \.npz"):
        glassformer.trace(tmp_path / "y.npz")


def test_a_row_whose_keys_are_all_masked_has_no_weights(glassformer: ModuleType) -> None:
    """Its softmax is NaN in every head; the other rows are drawn as they are, and nothing is warned of."""
    given = FOUR.copy()
    given[:, :, 1] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        glassformer.head_wall(given, ABC)
        glassformer.head_wall(np.nan_to_num(given), ABC)
        [panel] = panels(given, ABC).panels
    assert (panel.weights[:, :, 1] == 0).all()
    kept = [0, *range(2, FOUR.shape[2])]
    np.testing.assert_array_equal(panel.weights[:, :, kept], FOUR[:, :, kept])


@pytest.mark.parametrize("place", [(1, 2, 0, 1), (0, 0, 2), (1, 1)])
def test_a_fault_is_named_with_layer_head_and_row(glassformer: ModuleType, place: tuple[int, ...]) -> None:
    """One NaN in a row, one row of one head, a head: none of them is a mask."""
    given = FOUR.copy()
    given[place] = np.nan
    layer, head, row = (*place, 0, 0)[:3]
    with pytest.raises(ValueError, match=rf"row {row} of head {head} in layer {layer} .* not numbers"):
        glassformer.head_wall(given, ABC)


def test_rows_that_do_not_sum_to_1_are_warned_of(glassformer: ModuleType) -> None:
    exchange = softmaxed(2, 3, 3, 3).swapaxes(-1, -2)
    given = {"encoder.0.self_attention.weights": exchange[0], "source_tokens": ABC}
    for draw in (lambda: glassformer.head_wall(exchange, ABC), lambda: glassformer.trace(given)):
        with pytest.warns(UserWarning, match=r"row \d of head \d in layer \d sums to .* instead of 1") as warned:
            draw()
        assert warned[0].filename == __file__  # of the caller


def test_pictures_and_files(glassformer: ModuleType, tmp_path: Any) -> None:
    figure = glassformer.attention_lines(FOUR, [*ABC[:2], "<b>&"], language="zh")
    assert figure.save(tmp_path / "x.svg", layer=1, head=2).read_text(encoding="utf-8").startswith("<svg")
    assert "第 1 层 · 头 2" in (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "<b>" not in (tmp_path / "x.svg").read_text(encoding="utf-8")
    small, large = (figure.save(tmp_path / f"{scale}.png", scale=scale).read_bytes() for scale in (1, 2))
    width = [int.from_bytes(picture[16:20]) for picture in (small, large)]
    assert width[1] == 2 * width[0]
    with pytest.raises(ValueError, match=r"ends in \.html, \.svg, \.png, \.csv, not \.pdf"):
        figure.save(tmp_path / "x.pdf")


def test_a_file_is_small(glassformer: ModuleType) -> None:
    """Two and a half bytes for each weight, code included; weights that are all alike are the worst case."""
    figure = glassformer.head_wall(softmaxed(6, 8, 64, 64), [f"token{i}" for i in range(64)])
    assert len(figure.html().encode()) < 2.5 * 6 * 8 * 64 * 64


def test_a_widget_begins_with_the_head_of_the_figure(glassformer: ModuleType) -> None:
    pytest.importorskip("anywidget")
    widget = glassformer.head_wall(FOUR, ABC, layer=1, head=2).widget()
    assert widget.selection == {"kind": "encoder", "layer": 1, "head": 2, "query": None, "key": None}
    assert glassformer.matrix([[1.0]]).widget().selection is None


def test_more_tokens_than_a_figure_can_draw_are_refused_in_one_sentence(glassformer: ModuleType) -> None:
    tokens = ["a"] * 70_000
    with pytest.raises(ValueError, match="room for 20,000 tokens on a side, not for 70,000"):
        glassformer.attention_lines(np.full((1, 1, len(tokens)), 1 / len(tokens)), tokens, kind="decoder")
