"""The series and the forecaster in view, and what the one makes of the other; all of it cached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model import transformer
from model.checkpoint import catalogue, load
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.forecast import job, naive, prices
from model.forecast import model as forecast_model
from model.forecast.naive import Comparison, Growth
from model.forecast.prices import WINDOW, Prices, Series
from pages.forecast import train, upload
from pages.shared.models import cache as models
from pages.shared.models.trainings import queue as run_queue
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls

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


def read() -> ForecastState:
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


@models.cached(16)
def _read(text: str) -> tuple[Prices, Series]:
    table = prices.read_prices(text.splitlines()) if text else prices.load_prices()
    return table, prices.split_in_time(table, WINDOW)


def _series(text: str) -> Series:
    return _read(text)[1]


def _column(text: str) -> str:
    return _read(text)[0].column


@models.cached(16)
def model_of(source: Source) -> transformer.Transformer:
    """A loaded forecaster; raises `InvalidInput` where its folder is damaged, or its run gone."""
    models.torch_of_one_thread()

    if isinstance(source, str):
        return job.model_of(run_queue.jobs().result(source).moment())
    return load.load_model(source)


@models.copied(32)
def one_step(source: Source, text: str) -> np.ndarray:
    """The forecasts of the held-out days."""
    return forecast_model.one_step(model_of(source), _series(text), WINDOW)


@models.copied(32)
def comparison(source: Source, text: str) -> Comparison:
    """Errors beside those of the naive forecasts."""
    return naive.compare(_series(text), one_step(source, text))


@models.copied(64)
def attention(source: Source, text: str, day: int) -> np.ndarray:
    """The weights of the pass that forecasts a held-out day, (layers, H, L, L)."""
    return forecast_model.attention(model_of(source), _series(text), WINDOW, day)


@models.copied(64)
def recursive(source: Source, text: str, day: int) -> np.ndarray:
    """Forecast returns from a held-out day on, each fed back, (AHEAD)."""
    series = _series(text)
    return forecast_model.recursive(model_of(source), series, WINDOW, AHEAD, [series.split + day])[0]


@models.copied(16)
def growth(source: Source, text: str) -> Growth | None:
    """How the error grows; None where fewer days are held out than are looked ahead."""
    series = _series(text)
    starts = list(range(series.split, len(series.returns) - AHEAD + 1, EVERY))
    if not starts:
        return None
    ahead = forecast_model.recursive(model_of(source), series, WINDOW, AHEAD, starts)
    return naive.growth(series, ahead, starts)
