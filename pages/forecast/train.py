"""The forecaster's training from the page: a run of the one queue, on the series in view."""

from __future__ import annotations

import hashlib

import streamlit as st

from model.forecast import forecaster_job, prices
from pages.shared.layout import page
from pages.shared.session import script_run, view
from pages.shared.text.words import words
from pages.shared.ui import controls, run_progress, show

_OF = "run_of"  # what this page keeps: which series the user's last run learns from
_RATES = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3)


def trained(text: str) -> str:
    """The id of the user's finished run on this series, empty without one."""
    run = run_progress.last()
    return run.id if run and run.moments and view.kept(_OF) == _name(text) else ""


def form(text: str) -> None:
    """Draw the settings of a training, its button, and the run as it goes."""
    with page.card("figure_train", words("forecast_train.title")):
        show.text(words("forecast_train.hint"))
        with st.container(horizontal=True, vertical_alignment="bottom", key="train_form"):
            epochs = controls.slider("epochs", words("forecast_train.epochs"), 1, 20, 10)
            rate = controls.steps("rate", words("forecast_train.rate"), _RATES, 5e-4, lambda rate: f"{rate:g}")
            seed = controls.number("seed_run", words("forecast_train.seed"), 0, 99_999, 0)
        run = run_progress.last()
        running = run_progress.is_running(run)
        with st.container(horizontal=True, key="train_row"):
            if st.button(words("forecast_train.start"), key="train_forecast", type="primary", disabled=running):
                _submit(text, epochs, rate, seed)
            if run and running:
                run_progress.stop_button(run)
        if run and running:
            run_progress.watch(run.id, "forecast_train.starts", "forecast_train.goes")


def _submit(text: str, epochs: int, rate: float, seed: int) -> None:
    """Queue a run, or say why not."""
    own = prices.read_prices(text.splitlines()) if text else None
    task = forecaster_job.ForecastTask(epochs=epochs, learning_rate=rate, seed=seed, prices=own)
    if run_progress.start(task, "forecast"):
        view.keep(**{_OF: _name(text)})
        view.choose(model=None)
        script_run.rerun()


def _name(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
