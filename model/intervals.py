"""A number measured over cases, with its 95 % interval."""

from __future__ import annotations

from functools import cache
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

LEVEL = 0.95


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
