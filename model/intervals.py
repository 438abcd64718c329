"""A number measured over cases, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

LEVEL = 0.95
NORMAL = 1.96  # standard errors on either side of a mean: 95 % of a normal distribution
RESAMPLES = 1000
_TAILS = (0.025, 0.975)


class Estimate(NamedTuple):
    """A mean, and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def is_certain(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0

    def rounded(self) -> list[float]:
        """For a file."""
        return [round(value, 4) for value in self]


def wilson(hits: int, count: int) -> Estimate:
    """A share of `count` cases, at least one, and its interval by Wilson (1927), which holds where all are hits too."""
    mean, z = hits / count, NormalDist().inv_cdf((1 + LEVEL) / 2)
    middle = mean + z * z / (2 * count)
    half = z * sqrt(mean * (1 - mean) / count + (z / (2 * count)) ** 2)
    scale = 1 + z * z / count
    return Estimate(mean, max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale))


def normal(values: Sequence[float] | np.ndarray) -> Estimate:
    """The mean of N values and its interval as for many of them; the mean alone for a single one."""
    numbers = np.array(values, dtype=np.float64)
    reach = float(NORMAL * numbers.std(ddof=1) / np.sqrt(len(numbers))) if len(numbers) > 1 else 0.0
    mean = float(numbers.mean())
    return Estimate(mean, mean - reach, mean + reach)


def per_token(sums: Sequence[float], tokens: Sequence[int], seed: int) -> Estimate:
    """Σ sums / Σ tokens over N sentences; the interval by resampling sentences (bootstrap, percentiles)."""
    a, b = np.array(sums, dtype=np.float64), np.array(tokens, dtype=np.float64)
    rows = np.random.default_rng(seed).integers(len(a), size=(RESAMPLES, len(a)))
    low, high = np.quantile(a[rows].sum(1) / b[rows].sum(1), _TAILS)
    return Estimate(float(a.sum() / b.sum()), float(low), float(high))


def resampled(count: int, seed: int, score: Callable[[np.ndarray], float]) -> tuple[float, float]:
    """The ends of the interval of a score by resampling `count` cases; `score` is given the numbers of those drawn."""
    rng = np.random.default_rng(seed)
    low, high = np.quantile([score(rng.integers(count, size=count)) for _ in range(RESAMPLES)], _TAILS)
    return float(low), float(high)


def of_counts(counts: np.ndarray, rate: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """A rate of counts (N, …, counts) summed over N cases, and its interval by resampling them: (…, 3)."""
    drawn = np.random.default_rng(0).multinomial(len(counts), [1 / len(counts)] * len(counts), RESAMPLES)
    rates = rate(np.tensordot(drawn, counts, axes=(1, 0)).astype(np.float64))
    low, high = np.nanpercentile(rates, (2.5, 97.5), axis=0)
    return np.stack([rate(counts.sum(axis=0).astype(np.float64)), low, high], axis=-1)


@cache
def t_quantile(freedom: int) -> float:
    """Standard errors on either side that hold 95 % of Student's t with these degrees of freedom, at least one.

    With t = √freedom · tan(angle) the density becomes cos(angle)^(freedom − 1), summed here by trapezoids.
    """
    angles = np.linspace(0, np.pi / 2, 200_001)
    density = np.cos(angles).clip(0) ** (freedom - 1)
    area = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
    return float(sqrt(freedom) * np.tan(np.interp(LEVEL, area / area[-1], angles)))


def coefficient(outcome: np.ndarray, columns: np.ndarray, which: int = 0) -> Estimate:
    """A coefficient of least squares and its t interval: outcomes (N), columns (N, K) without linear dependence, K < N.

    With a column of ones alone this is the mean, with its usual interval.
    """
    inverse = np.linalg.inv(columns.T @ columns)
    weights = inverse @ columns.T @ outcome
    freedom = len(outcome) - columns.shape[1]
    error = sqrt(float(np.square(outcome - columns @ weights).sum()) / freedom * inverse[which, which])
    reach = t_quantile(freedom) * error
    return Estimate(float(weights[which]), float(weights[which] - reach), float(weights[which] + reach))
