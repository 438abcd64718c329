"""The series and the forecaster in view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.forecast.prices import Series
from pages.forecast import train, upload
from pages.forecast.cached_forecasts import Source, column_of, one_step, series_of
from pages.shared.text import notices
from pages.shared.text.words import refusal, section, words
from pages.shared.ui import controls

SAMPLE = "forecast"  # the checkpoint's folder


@dataclass(frozen=True)
class ForecastState:
    """State of the page. `text` is the user's own table, empty for the shipped prices.

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
    series = series_of(text)
    source = _source(text)
    forecast = np.zeros(0)
    if source is not None:
        try:
            forecast = one_step(source, text)
        except InvalidInput as error:
            notices.say("error", refusal(error))
            source = None
    return ForecastState(text, column_of(text), series, source, forecast)


def _source(text: str) -> Source | None:
    """The user's own where they have trained one on this series, else the shipped one."""
    run = train.trained(text)
    if run and controls.choice("model", words("forecast.model"), section("forecast_models"), "own") == "own":
        return run
    return catalogue.entries().get(SAMPLE)
