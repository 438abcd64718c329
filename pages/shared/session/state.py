"""State of a session: one instance of each dataclass that a module asks for, kept in `st.session_state`.

The dataclass stands in the module that uses it: `View` in `view.py`, `Uploads` in `pages/checkpoints/upload.py`.
"""

from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from pages.shared.session.languages import spoken

T = TypeVar("T")


@dataclass
class Visit:
    """State that lasts until the user opens another page."""

    instances: dict[type, Any] = field(default_factory=dict)


def state(kind: type[T]) -> T:
    """This session's instance of a dataclass; the first call makes it from the defaults."""
    if spoken():
        raise RuntimeError("there is no session here: what is needed of it must be looked up before")
    key = f"_{kind.__name__.lower()}"  # a page may have a control named view
    try:
        return st.session_state[key]  # one lookup, as a run makes hundreds
    except KeyError:
        return st.session_state.setdefault(key, kind())


def visit_state(kind: type[T]) -> T:
    """Like `state`, but a new instance for each visit to a page."""
    return state(Visit).instances.setdefault(kind, kind())


def begin_visit() -> None:
    """Drop what the visit to the page before has left."""
    state(Visit).instances.clear()
