"""A number measured over sentences, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 1000


class Estimate(NamedTuple):
    """A mean, and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float

    def rounded(self) -> list[float]:
        """For a file."""
        return [round(value, 4) for value in self]


def per_token(sums: Sequence[float], tokens: Sequence[int], seed: int) -> Estimate:
    """Σ sums / Σ tokens over N sentences; the interval by resampling sentences (bootstrap, percentiles)."""
    a, b = np.array(sums, dtype=np.float64), np.array(tokens, dtype=np.float64)
    rows = np.random.default_rng(seed).integers(len(a), size=(RESAMPLES, len(a)))
    low, high = np.quantile(a[rows].sum(1) / b[rows].sum(1), [0.025, 0.975])
    return Estimate(float(a.sum() / b.sum()), float(low), float(high))
