"""Rollout, the measures of every head, and how alike heads are."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.analysis.attention import head_measures
from model.checkpoint import catalogue
from model.trace import AttentionKind
from pages.attention.stages import waits
from pages.shared.classroom import my_class
from pages.shared.layout import page
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view, widgets
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices, one_matrix
from pages.shared.ui.switches import word_switch
from viz.attention_rollout import rollout as rolled_out
from viz.data import Selection
from viz.figures.matrices import MatrixFigure
from viz.html.plain_table import table_html
from viz.matrices.attention.measure_matrices import measure_matrices, rollout_matrices, similarity_matrix, table_rows
from viz.standalone.document import Table
from viz.whole_words import joined

LOOKS_BACK = "gpt-char"  # whose example has a head that looks at the token before
MOST_HEADS = 4096  # more than any model here has in all its layers
MOST_ALIKE = 256  # heads that are compared with each other, which the figure has the square of
PAIRED = 1_000_000_000  # weights that are met on the way, a pair of heads at a time: about 3 s
Found = dict[str, dict[str, np.ndarray]]  # kind to measure to (L, H)


def rollout(current_run: CurrentRun, picked: PickedHead) -> None:
    """How much of each input token is in each position after a chosen number of layers."""
    sides = [kind for kind in current_run.trace.kinds if kind != "cross"]
    side = picked.kind if picked.kind in sides else sides[0]
    if len(sides) > 1:
        titles = {kind: words(f"attention_figure.wall_{kind}") for kind in sides}
        side = controls.choice("side", words("attention_rollout.side"), titles, side)
    weights = current_run.trace.weights(side)  # (L, H, T, T)
    last = len(weights) - 1
    upto = controls.steps("upto", words("attention_rollout.upto"), range(last + 1), last) if last else 0
    result = rolled_out(weights)[upto]
    rows = current_run.trace.words("source_tokens" if side == "encoder" else "target_tokens", whole=word_switch.is_on())
    mean, result = (joined(each, rows, rows) for each in (weights[upto].mean(axis=0), result))
    tokens = tuple(row.text for row in rows)
    figures = rollout_matrices(mean, result, upto, tokens, side, section("attention_chart"))
    matrices("rollout", figures)
    page.formula("rollout")
    export.files(f"rollout-{side}-layer{upto}", one_matrix(figures[-1]), "_stages")


def measures(current_run: CurrentRun, picked: PickedHead) -> None:
    """One number per head: as colours on a wall of heads, and as a table to sort."""
    trace = current_run.trace
    measures_by_kind: Found = {kind: head_measures.measures(trace.weights(kind), kind) for kind in trace.kinds}
    kinds: dict[str, str] = {kind: words(f"attention_figure.wall_{kind}") for kind in measures_by_kind}
    titles = {name: words(f"attention_measure.{name}") for name in _available(measures_by_kind)}
    name = controls.choice("measure", words("attention_measures.measure"), titles, "entropy")
    show.caption(words(f"attention_measure_about.{name}"))
    walls = measure_matrices(
        {kind: values[name] for kind, values in measures_by_kind.items()}, kinds, section("attention_chart")
    )
    has_kind = picked.kind in [matrix.key for matrix in walls]
    matrices(
        "measures",
        walls,
        selection=Selection(picked.kind, picked.layer, picked.head) if has_kind else None,
        cell=44,
        on_select=lambda cell: _choose(cell.key, cell.row, cell.column),
    )
    rows = table_rows(measures_by_kind, tuple(titles))
    _table(rows, kinds, titles)
    wall = next((matrix for matrix in walls if matrix.key == picked.kind), walls[0])
    figure = MatrixFigure([wall], words=section("matrix_figure"), rows=lambda: rows)
    export.files(f"{name}-{wall.key}", figure, "_measures")


def _available(measures_by_kind: Found) -> list[str]:
    """The measures that at least one kind of attention of this model has."""
    return [
        name
        for name in head_measures.MEASURES
        if not all(np.isnan(values[name]).all() for values in measures_by_kind.values())
    ]


def _table(rows: list[dict], kinds: dict[str, str], titles: dict[str, str]) -> None:
    """Every head, to be sorted by a click on a column; a click on a line chooses its head."""
    lines = [{**row, "kind": kinds[row["kind"]]} for row in rows]
    number = {name: st.column_config.NumberColumn(title, format="%.3f") for name, title in titles.items()}
    place = {"kind": words("place.attention_kind"), "layer": words("place.layer"), "head": words("place.head")}

    def chosen() -> None:
        places = widgets.sent("measures_table")["selection"]["rows"]
        if places:
            _choose(rows[places[0]]["kind"], rows[places[0]]["layer"], rows[places[0]]["head"])

    if my_class.sees_pictures():  # a line of a plain table chooses no head
        show.table(_printed(lines, place | titles))
        return
    show.caption(words("attention_measures.table"))
    show.keep(lambda: [Table(_printed(lines, place | titles))])
    st.dataframe(
        lines, hide_index=True, column_config={**place, **number}, key="measures_table",
        on_select=chosen, selection_mode="single-row", placeholder="–", alt=words("attention_measures.table"),
    )  # fmt: skip


def _printed(lines: list[dict], titles: Mapping[str, str]) -> str:
    """The table in a file; a measure that a kind of attention does not have is left empty."""
    cells = [[_cell(line[key]) for key in titles] for line in lines]
    return table_html(list(titles.values()), cells)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:.3f}"
    return "" if value is None else str(value)


def looks_back() -> dict[str, object]:
    """The choices that open the head which looks most at the token before, in the example of a model that has one.

    Measured on the recorded example. Without that model they open the measure alone.
    """
    choices: dict[str, object] = {"view": "measures", "measure": "previous"}
    entry = catalogue.sentence_models().get(LOOKS_BACK)
    example = models.example(entry) if entry and entry.is_sound() else None
    if not entry or not example or "decoder" not in example.trace.kinds:
        return choices
    weights = head_measures.measures(example.trace.weights("decoder"), "decoder")["previous"]  # (L, H)
    layer, head = np.unravel_index(weights.argmax(), weights.shape)
    place = {"attention_kind": "decoder", "layer": int(layer), "head": int(head)}
    return {"checkpoint": entry.name, "sentence": None, **place, **choices}


def _choose(kind: str, layer: object, head: object) -> None:
    view.choose(attention_kind=kind, layer=layer, head=head)


def comparable(current_run: CurrentRun, kind: AttentionKind) -> bool:
    """Whether all heads of a kind can be compared with each other while somebody waits."""
    layers, heads, queries, keys = current_run.trace.weights(kind).shape
    count = layers * heads
    return count <= MOST_ALIKE and count**2 / 2 * queries * keys <= PAIRED


def likeness(current_run: CurrentRun, picked: PickedHead) -> None:
    """All heads of the chosen kind against each other."""
    if not current_run.is_recording and waits(current_run):
        return
    layers, heads = current_run.trace.weights(picked.kind).shape[:2]
    if not comparable(current_run, picked.kind):
        show.caption(words("attention_similarity.many", count=layers * heads))
        return
    alike = _similarity(current_run.entry, current_run.sentence, picked.kind, current_run.recorded)
    title = words(f"attention_figure.wall_{picked.kind}")
    matrix = similarity_matrix(alike, heads, picked.kind, title, section("attention_chart"))
    here = picked.layer * heads + picked.head
    other = min(controls.picked("other", words("place.head"), MOST_HEADS, here), len(alike) - 1)
    if len(alike) == 1:
        show.caption(words("attention_similarity.alone"))
    else:
        _extremes(alike, heads)
    matrices(
        "similarity",
        [matrix],
        selection=Selection("alike", here, other),
        on_select=lambda cell: view.choose(
            attention_kind=picked.kind, layer=cell.row // heads, head=cell.row % heads, other=cell.column
        ),
    )
    page.formula("similarity_of_heads")
    export.files(f"similarity-{picked.kind}", one_matrix(matrix), "_stages")


def _extremes(alike: np.ndarray, heads: int) -> None:
    """The pair most alike and the pair least alike."""
    order = head_measures.pairs(alike)
    for key, (i, j) in (("most", order[0]), ("least", order[-1])):
        first, second = ("·".join(map(str, divmod(head, heads))) for head in (i, j))
        show.text(words(f"attention_similarity.{key}", first=first, second=second, value=f"{alike[i, j]:.3f}"))


@models.cached
def _similarity(entry: catalogue.Entry, sentence: str, kind: AttentionKind, from_recording: bool) -> np.ndarray:
    weights = CurrentRun(entry, sentence, from_recording).trace.weights(kind)  # (L, H, Q, K)
    return head_measures.similarity(weights.reshape(-1, *weights.shape[2:]))
