"""The measuring itself: outputs for ordinary sentences are judged, and a rule for the doubtful ones is fitted.

N sentences, K signs of doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from corpora import ordinary
from corpora.ordinary import Ordinary
from model.checkpoint.checkpoints import Checkpoint
from model.decode.doubt import SIGNS, Rule, signs
from model.decode.translate import translate
from model.intervals import Estimate, resampled, wilson
from model.quality.ranking import area

SEED = 0
FALSE_ALARMS = 0.08  # share of the right outputs that a rule may mark where it is fitted
FOLDS, ROUNDS = 10, 3  # of cross-validation
SHRINKAGE = 1.0  # how strongly weights are drawn towards 0
MEAN = "surprise"  # the sign that is the negative mean log-probability


def measure(
    checkpoint: Checkpoint,
    sentences: Sequence[Ordinary],
    known: Sequence[str] = (),
    report: Callable[[int], None] = lambda count: None,
) -> dict[str, Any]:
    """How many of the `test` sentences come out right; and a rule fitted on `fit`, with what it marks of `test`.

    `by_mean` is what the mean log-probability alone does, with a threshold from the same share of false alarms.
    `words` are how many words of the list `known` occurred in training. `report` is told how many sentences are done.
    """
    values: dict[str, list[list[float]]] = {name: [] for name in ordinary.SETS}
    wrong: dict[str, list[bool]] = {name: [] for name in ordinary.SETS}
    for number, sentence in enumerate(sentences, 1):
        run = translate(checkpoint, sentence.source)
        values[sentence.set].append([signs(run)[name] for name in SIGNS])
        wrong[sentence.set].append(not ordinary.accepted(run.text, sentence.references))
        report(number)
    (fit, test), (fit_wrong, test_wrong) = (
        [np.array(each[name]) for name in ordinary.SETS] for each in (values, wrong)
    )
    results: dict[str, Any] = {
        "seed": SEED,
        "sentences": {"fit": len(fit), "test": len(test)},
        "right": wilson(int((~test_wrong).sum()), len(test)).rounded(),
        "words": sum(all(checkpoint.tokenizer.words_in(word).values()) for word in known),
        "word_list": len(known),
    }
    if fit_wrong.all() or not fit_wrong.any() or test_wrong.all() or not test_wrong.any():
        return results  # nothing to tell apart
    rule, by_mean = (fitted(fit, fit_wrong, of) for of in (SIGNS, (MEAN,)))
    return results | {
        "rule": {
            name: {"mean": round(mean, 6), "scale": round(scale, 6), "weight": round(weight, 6)}
            for name, (mean, scale, weight) in rule.signs.items()
        },
        "threshold": round(rule.threshold, 6),
        "marked": _marked(rule, test, test_wrong),
        "by_mean": _marked(by_mean, test, test_wrong),
    }


def _marked(rule: Rule, values: np.ndarray, wrong: np.ndarray) -> dict[str, Any]:
    """Shares of wrong and of right outputs that a rule marks, and the area under its curve, with their intervals."""
    scores = np.array([rule.score(dict(zip(SIGNS, row, strict=True))) for row in values.tolist()])
    marks = scores > rule.threshold
    low, high = resampled(len(scores), SEED, lambda rows: area(scores[rows], wrong[rows]))
    return {
        "wrong": wilson(int(marks[wrong].sum()), int(wrong.sum())).rounded(),
        "right": wilson(int(marks[~wrong].sum()), int((~wrong).sum())).rounded(),
        "area": Estimate(area(scores, wrong), low, high).rounded(),
    }


# the rule


def fitted(values: np.ndarray, wrong: np.ndarray, of: Sequence[str] = SIGNS) -> Rule:
    """The rule of some signs, for outputs (N) with the values (N, K) of all.

    Of right outputs that were held out in cross-validation it marks `FALSE_ALARMS` at most.
    """
    columns = values[:, [SIGNS.index(name) for name in of]]
    mean, scale = columns.mean(axis=0), _scale(columns)
    weights = logistic((columns - mean) / scale, wrong)
    right = np.sort(_held_out(columns, wrong)[~wrong])
    threshold = right[len(right) - 1 - int(FALSE_ALARMS * len(right))]
    rows = zip(mean.tolist(), scale.tolist(), weights.tolist(), strict=True)
    return Rule(dict(zip(of, rows, strict=True)), float(threshold))


def logistic(values: np.ndarray, wrong: np.ndarray, steps: int = 30) -> np.ndarray:
    """Weights (K) of a logistic regression of standardised signs (N, K), none below 0, by Newton's method.

    Wrong and right outputs count the same together, however many there are. The constant is left to the threshold.
    """
    used = np.ones(values.shape[1], dtype=bool)
    balance = np.where(wrong, 0.5 / wrong.mean(), 0.5 / (1 - wrong.mean()))
    while True:
        x = np.column_stack([values[:, used], np.ones(len(values))])
        shrinkage = np.diag([SHRINKAGE] * int(used.sum()) + [1e-6])
        w = np.zeros(x.shape[1])
        for _ in range(steps):
            p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
            gradient = x.T @ (balance * (p - wrong)) + shrinkage @ w
            w -= np.linalg.solve((x.T * (balance * p * (1 - p))) @ x + shrinkage, gradient)
        if (w[:-1] >= 0).all():
            weights = np.zeros(values.shape[1])
            weights[used] = w[:-1]
            return weights
        used[np.flatnonzero(used)[w[:-1].argmin()]] = False  # less doubt where there is more of a sign: chance


def _held_out(columns: np.ndarray, wrong: np.ndarray) -> np.ndarray:
    """The score (N) of each output by weights that were fitted without it, mean over the rounds."""
    total = np.zeros(len(wrong))
    for seed in range(ROUNDS):
        rng, fold = np.random.default_rng(SEED + seed), np.empty(len(wrong), dtype=int)
        for kind in (True, False):  # as many of each kind in every fold
            places = rng.permutation(np.flatnonzero(wrong == kind))
            fold[places] = np.arange(len(places)) % FOLDS
        for number in range(FOLDS):
            out = fold == number
            if not out.any() or wrong[~out].all() or not wrong[~out].any():
                continue
            mean, scale = columns[~out].mean(axis=0), _scale(columns[~out])
            total[out] += (columns[out] - mean) / scale @ logistic((columns[~out] - mean) / scale, wrong[~out])
    return total / ROUNDS


def _scale(columns: np.ndarray) -> np.ndarray:
    """The standard deviation of each sign; 1 of one that is the same everywhere, as the share of unseen characters."""
    deviations: np.ndarray = columns.std(axis=0)
    return np.where(deviations > 0, deviations, 1.0)
