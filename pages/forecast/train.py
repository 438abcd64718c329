"""The forecaster's training from the page: a run of the one queue, on the series in view."""

from __future__ import annotations

import hashlib

import streamlit as st

from model.errors import InvalidInput
from model.forecast import forecaster_job, prices
from model.jobs.types import OVER
from pages.shared.layout import page
from pages.shared.models.trainings import run_queue
from pages.shared.session import script_run, view
from pages.shared.session.user import user
from pages.shared.text import notices
from pages.shared.text.words import refusal, words
from pages.shared.ui import controls, show

_RUN, _OF = "run", "run_of"  # what this page keeps: the run's id, and which series it learns from
_RATES = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3)
_SESSION = "-forecast"  # after the user's name: the runs of /train are listed without these


def trained(text: str) -> str:
    """The id of the user's finished run on this series, empty without one."""
    run = view.kept(_RUN)
    if not run or view.kept(_OF) != _name(text):
        return ""
    try:
        return run if run_queue.jobs().progress(run, 10**9).moments else ""
    except InvalidInput:  # the server has forgotten it
        view.keep(**{_RUN: None})
        return ""


def form(text: str) -> None:
    """Draw the settings of a training, its button, and the run as it goes."""
    with page.card("figure_train", words("forecast_train.title")):
        show.text(words("forecast_train.hint"))
        with st.container(horizontal=True, vertical_alignment="bottom", key="train_form"):
            epochs = controls.slider("epochs", words("forecast_train.epochs"), 1, 20, 10)
            rate = controls.steps("rate", words("forecast_train.rate"), _RATES, 5e-4, lambda rate: f"{rate:g}")
            seed = controls.number("seed_run", words("forecast_train.seed"), 0, 99_999, 0)
        running = _running()
        with st.container(horizontal=True, key="train_row"):
            if st.button(words("forecast_train.start"), key="train_forecast", type="primary", disabled=bool(running)):
                error = _submit(text, epochs, rate, seed)
                if error is None:
                    script_run.rerun()
                notices.say("warning", refusal(error))
            if running:
                st.button(words("forecast_train.stop"), key="stop", on_click=run_queue.jobs().stop, args=(running,))
        if running:
            _watch(running)


def _submit(text: str, epochs: int, rate: float, seed: int) -> InvalidInput | None:
    """Queue a run, or say why not."""
    own = prices.read_prices(text.splitlines()) if text else None
    task = forecaster_job.ForecastTask(epochs=epochs, learning_rate=rate, seed=seed, prices=own)
    try:
        run = run_queue.jobs().submit(task, user() + _SESSION)
    except InvalidInput as error:
        return error
    view.keep(**{_RUN: run, _OF: _name(text)})
    view.choose(model=None)
    return None


def _running() -> str:
    """The id of a run that is not over yet; one that failed says so once."""
    run = view.kept(_RUN)
    if not run:
        return ""
    try:
        progress = run_queue.jobs().progress(run, 10**9)
    except InvalidInput:
        return ""
    if progress.ended is not None:
        notices.say("warning", refusal(progress.ended))
    return "" if progress.state in OVER else run


@st.fragment(run_every=1.0)
def _watch(run: str) -> None:
    """How far it is; the page is drawn anew when it is over."""
    progress = run_queue.jobs().progress(run)
    if progress.state in OVER:
        script_run.rerun()
    if not progress.reports:
        waits = words("forecast_train.waits", position=progress.position)
        st.progress(0.0, waits if progress.position else words("forecast_train.starts"))
        return
    last = progress.reports[-1]
    text = words(
        "forecast_train.goes",
        step=last.step,
        steps=last.steps,
        loss=f"{last.loss:.3f}",
        left=f"{last.seconds_left:.0f}",
    )
    st.progress(last.step / last.steps, text)


def _name(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
