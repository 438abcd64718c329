"""The browser components, each registered once, and Python's side of their selections."""

import base64
import html
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

import streamlit as st

from model.tokenizer import is_chinese
from model.trace import AttentionKind
from pages.shared import controls, view
from pages.shared.architecture import Door
from pages.shared.words import section, words
from viz.architecture import FRONTEND as ARCHITECTURE
from viz.attention import FRONTEND as ATTENTION
from viz.attention import KINDS, AttentionPanel, Link, Pin, View, attention_data

HERE = Path(__file__).parent / "frontend"
_pointings = count()

_attention = st.components.v2.component("attention", html=ATTENTION.html, css=ATTENTION.css, js=ATTENTION.js)
_architecture = st.components.v2.component(
    "architecture", html=ARCHITECTURE.html, css=ARCHITECTURE.css, js=ARCHITECTURE.js
)
_copy_link = st.components.v2.component(
    "copy_link",
    html="<button></button><input readonly hidden>",
    css=(HERE / "copy_link.css").read_text(encoding="utf-8"),
    js=(HERE / "copy_link.js").read_text(encoding="utf-8"),
)
_await_model = st.components.v2.component("await_model", js=(HERE / "await_model.js").read_text(encoding="utf-8"))
_come_back = st.components.v2.component("come_back", js=(HERE / "come_back.js").read_text(encoding="utf-8"))


def attention(
    panels: list[AttentionPanel],
    *,
    view_: View,
    kind: AttentionKind,
    layer: int,
    head: int,
    key: str = "attention",
    link: Link | None = None,
    pins: Sequence[str] = KINDS,
    on_lock: Callable[[AttentionKind, int, int], None] | None = None,
) -> None:
    """The attention figure; locking a head there changes the view, or calls `on_lock`.

    Of the word or cell that is locked in the large map the view knows where its kind is one of `pins`.
    """

    def locked() -> None:
        at = view.widget(key).get("selection")
        if at and on_lock:
            on_lock(at["kind"], at["layer"], at["head"])
        elif at:
            view.choose(attention_kind=at["kind"], layer=at["layer"], head=at["head"])

    def pinned() -> None:
        pin = view.widget(key).get("pin")
        if pin and pin["kind"] not in pins:
            return
        places = ["" if pin[part] is None else pin[part] for part in ("query", "key")] if pin else []
        view.choose(**{view.PIN: [pin["kind"], *places] if pin else None})

    data = attention_data(
        panels, view=view_, kind=kind, layer=layer, head=head, words=section("attention_figure"),
        pin=_pin(panels, pins), link=link,
    )  # fmt: skip
    _attention(data=data, key=key, on_selection_change=locked, on_pin_change=pinned)


def _pin(panels: Sequence[AttentionPanel], pins: Sequence[str]) -> Pin | None:
    """What the view locks in the large map: `cross,3,1` is a cell, `cross,3,` a row, `cross,,1` a column."""
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


def architecture(data: str, doors: Mapping[str, Door]) -> None:
    """The map of the model; a block that is a door opens its page."""

    result = _architecture(data=data, key="architecture", on_open_change=lambda: None)
    if result.open in doors:
        view.open_page(doors[result.open].page, **doors[result.open].choices)


def copy_link() -> None:
    """A button that copies the address of the view."""
    entry = view.entry()
    data = {"label": words("take.link"), "done": words("take.link_done"), "checkpoint": entry.name if entry else ""}
    _copy_link(data=data, key="copy_link")


def await_model() -> None:
    """Have the page drawn again when the model is there: the browser asks for it, see `warm_route`."""
    _await_model(key="await_model", on_warm_change=view.touch)


def come_back() -> None:
    """Have the page drawn again when the server answers again, see `away.js`."""
    _come_back(key="come_back", on_back_change=view.touch)


def marked(sentence: str, unseen: Sequence[str]) -> None:
    """A sentence with the words that the model never saw underlined; everything typed is escaped."""
    pattern = "|".join(map(_whole, sorted(unseen, key=len, reverse=True)))
    parts = re.split(f"({pattern})", sentence) if pattern else [sentence]
    drawn = (f"<u>{html.escape(part)}</u>" if part in unseen else html.escape(part) for part in parts)
    st.html(f'<p class="gf-sentence">{"".join(drawn)}</p>')


def _whole(word: str) -> str:
    """A pattern of that word, not as a part of a longer one; Chinese has no spaces to tell."""
    return re.escape(word) if is_chinese(word) else rf"(?<!\w){re.escape(word)}(?!\w)"


def logo() -> None:
    """The mark and the name."""
    svg = base64.b64encode((HERE / "logo.svg").read_bytes()).decode()
    mark = f'<img alt="" width="26" height="26" src="data:image/svg+xml;base64,{svg}">'
    st.html(f'<div class="gf-logo">{mark}Glassformer</div>')


def menu(page: str, label: str) -> None:
    """What opens the list of pages on a phone; another page closes it. Wider screens show the list and not this."""
    st.html(f'<details class="gf-menu" data-page="{page}"><summary>{html.escape(label)}</summary></details>')


def document_language(language: str) -> None:
    """Tell the browser which language the page is in; nothing a person typed is in this script."""
    tag = {"en": "en", "zh": "zh-CN"}[language]
    st.html(f"<script>document.documentElement.lang = '{tag}'</script>", unsafe_allow_javascript=True)


def outline(key: str) -> None:
    """Frame the container of that key."""
    look = "outline: 2px solid #c8551b; outline-offset: 6px; border-radius: 10px;"
    st.html(f"<style>.st-key-{key} {{ {look} }}</style>")


def point_at(key: str) -> None:
    """Bring the container of that key into view once it is drawn; the key is ours, never a person's text."""
    script = (HERE / "point_at.js").read_text(encoding="utf-8")
    # the number makes each script another one: the browser runs none twice
    call = f"({script.rstrip().rstrip(';')})('.st-key-{key}', {next(_pointings)})"
    st.html(f"<script>{call}</script>", unsafe_allow_javascript=True)
