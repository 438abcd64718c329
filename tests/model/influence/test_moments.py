"""The moments of a training: Adam's factors against its formula by hand, and what a step of it really does."""

from math import sqrt

import numpy as np
import pytest
import torch

from model.influence import gradients, retraining
from model.influence.moments import Moment
from model.influence.retraining import Change
from tests.model.influence.small import moments, tiny, words_of


def test_they_are_those_of_the_training_with_the_factors_of_adam(monkeypatch: pytest.MonkeyPatch) -> None:
    task = tiny()
    found = moments(task, 4, monkeypatch)
    assert [moment.step for moment in found] == [2, 4, 6, 8]
    run = retraining.trainer(task, Change(), task.settings.seed)
    _, second = run.settings.betas
    squares, rates, by_hand = torch.zeros(1), 0.0, []
    for update in run.updates():
        gradient = torch.cat([parameter.grad.flatten() for parameter in run.model.parameters()])  # after clipping
        squares = second * squares + (1 - second) * gradient**2
        rates += update.learning_rate * min(1.0, run.settings.clip / update.gradient_norm)
        if run.step % 2 == 0:
            by_hand.append(rates / ((squares / (1 - second**run.step)).sqrt() + run.settings.eps))
            rates = 0.0
    for moment, factors in zip(found, by_hand, strict=True):
        assert torch.allclose(moment.factors, factors, rtol=1e-3)
    for mine, theirs in zip(found[-1].model.parameters(), run.model.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    assert not torch.equal(next(found[0].model.parameters()), next(found[-1].model.parameters()))


def scaled(moment: Moment, examples: list, rows: list) -> torch.Tensor:
    """The gradients in all parameters, times the roots of the factors, (B, P)."""
    return gradients.gradients(moment.model, examples, rows) * moment.factors.sqrt()


def test_a_step_of_adam_on_a_pair_raises_the_word_by_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    task = tiny()
    moment, word, pair = moments(task, 2, monkeypatch)[0], words_of(task, 1)[2], task.examples[7]
    before = retraining.log_probabilities(moment.model, [word])[0]
    rate, [gradient] = 1e-3, gradients.gradients(moment.model, [pair], [None])
    of_pair, of_word = scaled(moment, [pair, word[:2]], [None, word.row])
    with torch.no_grad():
        parts = (moment.factors * gradient).split([parameter.numel() for parameter in moment.model.parameters()])
        for parameter, part in zip(moment.model.parameters(), parts, strict=True):
            parameter -= rate * part.view_as(parameter)
    risen = retraining.log_probabilities(moment.model, [word])[0] - before
    assert risen == pytest.approx(rate * float(of_pair @ of_word), rel=0.1)


def test_the_sketch_of_all_moments_keeps_the_sum_of_their_dot_products(monkeypatch: pytest.MonkeyPatch) -> None:
    task = tiny()
    all_moments, pairs, asked = (
        moments(task, 2, monkeypatch),
        list(task.examples[:20]),
        gradients.questions(words_of(task, 1)),
    )
    whole = [None] * len(pairs)
    found = gradients.along(all_moments, *asked) @ gradients.along(all_moments, pairs, whole).T  # (W, N)
    products, lengths = np.zeros(found.shape), np.zeros(found.shape)
    for moment in all_moments:
        of_words, of_pairs = (scaled(moment, *each).double() for each in (asked, (pairs, whole)))
        products += (of_words @ of_pairs.T).numpy()
        lengths += (of_words.norm(dim=1)[:, None] * of_pairs.norm(dim=1)).numpy()
    assert np.abs((found - products) / lengths).max() < 5 / sqrt(gradients.WIDTH)
    assert np.corrcoef(found.ravel(), products.ravel())[0, 1] > 0.9
