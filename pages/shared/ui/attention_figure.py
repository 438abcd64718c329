"""The attention figure, and Python's side of what is locked in it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from model.tokenization.token_text import is_special
from model.trace import AttentionKind, TokenList, Trace
from pages.shared.models import models, spoken
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.switches import value_switch, word_switch
from viz.data import KINDS, AttentionPanel, Link, Pin, View
from viz.figures.attention import AttentionFigure
from viz.whole_words import Word, joined


def attention(
    panels: list[AttentionPanel],
    *,
    style: View,
    kind: AttentionKind,
    layer: int,
    head: int,
    key: str = "attention",
    link: Link | None = None,
    pins: Sequence[str] = KINDS,
    on_lock: Callable[[AttentionKind, int, int], None] | None = None,
    written: Sequence[str] = (),
    sentence: str = "",
    compact: bool = False,
    query: int | None = None,
    on_query: Callable[[int], None] | None = None,
    paused: bool = False,
    of_recording: bool = False,
    whole: bool = False,
    norms: bool = False,
    languages: Mapping[str, str] | None = None,
) -> AttentionFigure:
    """The attention figure, drawn. Locking a head changes the view, or calls `on_lock(kind, layer, head)` if given.

    A word or cell locked in the large map is stored in the view (`pin`) if its kind of attention is one of `pins`.
    With `query` it is this row that is locked, whatever the view says, and `on_query` gets another one. Both count
    tokens, also where rows and columns are several.
    Of a recording it is not known which masks there were, and nothing is said about them. `whole` says that the panels
    are between whole words, `norms` that they hold shares of norms in place of weights.
    `languages` are those of another model than the one in view.
    `link` connects two figures, see `viz.data.Link`; `written` plays the output, or waits `paused` at its
    beginning, see `attention_data`; its film shows the `sentence`.
    """

    def locked(at: dict[str, Any] | None) -> None:
        if at and on_lock:
            on_lock(at["kind"], at["layer"], at["head"])
        elif at:
            view.choose(attention_kind=at["kind"], layer=at["layer"], head=at["head"])

    def pinned(pin: dict[str, Any] | None) -> None:
        at = _in_tokens(panels, pin) if pin else None
        if query is not None:
            if at and at.query is not None and on_query:
                on_query(at.query)
            return
        if at and at.kind not in pins:
            return
        places = ["" if place is None else place for place in at[1:]] if at else []
        view.choose(**{view.PIN: [at.kind, *places] if at else None})

    # Locks are sent as triggers, and the link is their only state. Symptom with component state: a lock that a link had
    # set could not be released, because the browser had never set it. Tests: `tests/pages/attention/test_browser.py`
    figure = AttentionFigure(
        panels, style, kind=kind, layer=layer, head=head,
        words=_figure_words(whole, of_recording, norms), link=link,
        pin=_pin(panels, pins) if query is None else _in_rows(panels, Pin(kind, query, None)),
        written=written, sentence=sentence, compact=compact, paused=paused,
        languages=spoken.tags() if languages is None else languages,
        column=value_switch.COLUMN if norms else "weight",
    )  # fmt: skip
    show.figure(key, figure, calls={"selection": locked, "pin": pinned})
    return figure


def _figure_words(whole: bool, of_recording: bool, norms: bool) -> dict[str, str]:
    return (
        section("attention_figure")
        | (section("whole_words_figure") if whole else {})
        | (section("attention_recorded") if of_recording else {})
        | (section("norms_figure") if norms else {})
    )


def files_below(figure: AttentionFigure, current_run: CurrentRun) -> None:
    """The files of its head, with what attention does not prove and the switches for what it shows."""
    end = "-norms" if figure.column == value_switch.COLUMN else ""
    with st.container(horizontal=True, vertical_alignment="center", key="below_attention"):
        show.caption(words("hint.cause"))
        word_switch.draw()
        value_switch.draw(current_run)
        export.files(f"{figure.kind}-layer{figure.layer}-head{figure.head}{end}", figure, "")


def explained(figure: AttentionFigure, current_run: CurrentRun, *, whole: bool) -> None:
    """What the switches below a figure have changed in it, and where a second text begins."""
    if not current_run.is_recording and figure.kind != "decoder":
        tokenizer = models.tokenizer(current_run.entry)
        at = tokenizer.second_text(tokenizer.encode(current_run.sentence))
        if at is not None:
            show.caption(words("frame.second_text", at=at, token=current_run.trace.source_tokens[at]))
    word_switch.explained(figure.kind)
    value_switch.waits(current_run)
    if figure.column == value_switch.COLUMN:
        weights = {panel.kind: panel for panel in shown_panels(current_run.trace, whole=whole)}
        value_switch.explained(current_run.entry, weights[figure.kind], figure.panels[figure.kind])


def _pin(panels: Sequence[AttentionPanel], pins: Sequence[str]) -> Pin | None:
    """Pin that the view sets in the large map: `cross,3,1` is a cell, `cross,3,` a row, `cross,,1` a column."""
    text = view.setting(view.PIN)
    kind, *place = (text or "").split(",")
    panel = next((panel for panel in panels if panel.kind == kind), None)
    if kind in KINDS and kind not in pins:
        return None
    if panel and len(place) == 2 and any(place) and all(re.fullmatch(r"[0-9]{0,5}", part) for part in place):
        query, key = (int(part) if part else None for part in place)
        if (query or 0) < _count(panel.query_edges, panel.queries) and (key or 0) < _count(panel.key_edges, panel.keys):
            return _in_rows(panels, Pin(panel.kind, query, key))
    if text is not None:
        controls.let_go(view.PIN, words("place.pin"), text)
    return None


def _count(edges: Sequence[int], labels: Sequence[str]) -> int:
    """How many tokens rows or columns stand for."""
    return edges[-1] if edges else len(labels)


def _in_rows(panels: Sequence[AttentionPanel], pin: Pin) -> Pin:
    """A pin of tokens as one of the rows and columns that they stand in."""

    def at(edges: Sequence[int], place: int | None) -> int | None:
        return bisect_right(edges, place) - 1 if edges and place is not None else place

    panel = next(panel for panel in panels if panel.kind == pin.kind)
    return Pin(pin.kind, at(panel.query_edges, pin.query), at(panel.key_edges, pin.key))


def _in_tokens(panels: Sequence[AttentionPanel], pin: Mapping[str, Any]) -> Pin:
    """A pin of rows and columns as one of their first tokens."""

    def at(edges: Sequence[int], place: int | None) -> int | None:
        return edges[place] if edges and place is not None else place

    panel = next(panel for panel in panels if panel.kind == pin["kind"])
    return Pin(panel.kind, at(panel.query_edges, pin["query"]), at(panel.key_edges, pin["key"]))


_ROWS: dict[AttentionKind, TokenList] = {
    "encoder": "source_tokens",
    "decoder": "target_tokens",
    "cross": "output_tokens",
}
_COLUMNS: dict[AttentionKind, TokenList] = _ROWS | {"cross": "source_tokens"}


def panels(trace: Trace) -> list[AttentionPanel]:
    """Encoder self-, decoder self- and cross-attention.

    A row of self-attention is the word read; a row of cross-attention is the word being written,
    with the word read beside it.
    """
    return [_panel(trace, kind) for kind in trace.kinds]


def _panel(trace: Trace, kind: AttentionKind) -> AttentionPanel:
    rows, columns = (getattr(trace, tokens[kind]) for tokens in (_ROWS, _COLUMNS))
    return AttentionPanel(
        kind=kind,
        weights=trace.weights(kind),
        queries=rows,
        keys=columns,
        query_specials=_specials(rows),
        key_specials=_specials(columns),
        read=trace.target_tokens if kind == "cross" else (),
    )


def shown_panels(
    trace: Trace, *, whole: bool = False, shares: value_switch.Shares | None = None
) -> list[AttentionPanel]:
    """The panels as figures show them: between whole words; else between tokens, bytes of one character as one.

    `shares` (L, H, Q, K) by kind stand in place of the weights.
    """
    every = panels(trace)
    if shares is not None:
        every = [replace(panel, weights=shares[panel.kind]) for panel in every]
    return [_joined(trace, panel, whole) for panel in every]


def _joined(trace: Trace, panel: AttentionPanel, whole: bool) -> AttentionPanel:
    rows, columns = (trace.words(tokens[panel.kind], whole=whole) for tokens in (_ROWS, _COLUMNS))
    if (_texts(rows), _texts(columns)) == (panel.queries, panel.keys):
        return panel
    tokens_read = trace.words("target_tokens", whole=whole) if panel.read else ()
    read = tuple(next((word.text for word in tokens_read if row.start < word.end), "") for row in rows)
    return replace(
        panel,
        weights=joined(panel.weights, rows, columns),
        queries=_texts(rows),
        keys=_texts(columns),
        query_specials=tuple(panel.query_specials[word.start] for word in rows),
        key_specials=tuple(panel.key_specials[word.start] for word in columns),
        read=read if panel.read else (),
        query_edges=_edges(rows),
        key_edges=_edges(columns),
    )


def _texts(words_of_side: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.text for word in words_of_side)


def _edges(words_of_side: Sequence[Word]) -> tuple[int, ...]:
    return (*(word.start for word in words_of_side), words_of_side[-1].end)


def _specials(tokens: Iterable[str]) -> tuple[bool, ...]:
    return tuple(map(is_special, tokens))
