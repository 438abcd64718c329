"""The linear datamodelling score where it is known: of perfect scores, of noise, and the ceiling of noisy trainings."""

import numpy as np
import pytest

from model.edit.edit_effects import spearman
from model.influence import agreement


def case(noise: float, words: int = 60, subsets: int = 200, pairs: int = 80) -> tuple[np.ndarray, ...]:
    """Scores (W, N), subsets (M, N), and outputs of 3 seeds (S, W, M): what the scores add up to, with noise."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(words, pairs))
    kept = rng.random((subsets, pairs)) < 0.5
    signal = scores @ kept.T
    signal = (signal - signal.mean(axis=1, keepdims=True)) / signal.std(axis=1, keepdims=True)
    return scores, kept, signal + noise * rng.normal(size=(3, words, subsets))


def test_perfect_scores_have_one_and_others_none() -> None:
    scores, kept, outputs = case(0.0)
    drawn = agreement.Drawn(range(len(scores)), len(kept), 0, 200)
    perfect = agreement.estimate(drawn.correlations(agreement.sums(scores, kept), outputs.mean(axis=0)))
    assert perfect.mean == pytest.approx(1)
    other = np.random.default_rng(1).normal(size=scores.shape)
    chance = agreement.estimate(drawn.correlations(agreement.sums(other, kept), outputs.mean(axis=0)))
    assert chance.low < 0 < chance.high
    assert abs(chance.mean) < 0.05


def test_it_is_the_mean_rank_correlation_over_words() -> None:
    scores, kept, outputs = case(2.0, words=5, subsets=30)
    drawn = agreement.Drawn(range(5), 30, 0, 10)
    first, second = agreement.sums(scores, kept), outputs.mean(axis=0)
    expected = np.mean([spearman(*rows) for rows in zip(first, second, strict=True)])
    assert drawn.correlations(first, second)[0] == pytest.approx(expected)
    constant = np.vstack([np.zeros(30), first[1:]])
    rest = np.sum([spearman(*rows) for rows in zip(first[1:], second[1:], strict=True)]) / 5
    assert drawn.correlations(constant, second)[0] == pytest.approx(rest)


@pytest.mark.parametrize("noise", [0.5, 1.0, 2.0])
def test_perfect_scores_reach_the_ceiling_of_the_noise(noise: float) -> None:
    scores, kept, outputs = case(noise)
    drawn = agreement.Drawn(range(len(scores)), len(kept), 0, 50)
    reached = drawn.correlations(agreement.sums(scores, kept), outputs.mean(axis=0))[0]
    assert agreement.ceiling(outputs, drawn)[0] == pytest.approx(reached, abs=0.03)


def test_words_of_one_sentence_are_drawn_together() -> None:
    drawn = agreement.Drawn([0, 0, 1, 2], 6, 0, 20)
    assert (drawn.words[:, 0] == drawn.words[:, 1]).all()
    assert (drawn.words[1:, 0] != drawn.words[1:, 2]).any()
    assert (drawn.subsets.sum(axis=1) == 6).all()
