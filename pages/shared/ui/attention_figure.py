"""The attention figure, and Python's side of what is locked in it."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from model.tokenization.token_text import is_special
from model.trace import AttentionKind, Trace
from pages.shared.models import spoken
from pages.shared.session import view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from viz.data import KINDS, AttentionPanel, Link, Pin, View
from viz.figures.attention import AttentionFigure


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
    compact: bool = False,
    query: int | None = None,
    on_query: Callable[[int], None] | None = None,
    paused: bool = False,
    of_recording: bool = False,
    languages: Mapping[str, str] | None = None,
) -> AttentionFigure:
    """The attention figure, drawn. Locking a head changes the view, or calls `on_lock(kind, layer, head)` if given.

    A word or cell locked in the large map is stored in the view (`pin`) if its kind of attention is one of `pins`.
    With `query` it is this row that is locked, whatever the view says, and `on_query` gets another one.
    Of a recording it is not known which masks there were, and nothing is said about them.
    `languages` are those of another model than the one in view.
    `link` connects two figures, see `viz.data.Link`; `written` plays the output, or waits `paused` at its
    beginning, see `attention_data`.
    """

    def locked(at: dict[str, Any] | None) -> None:
        if at and on_lock:
            on_lock(at["kind"], at["layer"], at["head"])
        elif at:
            view.choose(attention_kind=at["kind"], layer=at["layer"], head=at["head"])

    def pinned(pin: dict[str, Any] | None) -> None:
        if query is not None:
            if pin and pin["query"] is not None and on_query:
                on_query(pin["query"])
            return
        if pin and pin["kind"] not in pins:
            return
        places = ["" if pin[part] is None else pin[part] for part in ("query", "key")] if pin else []
        view.choose(**{view.PIN: [pin["kind"], *places] if pin else None})

    # Locks are sent as triggers, and the link is their only state. Symptom with component state: a lock that a link had
    # set could not be released, because the browser had never set it. Tests: `tests/pages/attention/test_browser.py`
    figure = AttentionFigure(
        panels, style, kind=kind, layer=layer, head=head,
        words=section("attention_figure") | (section("attention_recorded") if of_recording else {}),
        pin=_pin(panels, pins) if query is None else Pin(kind, query, None), link=link,
        written=written, compact=compact, paused=paused, languages=spoken.tags() if languages is None else languages,
    )  # fmt: skip
    show.figure(key, figure, calls={"selection": locked, "pin": pinned})
    return figure


def files_below(figure: AttentionFigure) -> None:
    """The files of its head, with what attention does not prove."""
    with st.container(horizontal=True, vertical_alignment="center", key="below_attention"):
        show.caption(words("hint.cause"))
        export.files(f"{figure.kind}-layer{figure.layer}-head{figure.head}", figure, "")


def _pin(panels: Sequence[AttentionPanel], pins: Sequence[str]) -> Pin | None:
    """Pin that the view sets in the large map: `cross,3,1` is a cell, `cross,3,` a row, `cross,,1` a column."""
    text = view.setting(view.PIN)
    kind, *place = (text or "").split(",")
    panel = next((panel for panel in panels if panel.kind == kind), None)
    if kind in KINDS and kind not in pins:
        return None
    if panel and len(place) == 2 and any(place) and all(re.fullmatch(r"[0-9]{0,5}", part) for part in place):
        query, key = (int(part) if part else None for part in place)
        if (query or 0) < len(panel.queries) and (key or 0) < len(panel.keys):
            return Pin(panel.kind, query, key)
    if text is not None:
        controls.let_go(view.PIN, words("place.pin"), text)
    return None


def panels(trace: Trace) -> list[AttentionPanel]:
    """Encoder self-, decoder self- and cross-attention.

    A row of self-attention is the word read; a row of cross-attention is the word being written,
    with the word read beside it.
    """
    rows = {"encoder": trace.source_tokens, "decoder": trace.target_tokens, "cross": trace.output_tokens}
    columns = {"encoder": trace.source_tokens, "decoder": trace.target_tokens, "cross": trace.source_tokens}
    return [
        AttentionPanel(
            kind=kind,
            weights=trace.weights(kind),
            queries=rows[kind],
            keys=columns[kind],
            query_specials=_specials(rows[kind]),
            key_specials=_specials(columns[kind]),
            read=trace.target_tokens if kind == "cross" else (),
        )
        for kind in trace.kinds
    ]


def _specials(tokens: Iterable[str]) -> tuple[bool, ...]:
    return tuple(map(is_special, tokens))
