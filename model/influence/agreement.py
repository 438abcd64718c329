"""How well scores of training pairs foresee what training without some of them does: the linear datamodelling score.

Ilyas et al. 2022, Park et al. 2023 (section 3.1): the model is trained on random subsets of the pairs; of each word,
what the scores add up to over a subset is held against log p of the word there, by Spearman's ρ over the subsets.
W words, M subsets, S seeds, N training pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from model.edit.edit_effects import ranks
from model.intervals import RESAMPLES, Estimate

_ENDS = (0.025, 0.975)


class Drawn:
    """The sentences and the subsets that are drawn for intervals: all once (row 0), then with replacement.

    `sentences` says of each word the sentence that it stands in: words of one sentence are drawn together.
    """

    def __init__(self, sentences: Sequence[int], subsets: int, seed: int, count: int = RESAMPLES):
        rng = np.random.default_rng(seed)
        kinds = max(sentences) + 1
        drawn = rng.multinomial(kinds, np.full(kinds, 1 / kinds), count)[:, list(sentences)]
        self.words = np.concatenate([np.ones((1, len(sentences))), drawn])  # (1 + count, W)
        columns = rng.multinomial(subsets, np.full(subsets, 1 / subsets), count)
        self.subsets = np.concatenate([np.ones((1, subsets)), columns])  # (1 + count, M)

    def correlations(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """The mean over words of Spearman's ρ over subsets of (W, M) twice, for each draw: (1 + count).

        Ranks are those among all subsets. A word of which one side is constant counts as 0.
        """
        a, b = (np.stack([ranks(row) for row in each]) for each in (first, second))
        a, b = (each - each.mean(axis=1, keepdims=True) for each in (a, b))
        weights = self.subsets / self.subsets.sum(axis=1, keepdims=True)
        mean_a, mean_b = weights @ a.T, weights @ b.T  # (1 + count, W)
        spread = (weights @ (a * a).T - mean_a**2) * (weights @ (b * b).T - mean_b**2)
        covariance = weights @ (a * b).T - mean_a * mean_b
        rho = np.divide(covariance, np.sqrt(spread.clip(0)), out=np.zeros_like(covariance), where=spread > 1e-9)
        return (rho * self.words).sum(axis=1) / self.words.sum(axis=1)


def estimate(draws: np.ndarray) -> Estimate:
    """The first of the numbers, with the interval that the others give."""
    low, high = np.quantile(draws[1:], _ENDS)
    return Estimate(float(draws[0]), float(min(low, draws[0])), float(max(high, draws[0])))


def sums(scores: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """What scores (W, N) add up to over the pairs that each subset keeps, (M, N) of booleans: (W, M)."""
    return scores @ kept.T.astype(scores.dtype)


def ceiling(outputs: np.ndarray, drawn: Drawn) -> np.ndarray:
    """The ρ that perfect scores would reach against the mean over seeds, for each draw; outputs (S, W, M), S ≥ 2.

    r, the mean ρ of two seeds, is the share of one training that the pairs decide; of the mean of S it is
    S r / (1 + (S − 1) r) (Spearman and Brown 1910), and what is perfect correlates with that mean by its root.
    """
    seeds = len(outputs)
    pairs = [drawn.correlations(outputs[i], outputs[j]) for i, j in combinations(range(seeds), 2)]
    r = np.mean(pairs, axis=0).clip(0)
    return np.sqrt(seeds * r / (1 + (seeds - 1) * r))
