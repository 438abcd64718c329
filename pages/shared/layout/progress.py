"""Work in parts: a long wait shows how far it is, and can be cancelled."""

import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

from pages.shared.load import fair_lock
from pages.shared.session import script_run, view
from pages.shared.text.words import words

LONG = 0.8  # seconds of work left that are worth a progress bar
R = TypeVar("R")


def computed(
    name: str,
    parts: Sequence[tuple],
    compute: Callable[..., R],
    then: Callable[[Mapping[tuple, R]], Sequence[tuple]] = lambda results: (),
) -> dict[tuple, R] | None:
    """Call `compute` for each part; None, with a way to go on, where the user has cancelled the work `name`.

    `compute` should keep its results: what was done before a cancellation is not done again. `then` is told the results
    when all parts are done, and says which further parts follow from them.
    """
    mark = str(zlib.crc32(name.encode()))
    if view.kept("stopped") == mark:
        st.text(words("progress.stopped"))
        st.button(words("progress.go_on"), key=script_run.own_key(f"go_on_{mark}"), on_click=_stop_at, args=(None,))
        return None
    results: dict[tuple, R] = {}
    bar_space = st.empty()
    start, bar = time.monotonic(), None
    todo = list(parts)
    while todo:
        fair_lock.let_others()
        part = todo.pop(0)
        results[part] = compute(*part)
        todo = todo or list(then(results))
        left = (time.monotonic() - start) / len(results) * len(todo)
        if bar is None and left > LONG:
            with bar_space.container():
                bar = st.progress(0.0)
                st.button(
                    words("progress.stop"), key=script_run.own_key(f"stop_{mark}"), on_click=_stop_at, args=(mark,)
                )
        if bar:
            done, count = len(results), len(results) + len(todo)
            bar.progress(done / count, words("progress.done", done=done, count=count))
            script_run.heed_clicks()
    bar_space.empty()
    return results


def _stop_at(mark: str | None) -> None:
    """Stop the work of that mark, or go on."""
    view.keep(stopped=mark)
    view.choose()
