"""The attention figure, and Python's side of what is locked in it."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from model.trace import TOKEN_LISTS, AttentionKind, Trace
from pages.shared.models import models, spoken
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.switches import value_switch, word_switch
from viz.data import KINDS, AttentionPanel, Look, Pin, sides
from viz.figures.attention import AttentionFigure


def attention(
    panels: list[AttentionPanel],
    look: Look,
    *,
    key: str = "attention",
    pins: Sequence[str] = KINDS,
    on_lock: Callable[[AttentionKind, int, int], None] | None = None,
    on_query: Callable[[int], None] | None = None,
    of_recording: bool = False,
    whole: bool = False,
    norms: bool = False,
    languages: Mapping[str, str] | None = None,
) -> AttentionFigure:
    """The attention figure, drawn. Locking a head changes the view, or calls `on_lock(kind, layer, head)` if given.

    A word or cell locked in the large map is stored in the view (`pin`) if its kind of attention is one of `pins`.
    With a pin in `look` it is this one that is locked, whatever the view says, and `on_query` gets another row. Both
    count tokens, also where rows and columns are several.
    Of a recording it is not known which masks there were, and nothing is said about them. `whole` says that the panels
    are between whole words, `norms` that they hold shares of norms in place of weights.
    `languages` are those of another model than the one in view.
    """

    def locked(at: dict[str, Any] | None) -> None:
        if at and on_lock:
            on_lock(at["kind"], at["layer"], at["head"])
        elif at:
            view.choose(attention_kind=at["kind"], layer=at["layer"], head=at["head"])

    def pinned(pin: dict[str, Any] | None) -> None:
        at = _in_tokens(panels, pin) if pin else None
        if look.pin:
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
        panels,
        replace(look, pin=_in_rows(panels, look.pin) if look.pin else _pin(panels, pins)),
        words=_figure_words(whole, of_recording, norms),
        languages=spoken.tags() if languages is None else languages,
        column=value_switch.COLUMN if norms else "weight",
    )
    show.figure(key, figure, calls={"selection": locked, "pin": pinned})
    return figure


def _figure_words(whole: bool, of_recording: bool, norms: bool) -> dict[str, str]:
    return (
        section("attention_figure")
        | (section("whole_words_figure") if whole else {})
        | (section("attention_recorded") if of_recording else {})
        | (section("norms_figure") if norms else {})
    )


def of_run(current_run: CurrentRun, look: Look) -> None:
    """The attention of a run as the switches below it ask for it, with its files and what they have changed."""
    whole, shares = word_switch.is_on(), value_switch.shares(current_run)
    figure = attention(
        shown_panels(current_run.trace, whole=whole, shares=shares), look, of_recording=current_run.is_recording,
        whole=whole, norms=shares is not None,
    )  # fmt: skip
    _files_below(figure, current_run)
    _explained(figure, current_run, whole=whole)


def _files_below(figure: AttentionFigure, current_run: CurrentRun) -> None:
    """The files of its head, with what attention does not prove and the switches for what it shows."""
    look = figure.look
    end = "-norms" if figure.column == value_switch.COLUMN else ""
    with st.container(horizontal=True, vertical_alignment="center", key="below_attention"):
        show.caption(words("hint.cause"))
        word_switch.draw()
        value_switch.draw(current_run)
        export.files(f"{look.kind}-layer{look.layer}-head{look.head}{end}", figure, "")


def _explained(figure: AttentionFigure, current_run: CurrentRun, *, whole: bool) -> None:
    """What the switches below a figure have changed in it, and where a second text begins."""
    kind = figure.look.kind
    if not current_run.is_recording and kind != "decoder":
        tokenizer = models.tokenizer(current_run.entry)
        at = tokenizer.second_text(tokenizer.encode(current_run.sentence))
        if at is not None:
            show.caption(words("frame.second_text", at=at, token=current_run.trace.source_tokens[at]))
    word_switch.explained(kind)
    value_switch.waits(current_run)
    if figure.column == value_switch.COLUMN:
        weights = {panel.kind: panel for panel in shown_panels(current_run.trace, whole=whole)}
        value_switch.explained(current_run.entry, weights[kind], figure.panels[kind])


def _pin(panels: Sequence[AttentionPanel], pins: Sequence[str]) -> Pin | None:
    """Pin that the view sets in the large map: `cross,3,1` is a cell, `cross,3,` a row, `cross,,1` a column."""
    text = view.setting(view.PIN)
    kind, *place = (text or "").split(",")
    panel = next((panel for panel in panels if panel.kind == kind), None)
    if kind in KINDS and kind not in pins:
        return None
    if panel and len(place) == 2 and any(place) and all(re.fullmatch(r"[0-9]{0,5}", part) for part in place):
        query, key = (int(part) if part else None for part in place)
        if (query or 0) < panel.query_edges[-1] and (key or 0) < panel.key_edges[-1]:
            return _in_rows(panels, Pin(panel.kind, query, key))
    if text is not None:
        controls.let_go(view.PIN, words("place.pin"), text)
    return None


def _in_rows(panels: Sequence[AttentionPanel], pin: Pin) -> Pin:
    """A pin of tokens as one of the rows and columns that they stand in."""

    def at(edges: Sequence[int], place: int | None) -> int | None:
        return None if place is None else bisect_right(edges, place) - 1

    panel = next(panel for panel in panels if panel.kind == pin.kind)
    return Pin(pin.kind, at(panel.query_edges, pin.query), at(panel.key_edges, pin.key))


def _in_tokens(panels: Sequence[AttentionPanel], pin: Mapping[str, Any]) -> Pin:
    """A pin of rows and columns as one of their first tokens."""

    def at(edges: Sequence[int], place: int | None) -> int | None:
        return None if place is None else edges[place]

    panel = next(panel for panel in panels if panel.kind == pin["kind"])
    return Pin(panel.kind, at(panel.query_edges, pin["query"]), at(panel.key_edges, pin["key"]))


def panels(trace: Trace) -> list[AttentionPanel]:
    """Encoder self-, decoder self- and cross-attention between tokens."""
    tokens = trace.source_tokens, trace.target_tokens, trace.output_tokens
    return [AttentionPanel.of_tokens(kind, trace.weights(kind), *sides(kind, *tokens)) for kind in trace.kinds]


def shown_panels(
    trace: Trace, *, whole: bool = False, shares: value_switch.Shares | None = None
) -> list[AttentionPanel]:
    """The panels as figures show them: between whole words; else between tokens, bytes of one character as one.

    `shares` (L, H, Q, K) by kind stand in place of the weights.
    """
    every = panels(trace)
    if shares is not None:
        every = [replace(panel, weights=shares[panel.kind]) for panel in every]
    texts = [trace.words(name, whole=whole) for name in TOKEN_LISTS]
    return [panel.between(*sides(panel.kind, *texts)) for panel in every]
