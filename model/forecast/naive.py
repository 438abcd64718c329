"""Errors of a forecast beside those of the naive ones that it has to beat, and whether the difference is chance.

N days of returns; the forecasts are of the held-out ones, one step ahead.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from model.forecast.prices import Series

NAIVE: dict[str, Callable[[Series], np.ndarray]] = {
    "zero": lambda series: np.zeros(len(series.held_out)),  # the price stays
    "last value": lambda series: series.returns[series.split - 1 : -1],  # the return of the day before again
}


@dataclass(frozen=True)
class Errors:
    """Of forecast returns: mean square, its root, mean size, and the share of days whose sign was right.

    Days on which the forecast or the return is exactly 0 have no sign; direction is None if all are so.
    """

    mse: float
    rmse: float
    mae: float
    direction: float | None


@dataclass(frozen=True)
class Difference:
    """Mean of model error² − naive error², with the interval that holds it with probability `level`."""

    mean: float
    low: float
    high: float
    level: float

    @property
    def verdict(self) -> str:
        """`better`, `worse` or `undecided`: whether the model beats the naive forecast beyond chance."""
        return "better" if self.high < 0 else "worse" if self.low > 0 else "undecided"


@dataclass(frozen=True)
class Comparison:
    """The model's one-step errors on held-out days, each naive forecast's, and the differences to those."""

    model: Errors
    naive: dict[str, Errors]
    differences: dict[str, Difference]


def errors(forecast: np.ndarray, actual: np.ndarray) -> Errors:
    """Errors of forecast returns (days) against actual ones (days)."""
    differences = forecast - actual
    nonzero = (forecast != 0) & (actual != 0)
    direction = float(np.mean(np.sign(forecast[nonzero]) == np.sign(actual[nonzero]))) if nonzero.any() else None
    mse = float(np.mean(np.square(differences)))
    return Errors(mse, math.sqrt(mse), float(np.mean(np.abs(differences))), direction)


@dataclass(frozen=True)
class Growth:
    """How the error grows with the days ahead, K of them: root mean square errors of the log price, (K) each.

    model    of forecasts fed back
    stays    of "the price stays where it is"
    walk     σ√k, what the latter would be of independent days with the deviation σ of those learned from
    """

    model: np.ndarray
    stays: np.ndarray
    walk: np.ndarray
    starts: int  # forecasts that each error is a mean over


def growth(series: Series, ahead: np.ndarray, starts: Sequence[int]) -> Growth:
    """Of forecast returns (S, K), each row from its start on."""
    days = ahead.shape[1]
    actual = np.stack([series.returns[start : start + days] for start in starts]).cumsum(axis=1)  # (S, K)

    def error(differences: np.ndarray) -> np.ndarray:
        return np.sqrt(np.mean(np.square(differences), axis=0))

    walk = series.deviation * np.sqrt(np.arange(1, days + 1))
    return Growth(error(ahead.cumsum(axis=1) - actual), error(actual), walk, len(starts))


def compare(series: Series, forecast: np.ndarray, level: float = 0.95, seed: int = 0) -> Comparison:
    """Hold one-step forecasts of the held-out days (N − split) against the naive ones."""
    actual = series.held_out
    naive = {name: make(series) for name, make in NAIVE.items()}
    square = np.square(forecast - actual)
    differences = {
        name: block_bootstrap(square - np.square(other - actual), level=level, seed=seed)
        for name, other in naive.items()
    }
    return Comparison(
        errors(forecast, actual), {name: errors(other, actual) for name, other in naive.items()}, differences
    )


def block_bootstrap(
    differences: np.ndarray, *, block: int | None = None, draws: int = 2000, level: float = 0.95, seed: int = 0
) -> Difference:
    """Percentile interval for the mean of a time series, (days), by the circular block bootstrap.

    Blocks of days (Politis and Romano, 1992), by default ⌈2 · days^(1/3)⌉ long, are drawn with replacement
    and laid end to end, so that neighbouring days keep their dependence.
    """
    days = len(differences)
    length = min(days, block or math.ceil(2 * days ** (1 / 3)))
    starts = np.random.default_rng(seed).integers(days, size=(draws, math.ceil(days / length)))
    samples = (starts[..., None] + np.arange(length)).reshape(draws, -1)[:, :days] % days  # (draws, days)
    tail = (1 - level) / 2
    low, high = np.quantile(differences[samples].mean(axis=1), [tail, 1 - tail])
    return Difference(float(differences.mean()), float(low), float(high), level)
