"""The switch for weight times value on /decoding, /intervene and /compare: the maps against a loop with torch."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from model.decode.translate import translate
from model.edit import edit_effects, edits
from model.trace import AttentionKind, path
from model.transformer import Transformer
from tests.app import said, sentence, visit
from tests.figures import watching_figures
from tests.samples import KINO, german_english, in_turn
from viz.figures.attention import AttentionFigure
from viz.figures.figure import Figure
from viz.figures.matrices import MatrixFigure

pytestmark = pytest.mark.usefixtures("warm")
HEAD = {"attention_kind": "cross", "layer": "1", "head": "0"}
PLACES = {
    "decoding": {"step": "4"},
    "intervene": {"show": "attention", "changes": "off:cross.0.0"},
    "compare": {"other": "de-en", "other_changes": "off:cross.0.0"},
}


@pytest.fixture
def figures() -> Iterator[dict[str, Figure]]:
    """Figures of the page by their keys."""
    result: dict[str, Figure] = {}
    with watching_figures(result.__setitem__):
        yield result


def shares(model: Transformer, values: dict[str, np.ndarray], kind: AttentionKind, layer: int, head: int) -> np.ndarray:
    """‖α v W^O‖ of one head over the sum of its row, token by token, (Q, K)."""
    side, name = ("encoder", "self") if kind == "encoder" else ("decoder", "cross" if kind == "cross" else "self")
    output = getattr(getattr(model, side)[layer], f"{name}_attention").output.weight
    weights, all_values = (torch.from_numpy(values[f"{path(kind, layer)}.{part}"])[head] for part in ("weights", "v"))
    size = all_values.shape[-1]
    moved = [output[:, head * size : (head + 1) * size] @ value for value in all_values]
    norms = torch.stack([torch.stack([(row[k] * vector).norm() for k, vector in enumerate(moved)]) for row in weights])
    return (norms / norms.sum(dim=1, keepdim=True)).detach().numpy()


def changed_values() -> dict[str, np.ndarray]:
    change = edits.zero("decoder.0.cross_attention.head_outputs", head=0)
    return edit_effects.edited_values(german_english(), translate(german_english(), KINO), [change])


@in_turn("page", list(PLACES))
def test_the_switch_is_in_the_link_and_says_what_it_shows(page: str, language: str, figures: dict[str, Figure]) -> None:
    app = visit(page, language, sentence=KINO, **HEAD, **PLACES[page])
    limits = sentence(language, "norms.limits")
    assert limits not in [each.value for each in app.caption]
    app.toggle(key="norms").set_value(True).run()
    assert app.query_params["norms"] in ("1", ["1"])
    assert limits in [each.value for each in app.caption]
    assert said(app) == []
    app.toggle(key="norms").set_value(False).run()
    assert "norms" not in app.query_params
    assert limits not in [each.value for each in app.caption]


@pytest.mark.parametrize("show", ["attention", "probability"])
@pytest.mark.parametrize("changes", ["", "off:cross.0.0"])
def test_a_change_has_one_switch_on_each_tab_with_weights(show: str, changes: str) -> None:
    app = visit("intervene", sentence=KINO, show=show, **({"changes": changes} if changes else {}))
    assert [each.key for each in app.toggle].count("norms") == 1


@in_turn("kind", ["cross", "decoder"])
def test_the_step_of_a_decoding(kind: AttentionKind, language: str, figures: dict[str, Figure]) -> None:
    app = visit("decoding", language, sentence=KINO, **HEAD, step="4", norms="1")
    trace = translate(german_english(), KINO).trace
    drawn = figures["step_attention"]
    assert isinstance(drawn, MatrixFigure)
    matrix = next(matrix for matrix in drawn.matrices if matrix.key == kind)
    rows = [shares(german_english().model, trace.values, kind, 1, head)[4] for head in range(4)]
    np.testing.assert_allclose(matrix.values[:4], np.stack(rows)[:, : len(matrix.columns)], atol=1e-5)
    np.testing.assert_allclose(matrix.values.sum(axis=1), 1, atol=1e-5)
    weights = {kind: trace.weights(kind)[1, :, 4] for kind in ("cross", "decoder")}
    of_kind = {matrix.key: matrix.values[:4] for matrix in drawn.matrices}
    falls = {each: weights[each][:, : values.shape[1]] - values for each, values in of_kind.items()}
    most = max(falls, key=lambda each: falls[each].max())
    head, key = np.unravel_index(falls[most].argmax(), falls[most].shape)
    columns = next(matrix.columns for matrix in drawn.matrices if matrix.key == most)
    name = sentence(language, f"attention_figure.{most}")
    assert any(
        columns[key] in text and name in text and str(head) in text for text in [each.value for each in app.text]
    )


def test_both_passes_of_a_change(figures: dict[str, Figure]) -> None:
    visit("intervene", "zh", sentence=KINO, **HEAD, **PLACES["intervene"], norms="1")
    drawn = figures["intervene_attention"]
    assert isinstance(drawn, MatrixFigure)
    before, after, difference = (matrix.values for matrix in drawn.matrices)
    model, values = german_english().model, translate(german_english(), KINO).trace.values
    np.testing.assert_allclose(before, shares(model, values, "cross", 1, 0), atol=1e-5)
    np.testing.assert_allclose(after, shares(model, changed_values(), "cross", 1, 0), atol=1e-5)
    np.testing.assert_allclose(difference, after - before, atol=1e-6)


def test_both_walls(figures: dict[str, Figure]) -> None:
    visit("compare", "en", sentence=KINO, **HEAD, **PLACES["compare"], norms="1")
    model, values = german_english().model, translate(german_english(), KINO).trace.values
    for key, of_side in (("attention_a", values), ("attention_b", changed_values())):
        drawn = figures[key]
        assert isinstance(drawn, AttentionFigure)
        assert drawn.column == "norm_share"
        np.testing.assert_allclose(
            drawn.panels["cross"].weights[1, 0], shares(model, of_side, "cross", 1, 0), atol=1e-5
        )
