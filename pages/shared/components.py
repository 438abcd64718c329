"""The browser components, each registered once, and Python's side of their selections."""

import base64
import html
import re
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path

import streamlit as st

from model.trace import AttentionKind
from pages.shared import view
from pages.shared.architecture import Door
from pages.shared.words import section, words
from viz.architecture import FRONTEND as ARCHITECTURE
from viz.attention import FRONTEND as ATTENTION
from viz.attention import AttentionPanel, View, attention_data

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


def attention(panels: list[AttentionPanel], *, view_: View, kind: AttentionKind, layer: int, head: int) -> None:
    """The attention figure; locking a head there changes the view."""

    def locked() -> None:
        selection = view.widget("attention").get("selection")
        if selection:
            view.choose(attention_kind=selection["kind"], layer=selection["layer"], head=selection["head"])

    data = attention_data(panels, view=view_, kind=kind, layer=layer, head=head, words=section("attention_figure"))
    _attention(data=data, key="attention", on_selection_change=locked)


def architecture(data: str, doors: Mapping[str, Door]) -> None:
    """The map of the model; a block that is a door opens its page."""

    result = _architecture(data=data, key="architecture", on_open_change=lambda: None)
    if result.open in doors:
        view.open_page(doors[result.open].page, **doors[result.open].choices)


def copy_link() -> None:
    """A button that copies the address of the view."""
    _copy_link(data={"label": words("take.link"), "done": words("take.link_done")}, key="copy_link")


def marked(sentence: str, unseen: Sequence[str]) -> None:
    """A sentence with the words that the model never saw underlined; everything typed is escaped."""
    pattern = "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in sorted(unseen, key=len, reverse=True))
    parts = re.split(f"({pattern})", sentence) if pattern else [sentence]
    drawn = (f"<u>{html.escape(part)}</u>" if part in unseen else html.escape(part) for part in parts)
    st.html(f'<p class="gf-sentence">{"".join(drawn)}</p>')


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


def keep_height(key: str, pixels: float) -> None:
    """Keep a place at least so high for the element of that key, so that nothing below it jumps."""
    st.html(f"<style>.st-key-{key} {{ min-height: {pixels:.0f}px; }}</style>")
