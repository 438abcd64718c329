"""A run of the queue that a page has started beside /train: its start, how far it is, and its end."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from model.errors import InvalidInput
from model.jobs.types import OVER, Progress, Task
from pages.shared.models.trainings import run_queue
from pages.shared.session import script_run, view
from pages.shared.session.user import user
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

_RUN = "run"  # what the page keeps: the id of the user's last run


def start(task: Task, page: str) -> bool:
    """Queue a run and keep it as the page's last one, or say why not. /train lists none with a page after the user."""
    try:
        view.keep(**{_RUN: run_queue.jobs().submit(task, f"{user()}-{page}")})
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return False
    return True


def last() -> Progress | None:
    """The user's last run on this page, without its reports; None without one that the server knows."""
    run = view.kept(_RUN)
    if not run:
        return None
    try:
        return run_queue.jobs().progress(run, run_queue.NO_REPORTS)
    except InvalidInput:  # the server has forgotten it
        view.keep(**{_RUN: None})
        return None


def is_running(run: Progress | None) -> bool:
    """Whether a run is not over yet; one that failed says so."""
    if run is not None and run.ended is not None:
        notices.say("warning", refusal(run.ended))
    return run is not None and run.state not in OVER


def stop_button(run: Progress) -> None:
    """A button that ends the run."""
    st.button(words("run.stop"), key="stop", on_click=run_queue.jobs().stop, args=(run.id,))


@st.fragment(run_every=1.0)
def watch(run: str, starts: str, goes: str, draw: Callable[[Progress], None] | None = None) -> None:
    """Draw how far it is, each second; the page is drawn anew when it is over.

    `starts` and `goes` are the keys of the texts before and after the first report, `draw` draws what else there is.
    """
    progress = run_queue.jobs().progress(run)
    if progress.state in OVER:
        script_run.rerun()
    if not progress.reports:
        st.progress(0.0, words("run.waits", position=progress.position) if progress.position else words(starts))
        return
    report = progress.reports[-1]
    numbers = {"loss": f"{report.loss:.3f}", "left": f"{report.seconds_left:.0f}"}
    st.progress(report.step / report.steps, words(goes, step=report.step, steps=report.steps, **numbers))
    if draw:
        draw(progress)
