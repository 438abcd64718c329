"""How well a signal tells wrong outputs from right ones: the area under the ROC curve, and its interval.

W wrong outputs, R right ones, N of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from model.intervals import LEVEL, RESAMPLES, Estimate

SEED = 0
WRONG_BELOW = 50.0  # chrF of an output that counts as wrong


class Ranked(NamedTuple):
    """The area of a signal, and by how much it is larger than that of another one on the same outputs."""

    area: Estimate
    beyond: Estimate


def comparisons(scores: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """Whether each wrong output has a larger score than each right one, (W, R): 1, 0, or one half where equal."""
    return (np.sign(scores[wrong][:, None] - scores[~wrong]) + 1) / 2


def area(scores: np.ndarray, wrong: np.ndarray) -> float:
    """Area under the curve: how often a wrong output has a larger score than a right one; half where they are equal."""
    if wrong.all() or not wrong.any():
        return float("nan")
    return float(comparisons(scores, wrong).mean())


def ranked(signals: Mapping[str, np.ndarray], wrong: np.ndarray, against: str) -> dict[str, Ranked]:
    """Each signal (N), the largest area first, beside the signal `against`; nothing where all are wrong or right.

    Intervals by resampling wrong and right outputs apart (stratified bootstrap, percentiles), the same for all signals.
    """
    bad, good = int(wrong.sum()), int((~wrong).sum())
    if not bad or not good:
        return {}
    rng = np.random.default_rng(SEED)
    rows, columns = (rng.multinomial(n, [1 / n] * n, RESAMPLES) for n in (bad, good))
    wins = {name: comparisons(scores, wrong) for name, scores in signals.items()}
    areas = {
        name: np.append(((rows @ each) * columns).sum(axis=1) / (bad * good), each.mean())
        for name, each in wins.items()
    }
    results = {name: Ranked(_estimate(each), _estimate(each - areas[against])) for name, each in areas.items()}
    return dict(sorted(results.items(), key=lambda each: -each[1].area.mean))


def _estimate(values: np.ndarray) -> Estimate:
    """Of resampled values, and behind them that of all outputs."""
    low, high = np.quantile(values[:-1], ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return Estimate(float(values[-1]), float(low), float(high))
