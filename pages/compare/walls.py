"""Attention of both models: both walls with both large maps, and every head against every head of the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from model.analysis.attention import head_measures
from model.compare import side_by_side
from model.trace import AttentionKind, Trace
from pages.compare.pair import Pass
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.session.language_choice import tags_of
from pages.shared.text import notices
from pages.shared.text.words import section, words
from pages.shared.ui import attention_figure, controls, head_picker, show
from pages.shared.ui.attention_figure import panels, shown_panels
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from pages.shared.ui.switches import value_switch
from viz.data import KINDS, AttentionPanel, Link, Selection
from viz.figures.attention import AttentionFigure, heads_svg
from viz.figures.figure import Assembled
from viz.matrices.compare import alike_matrix, measure_matrices

GROUP = "compare"
MEASURES = ("entropy", "distance", "first", "coverage")


@dataclass(frozen=True, eq=False)
class Heads:
    """One kind of attention of both models.

    alike    (N, N′) each head of A with each of B; None where they do not look at the same tokens
    """

    kind: AttentionKind
    a: AttentionPanel
    b: AttentionPanel
    alike: np.ndarray | None

    def nearest(self, layer: int, head: int) -> tuple[int, int]:
        """The head of B that looks most like one of A; without a likeness the one at the same place."""
        layers, heads = self.b.weights.shape[:2]
        if self.alike is None:
            return min(layer, layers - 1), min(head, heads - 1)
        best = int(self.alike[layer * self.a.weights.shape[1] + head].argmax())
        return divmod(best, heads)


def heads_of(first: Pass, second: Pass) -> dict[AttentionKind, Heads]:
    """Every kind of attention that both models have."""
    both = [{panel.kind: panel for panel in panels(each.trace)} for each in (first, second)]
    return {kind: _heads(kind, both[0][kind], both[1][kind]) for kind in both[0] if kind in both[1]}


def _heads(kind: AttentionKind, a: AttentionPanel, b: AttentionPanel) -> Heads:
    fits = (a.queries, a.keys) == (b.queries, b.keys)
    alike = side_by_side.alike(side_by_side.flat(a.weights), side_by_side.flat(b.weights)) if fits else None
    return Heads(kind, a, b, alike)


# the walls


def walls(current_run: CurrentRun, first: Pass, second: Pass) -> None:
    """Both figures beside each other; what is pointed at in one is shown in the other."""
    heads_by_kind = heads_of(first, second)
    picked = head_picker.pick_head(current_run, list(heads_by_kind))
    follow = _follow(heads_by_kind)
    other = _partner(heads_by_kind, picked, second.trace, follow)
    if heads_by_kind and any(set(each.trace.kinds) - set(heads_by_kind) for each in (first, second)):
        show.caption(words("compare_attention.common"))
    columns = st.columns(2, gap="small")
    places, figures = {"a": picked, "b": other}, []
    for which, each, column in zip("ab", (first, second), columns, strict=True):
        with column:
            show.subheader(notices.plain(each.side.name))
            figures.append(_draw(which, each, places[which], heads_by_kind, follow))
            if value_switch.is_on():
                show.text(_falling(each.trace, figures[-1]))
    if not heads_by_kind:
        show.text(words("compare_attention.no_kind"))
    elif (heads := heads_by_kind[picked.kind]).alike is None:
        show.text(words("compare_attention.apart"))
    else:
        _likeness(heads, picked, other)
        value_switch.kept(current_run)
    _files(current_run, *figures)
    if value_switch.is_on():
        value_switch.formula()


def _falling(trace: Trace, figure: AttentionFigure) -> str:
    kind = figure.look.kind
    weights = next(panel for panel in shown_panels(trace) if panel.kind == kind)
    return value_switch.falling(weights, figure.panels[kind])


def _follow(heads_by_kind: dict[AttentionKind, Heads]) -> str:
    """Choose which head of the other model is shown when one is hovered."""
    if not any(heads.alike is not None for heads in heads_by_kind.values()):
        return "same"
    return controls.choice("follow", words("compare_attention.follow"), section("compare_follow"), "alike")


def _partner(heads_by_kind: dict[AttentionKind, Heads], picked: PickedHead, trace: Trace, follow: str) -> PickedHead:
    """The head of B: the one that was clicked there, else the one that goes with that of A."""
    kind = picked.kind if heads_by_kind else trace.kinds[-1]
    layers, heads = trace.weights(kind).shape[:2]
    number = controls.picked("other_head", words("compare_attention.other_head"), layers * heads, -1)
    if number >= 0:
        return PickedHead(kind, *divmod(number, heads))
    if follow == "same":
        return PickedHead(kind, min(picked.layer, layers - 1), min(picked.head, heads - 1))
    return PickedHead(picked.kind, *heads_by_kind[picked.kind].nearest(picked.layer, picked.head))


def _draw(
    which: str, passed: Pass, picked: PickedHead, heads_by_kind: dict[AttentionKind, Heads], follow: str
) -> AttentionFigure:
    """The figure of one side: the kinds that both have, or, where there is none, its own."""
    trace = passed.trace
    shares = passed.norms() if value_switch.is_on() else None
    every = shown_panels(trace, shares=shares)
    side_panels = [panel for panel in every if panel.kind in heads_by_kind or not heads_by_kind]

    def first(kind: AttentionKind, layer: int, head: int) -> None:
        view.choose(attention_kind=kind, layer=layer, head=head, other_head=None)

    def second(kind: AttentionKind, layer: int, head: int) -> None:
        other_kind = {"attention_kind": kind, "layer": 0, "head": 0} if kind != picked.kind else {}
        view.choose(other_head=layer * trace.weights(kind).shape[1] + head, **other_kind)

    link = _link(which, heads_by_kind, follow)
    pins, lock = (KINDS, first) if which == "a" else (link.cells, second)
    return attention_figure.attention(
        side_panels, picked.look("matrix", link=link), key=f"attention_{which}", pins=pins, on_lock=lock,
        norms=shares is not None, languages=tags_of(passed.side.entry.card),
    )  # fmt: skip


def _link(which: str, heads_by_kind: dict[AttentionKind, Heads], follow: str) -> Link:
    """Which head of the other figure goes with each of this one."""
    partners: dict[str, list[list[tuple[int, int] | None]]] = {}
    for kind, heads in heads_by_kind.items():
        own, far = (heads.a, heads.b) if which == "a" else (heads.b, heads.a)
        (layers, count), (far_layers, far_count) = own.weights.shape[:2], far.weights.shape[:2]
        table = None if heads.alike is None or follow == "same" else heads.alike if which == "a" else heads.alike.T
        partners[kind] = [
            [
                divmod(int(table[layer * count + head].argmax()), far_count)
                if table is not None
                else ((layer, head) if layer < far_layers and head < far_count else None)
                for head in range(count)
            ]
            for layer in range(layers)
        ]
    cells = tuple(kind for kind, heads in heads_by_kind.items() if heads.alike is not None)
    return Link(GROUP, partners, cells)


def _likeness(heads: Heads, picked: PickedHead, other: PickedHead) -> None:
    """How alike the two heads in view are, and which is the most alike."""
    assert heads.alike is not None
    row = heads.alike[picked.layer * heads.a.weights.shape[1] + picked.head]
    best = heads.nearest(picked.layer, picked.head)
    values = {"head": f"{picked.layer}·{picked.head}", "best": f"{best[0]}·{best[1]}", "value": f"{row.max():.3f}"}
    show.text(words("compare_attention.nearest", **values))
    if (other.layer, other.head) != best:
        value = float(row[other.layer * heads.b.weights.shape[1] + other.head])
        show.text(words("compare_attention.shown", other=f"{other.layer}·{other.head}", value=f"{value:.3f}"))


def _files(current_run: CurrentRun, first: AttentionFigure, second: AttentionFigure) -> None:
    """The switch, and the files: both heads below each other, and the numbers of both."""
    both = {"A": first, "B": second}
    figure = Assembled(
        list,
        lambda: heads_svg([first, second]),
        lambda: [
            {"model": letter, "kind": one.look.kind, "layer": one.look.layer, "head": one.look.head, **row}
            for letter, one in both.items()
            for row in one.rows()
        ],
    )
    value_switch.files_below(current_run, "compare-attention", figure)


# head against head


def matches(current_run: CurrentRun, first: Pass, second: Pass) -> None:
    """Each head of A with each of B; where they look at different tokens, a measure of every head instead."""
    heads_by_kind = heads_of(first, second)
    if not heads_by_kind:
        show.text(words("compare_attention.no_kind"))
        return
    picked = head_picker.pick_head(current_run, list(heads_by_kind))
    value_switch.kept(current_run)
    heads = heads_by_kind[picked.kind]
    if heads.alike is None:
        _measures(heads)
        return
    _alike(heads, picked)
    page.formula("similarity_of_models")


def _alike(heads: Heads, picked: PickedHead) -> None:
    assert heads.alike is not None
    per = (heads.a.weights.shape[1], heads.b.weights.shape[1])
    names = (words("compare_heads.of_a"), words("compare_heads.of_b"))
    content = alike_matrix(heads.alike, per, picked.kind, words(f"attention_figure.wall_{picked.kind}"), names)
    here = picked.layer * per[0] + picked.head
    best = heads.nearest(picked.layer, picked.head)
    figure = matrices(
        "alike", [content], cell=44,
        selection=Selection(content.key, here, best[0] * per[1] + best[1]),
        on_select=lambda at: view.choose(
            attention_kind=picked.kind, layer=at.row // per[0], head=at.row % per[0], other_head=at.column
        ),
    )  # fmt: skip
    nearest = heads.alike.max(axis=1)
    least = divmod(int(nearest.argmin()), per[0])
    mutual = int((heads.alike.argmax(axis=0)[heads.alike.argmax(axis=1)] == np.arange(len(nearest))).sum())
    show.text(
        words(
            "compare_heads.summary", mean=f"{nearest.mean():.3f}", mutual=mutual, count=len(nearest),
            lonely=f"{least[0]}·{least[1]}", value=f"{nearest.min():.3f}",
        )
    )  # fmt: skip
    export.files(f"compare-heads-{picked.kind}", figure, "_compare-heads")


def _measures(heads: Heads) -> None:
    show.text(words("compare_heads.apart"))
    both_measures = [head_measures.measures(panel.weights, heads.kind) for panel in (heads.a, heads.b)]
    names = [name for name in MEASURES if not np.isnan(both_measures[0][name]).all()]
    titles = {name: words(f"attention_measure.{name}") for name in names}
    name = controls.choice("measure", words("attention_measures.measure"), titles, names[0])
    sides = tuple(words(f"compare_heads.{letter}") for letter in "ab")
    texts = section("attention_chart")
    figures = measure_matrices(
        heads.kind, [values[name] for values in both_measures], sides, (texts["layers"], texts["heads"])
    )
    matrices("compare_measures", figures, cell=44, files=f"compare-{name}")
