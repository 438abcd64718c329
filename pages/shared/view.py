"""What the reader is looking at: model, sentence, kind of attention, layer, head; mirrored in the URL.

The only module that touches `st.session_state` and `st.query_params`. A widget's own state goes when
its page is left, so the view is kept beside it and handed to the widget each time it is drawn.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from model import catalogue

LANGUAGES = {"en": "English", "zh": "中文"}
TEXT = ("language", "checkpoint", "sentence", "attention_kind")
NUMBERS = ("layer", "head")
KEYS = (*TEXT, *NUMBERS)


@dataclass
class View:
    """The reader's choices; None means the default of the model in use."""

    language: str | None = None
    checkpoint: str | None = None
    sentence: str | None = None
    attention_kind: str | None = None
    layer: int | None = None
    head: int | None = None
    notices: list[tuple[str, dict[str, object]]] = field(default_factory=list)  # said once, on this run
    written: dict[str, str] = field(default_factory=dict)  # what this session last put into the URL


def view() -> View:
    """This session's view."""
    if "view" not in st.session_state:
        st.session_state["view"] = View()
    return st.session_state["view"]


def language() -> str:
    """The reader's choice, or what their browser asks for first."""
    return view().language or _browser_language()


def read_address() -> None:
    """Take over what the URL says, where somebody other than this session wrote it."""
    current = view()
    current.notices.clear()
    asked = {key: st.query_params[key] for key in KEYS if key in st.query_params}
    for key, text in asked.items():
        if current.written.get(key) == text:
            continue
        if key in NUMBERS and not text.isdecimal():
            current.notices.append(("notice.number", {"field": key, "value": text[:40]}))
        elif key == "language" and text not in LANGUAGES:
            current.notices.append(("notice.language", {"value": text[:40]}))
        else:
            setattr(current, key, int(text) if key in NUMBERS else text)


def write_address() -> None:
    """Put what the reader chose into the URL; what they never touched is left out."""
    current = view()
    wanted = {key: str(value) for key in KEYS if (value := getattr(current, key)) is not None}
    current.written = wanted
    if {key: st.query_params.get(key) for key in KEYS} != {key: wanted.get(key) for key in KEYS}:
        st.query_params.from_dict(wanted)


def _browser_language() -> str:
    return "zh" if (st.context.locale or "").lower().startswith("zh") else "en"


def bound(key: str, value: object, changed: Callable[[], None] | None = None) -> dict[str, Any]:
    """Arguments that tie a widget to the view: `st.selectbox(label, options, **bound("layer", 0))`."""
    st.session_state[key] = value

    def take() -> None:
        setattr(view(), key, st.session_state[key])
        if changed:
            changed()

    return {"key": key, "on_change": take}


def choose(**choices: object) -> None:
    """Set choices from code: an example clicked, a head locked in a figure."""
    for key, value in choices.items():
        setattr(view(), key, value)


def forget_place() -> None:
    """Back to the defaults of a newly chosen model."""
    choose(attention_kind=None, layer=None, head=None)


def entry() -> catalogue.Entry | None:
    """The checkpoint in view; an unknown one falls back to the first, and says so."""
    known = catalogue.entries()
    if not known:
        return None
    asked = view().checkpoint
    if asked is not None and asked not in known:
        view().notices.append(("notice.checkpoint", {"value": asked[:40], "used": next(iter(known))}))
        view().checkpoint = None
    return known[view().checkpoint or next(iter(known))]


def widget(key: str):
    """The value that a widget or component sent with this run."""
    return st.session_state[key]
