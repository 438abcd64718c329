"""The browser components, each registered once, and Python's side of their selections."""

import base64
import json
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from model.tokenization.tokenizer import is_chinese
from pages.shared.load.component_code import component
from pages.shared.models import current, spoken
from pages.shared.session import language_choice, script_run, view
from pages.shared.session.base_path import base
from pages.shared.text.words import all_texts, words
from viz.components.frontend import Frontend
from viz.components.js_bundle import bundle
from viz.palette import ORANGE, style_sheet
from viz.templates import render

TEMPLATE = "pages/shared/ui/components.html"
HERE = Path(__file__).parent / "frontend"
_pointings = count()
_copy_link = st.components.v2.component(
    "copy_link",
    html="<button></button><input readonly hidden>",
    css=style_sheet(HERE / "copy_link.css"),
    js=(HERE / "copy_link.js").read_text(encoding="utf-8"),
)
_contents = component(
    "contents",
    Frontend(
        '<details class="gf-menu"><summary></summary></details><nav class="gf-contents"></nav>',
        "",  # frame.css has it
        bundle("pages/shared/ui/frontend/contents.js", Path(__file__).parents[3]),
    ),
    isolate_styles=False,
)
_await_model = st.components.v2.component("await_model", js=(HERE / "await_model.js").read_text(encoding="utf-8"))
_come_back = st.components.v2.component("come_back", js=(HERE / "come_back.js").read_text(encoding="utf-8"))


def copy_link() -> None:
    """A button that copies the address of the view."""
    entry = current.entry()
    data = {"label": words("take.link"), "done": words("take.link_done"), "checkpoint": entry.name if entry else ""}
    _copy_link(data=data, key="copy_link")


def await_model() -> None:
    """Rerun the page when the model is loaded. The browser asks `/warm` (`warm_route`); no run of the page waits."""
    _await_model(key="await_model", on_warm_change=script_run.touch)


def come_back() -> None:
    """Rerun the whole page when the server answers again; `away.js` notices that and holds back clicks until then.

    Symptom: after a restart of the server, or after a laptop slept for more than two minutes, the next choice was lost.
    Cause: the server has forgotten the session and Streamlit draws nothing, so the server does not know the fragment
    that the choice belongs to.
    Test: `test_many_open_it_at_once_then_it_goes_and_comes_back` in `tests/house/test_cold.py`.
    """
    _come_back(key="come_back", on_back_change=script_run.touch)


def marked(sentence: str, unseen: Sequence[str]) -> None:
    """A sentence with the words that the model never saw underlined."""
    pattern = "|".join(map(_whole, sorted(unseen, key=len, reverse=True)))
    parts = re.split(f"({pattern})", sentence) if pattern else [sentence]
    st.html(spoken.mark(render(TEMPLATE, "sentence", parts=parts, unseen=unseen)))


def _whole(word: str) -> str:
    """A pattern of that word, not as a part of a longer one; Chinese has no spaces to tell."""
    return re.escape(word) if is_chinese(word) else rf"(?<!\w){re.escape(word)}(?!\w)"


def logo() -> None:
    """The mark and the name."""
    svg = base64.b64encode((HERE / "logo.svg").read_bytes()).decode()
    st.html(render(TEMPLATE, "logo", source=f"data:image/svg+xml;base64,{svg}"))


def origin(text: str) -> None:
    """Draw the page's model and sentence for paper alone (`print.css`)."""
    with st.container(key="origin"):
        st.html(render(TEMPLATE, "origin", text=text))


class Link(NamedTuple):
    """A line of the list of pages: path below the app's, title, and the parameters that only its link has."""

    path: str
    title: str
    own: Mapping[str, str]


class Section(NamedTuple):
    """A part of the list; the first one has no title."""

    name: str
    title: str
    pages: Sequence[Link]


def contents(here: str, label: str, common: Mapping[str, str], sections: Sequence[Section]) -> None:
    """Draw the list of pages, `here` the path of the one in view; on a phone the button `label` opens it.

    It is one element, because each message of a run takes 0.1 to 0.2 ms, and two dozen links took as many as a page.
    A click is to Streamlit as Back is: one run, of the page that the address names.
    """
    lines = [each._asdict() | {"pages": [link._asdict() for link in each.pages]} for each in sections]
    data = {"base": base(), "here": here, "label": label, "common": common, "sections": lines}
    _contents(data=json.dumps(data, ensure_ascii=False), key="contents")


def document_language(language: str) -> None:
    """Tell the browser which languages the page and its model speak, and which tokens the model reads and writes.

    Nothing a person typed is in the script: tokens stand in attributes, where they are escaped.
    """
    own = language_choice.language(language)
    attributes = {"lang": own.tag, "dir": own.direction}
    attributes |= {f"dataset.{side}": tag for side, tag in spoken.tags().items()}
    lines = ";".join(f"document.documentElement.{name} = '{tag}'" for name, tag in attributes.items())
    st.html(f"<script>{lines}</script>", unsafe_allow_javascript=True)
    sides = {side: sorted(words) for side, words in spoken.tokens().items()}
    st.html(render(TEMPLATE, "tokens", sides=sides))


def english_texts(texts: Collection[str]) -> None:
    """Tell `untranslated.js` which texts stand here in English, because the user's language lacks them."""
    if texts or not language_choice.language(view.language()).complete:
        st.html(render(TEMPLATE, "english", texts=sorted(texts)))


def untranslated() -> None:
    """The line that counts these texts, empty until the browser has filled in the number."""
    if not language_choice.language(view.language()).complete:
        st.html(render(TEMPLATE, "untranslated", text=all_texts(view.language())["frame.untranslated"]))


def keep_language(language: str) -> None:
    """Let the browser keep the language that the user chose, for a year, for addresses that name none."""
    cookie = f"{language_choice.COOKIE}={language}; Max-Age={language_choice.KEPT}; Path={base() or '/'}; SameSite=Lax"
    secure = "location.protocol === 'https:' ? '; Secure' : ''"
    st.html(f"<script>document.cookie = '{cookie}' + ({secure})</script>", unsafe_allow_javascript=True)


def outline(key: str) -> None:
    """Frame the container of that key."""
    look = f"outline: 2px solid {ORANGE}; outline-offset: 6px; border-radius: 10px;"
    st.html(f"<style>.st-key-{key} {{ {look} }}</style>")


def make_inert(key: str) -> None:
    """Take the container of that key from the mouse, the keyboard and screen readers; called inside it.

    Where the browser builds the container anew, it runs the script anew.
    """
    script = f"document.querySelectorAll('.st-key-{key}').forEach((box) => (box.inert = true))"
    st.html(f"<script>{script}</script>", unsafe_allow_javascript=True)


def point_at(key: str, nearest: bool = False) -> None:
    """Bring the container of that key to the top once it is drawn; the key is ours, never a person's text.

    `nearest` scrolls no further than until all of it can be seen, and not at all if it can.
    """
    script = (HERE / "point_at.js").read_text(encoding="utf-8")
    # the number makes each script another one: the browser runs none twice
    call = f"({script.rstrip().rstrip(';')})('.st-key-{key}', {str(nearest).lower()}, {next(_pointings)})"
    st.html(f"<script>{call}</script>", unsafe_allow_javascript=True)
