"""Forecasts of a series, cached for all sessions."""

from __future__ import annotations

import numpy as np

from model import transformer
from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.forecast import forecaster_job, forecasting, naive, prices
from model.forecast.naive import Comparison, Growth
from model.forecast.prices import WINDOW, Prices, Series
from pages.shared.models import models
from pages.shared.models.trainings import run_queue

Source = Entry | str  # a checkpoint, or the id of a run of the user's
AHEAD = 30  # days of a recursive forecast
EVERY = 10  # days between the starts of those whose error is averaged


@models.cached
def _read(text: str) -> tuple[Prices, Series]:
    table = prices.read_prices(text.splitlines()) if text else prices.load_prices()
    return table, prices.split_in_time(table, WINDOW)


def series_of(text: str) -> Series:
    return _read(text)[1]


def column_of(text: str) -> str:
    return _read(text)[0].column


@models.cached
def model_of(source: Source) -> transformer.Transformer:
    """A loaded forecaster; raises `InvalidInput` where its folder is damaged, or its run gone."""
    models.torch_of_one_thread()

    if isinstance(source, str):
        return forecaster_job.model_of(run_queue.jobs().result(source).moment())
    return checkpoints.load_model(source)


@models.cached(copy=True)
def one_step(source: Source, text: str) -> np.ndarray:
    """The forecasts of the held-out days."""
    return forecasting.one_step(model_of(source), series_of(text), WINDOW)


@models.cached
def comparison(source: Source, text: str) -> Comparison:
    """Errors beside those of the naive forecasts."""
    return naive.compare(series_of(text), one_step(source, text))


@models.cached(copy=True)
def attention(source: Source, text: str, day: int) -> np.ndarray:
    """The weights of the pass that forecasts a held-out day, (layers, H, L, L)."""
    return forecasting.attention(model_of(source), series_of(text), WINDOW, day)


@models.cached(copy=True)
def recursive(source: Source, text: str, day: int) -> np.ndarray:
    """Forecast returns from a held-out day on, each fed back, (AHEAD)."""
    series = series_of(text)
    return forecasting.recursive(model_of(source), series, WINDOW, AHEAD, [series.split + day])[0]


@models.cached
def growth(source: Source, text: str) -> Growth | None:
    """How the error grows; None where fewer days are held out than are looked ahead."""
    series = series_of(text)
    starts = list(range(series.split, len(series.returns) - AHEAD + 1, EVERY))
    if not starts:
        return None
    ahead = forecasting.recursive(model_of(source), series, WINDOW, AHEAD, starts)
    return naive.growth(series, ahead, starts)
