"""The series and the forecaster in view, and what the one makes of the other; all of it cached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from model.checkpoint import catalogue
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.forecast import naive, prices
from model.forecast.naive import Comparison, Growth
from model.forecast.prices import WINDOW, Prices, Series
from pages.forecast import train, upload
from pages.shared.models import cache as models
from pages.shared.models import queue as run_queue
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls

if TYPE_CHECKING:
    from model.transformer import Transformer

Source = Entry | str  # a checkpoint, or the id of a run of the user's
SAMPLE = "forecast"  # the checkpoint's folder
AHEAD = 30  # days of a recursive forecast
EVERY = 10  # days between the starts of those whose error is averaged


@dataclass(frozen=True)
class ForecastState:
    """What the page shows. `text` is the user's own table, empty for the shipped prices.

    source     the forecaster, None where there is none to use
    forecast   one step ahead, (held-out days)
    """

    text: str
    column: str
    series: Series
    source: Source | None
    forecast: np.ndarray

    @property
    def days(self) -> list[str]:
        """The held-out days."""
        return [str(day) for day in self.series.dates[self.series.split :]]


def bench() -> ForecastState:
    """Draw the choice of the series and of the model, and give what they come to."""
    which = controls.choice("series", words("forecast.series"), section("forecast_series"), "shipped")
    text = upload.table() if which == "own" else ""
    series = _series(text)
    source = _source(text)
    forecast = np.zeros(0)
    if source is not None:
        try:
            forecast = one_step(source, text)
        except InvalidInput as error:
            notices.say("error", refusal(error))
            source = None
    return ForecastState(text, _column(text), series, source, forecast)


def _source(text: str) -> Source | None:
    """The user's own where they have trained one on this series, else the shipped one."""
    run = train.trained(text)
    if run and controls.choice("model", words("forecast.model"), section("forecast_models"), "own") == "own":
        return run
    return catalogue.entries().get(SAMPLE)


@st.cache_resource(max_entries=16, show_spinner=False)
def _read(text: str) -> tuple[Prices, Series]:
    found = prices.read_prices(text.splitlines()) if text else prices.load_prices()
    return found, prices.split_in_time(found, WINDOW)


def _series(text: str) -> Series:
    return _read(text)[1]


def _column(text: str) -> str:
    return _read(text)[0].column


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs=models.BY_CONTENT)
def model_of(source: Source) -> Transformer:
    """A loaded forecaster; raises `InvalidInput` where its folder is damaged, or its run gone."""
    torch_of_one_thread()
    from model.checkpoint import load as checkpoints
    from model.forecast import job as forecast_job

    if isinstance(source, str):
        return forecast_job.model_of(run_queue.jobs().result(source).moment())
    return checkpoints.load_model(source)


@cache
def torch_of_one_thread() -> None:
    """As everywhere on this server."""
    import torch

    torch.set_num_threads(1)


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def one_step(source: Source, text: str) -> np.ndarray:
    """The forecasts of the held-out days."""
    from model.forecast import model as forecast_model

    return forecast_model.one_step(model_of(source), _series(text), WINDOW)


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs=models.BY_CONTENT)
def comparison(source: Source, text: str) -> Comparison:
    """Errors beside those of the naive forecasts."""
    return naive.compare(_series(text), one_step(source, text))


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def attention(source: Source, text: str, day: int) -> np.ndarray:
    """The weights of the pass that forecasts a held-out day, (layers, H, L, L)."""
    from model.forecast import model as forecast_model

    return forecast_model.attention(model_of(source), _series(text), WINDOW, day)


@st.cache_data(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def recursive(source: Source, text: str, day: int) -> np.ndarray:
    """Forecast returns from a held-out day on, each fed back, (AHEAD)."""
    from model.forecast import model as forecast_model

    series = _series(text)
    return forecast_model.recursive(model_of(source), series, WINDOW, AHEAD, [series.split + day])[0]


@st.cache_data(max_entries=16, show_spinner=False, hash_funcs=models.BY_CONTENT)
def growth(source: Source, text: str) -> Growth | None:
    """How the error grows; None where fewer days are held out than are looked ahead."""
    from model.forecast import model as forecast_model

    series = _series(text)
    starts = list(range(series.split, len(series.returns) - AHEAD + 1, EVERY))
    if not starts:
        return None
    ahead = forecast_model.recursive(model_of(source), series, WINDOW, AHEAD, starts)
    return naive.growth(series, ahead, starts)
