"""State of a session: one instance of each dataclass that a module asks for, kept in `st.session_state`.

The dataclass stands in the module that uses it: `View` in `view.py`, `Uploads` in `pages/checkpoints/upload.py`.
"""

import threading
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.session.language_choice import spoken

T = TypeVar("T")


class _Run(threading.local):
    """What this thread has looked up for one session: a run asks a thousand times, and Streamlit takes its time.

    A thread of Streamlit draws one session: one run, and those that were asked for meanwhile.
    """

    context: object = None
    instances: dict[type, Any] = {}  # noqa: RUF012 (replaced with the context)


_run = _Run()


@dataclass
class Visit:
    """State that lasts until the user opens another page."""

    instances: dict[type, Any] = field(default_factory=dict)


def state(kind: type[T]) -> T:
    """This session's instance of a dataclass; the first call makes it from the defaults."""
    if spoken():
        raise RuntimeError("there is no session here: what is needed of it must be looked up before")
    if not _begun():
        return _looked_up(kind)
    if kind not in _run.instances:
        _run.instances[kind] = _looked_up(kind)
    instance: T = _run.instances[kind]
    return instance


def run_state(kind: type[T]) -> T:
    """An instance that lasts as long as the thread of this run; it is not found again after a lost connection."""
    instance: T = _run.instances.setdefault(kind, kind()) if _begun() else kind()
    return instance


def _begun() -> bool:
    """Whether this thread draws a session; forget what it has looked up for another one."""
    context = get_script_run_ctx(suppress_warning=True)
    if _run.context is not context:
        _run.context, _run.instances = context, {}
    return context is not None


def _looked_up(kind: type[T]) -> T:
    key = f"_{kind.__name__.lower()}"  # a page may have a control named view
    instance: T = st.session_state.setdefault(key, kind())
    return instance


def visit_state(kind: type[T]) -> T:
    """Like `state`, but a new instance for each visit to a page."""
    return state(Visit).instances.setdefault(kind, kind())


def begin_visit() -> None:
    """Drop what the visit to the page before has left."""
    state(Visit).instances.clear()
