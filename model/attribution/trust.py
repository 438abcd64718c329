"""How far a method of attribution can be trusted: beside leave-one-out, by deleting what it names, over many sentences.

C words of a question, K of them ordinary words, M methods.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from model.attribution.leave_one_out import Lost, compared, ordinary, scores_without
from model.attribution.method_names import FEWEST, METHODS, RANDOM, REFERENCE, UNCERTAIN
from model.attribution.methods import attribution
from model.attribution.why_question import Question, asked_about
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.decode.recorded_pass import trace
from model.decode.translate import encode, translate
from model.edit.edit_effects import spearman
from model.errors import InvalidInput
from model.intervals import normal
from model.tokenization.tokenizer import SPECIALS

SHUFFLES = 8  # random orders, whose mean is the curve of chance


def agreement(values: np.ndarray, reference: np.ndarray, positions: Sequence[int]) -> float:
    """Spearman's rank correlation of two methods over the words at these positions; NaN with fewer than three."""
    return spearman(values[positions], reference[positions]) if len(positions) >= FEWEST else float("nan")


def deletion_curves(
    checkpoint: Checkpoint, question: Question, by_method: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The score after deleting the first 0 … K words of each method's order, (K + 1) in nats, and of chance.

    by_method holds values (C); the largest is deleted first. `<bos>` and `<eos>` stay. A lower curve is better: the
    words that it deletes first are those that the token needs.
    """
    paths = deletion_paths(question, by_method)
    sets = distinct(paths)
    return curves_of(paths, dict(zip(sets, scores_without(checkpoint, question, sets), strict=True)))


Paths = dict[str, list[list[Lost]]]  # by method, the sets of words that are deleted, in one order or several


def deletion_paths(question: Question, by_method: Mapping[str, np.ndarray]) -> Paths:
    """The sets that each method deletes, none of the words first."""
    words = ordinary(question)
    orders: dict[str, list[list[int]]] = {
        name: [sorted(words, key=lambda at, values=values: -np.nan_to_num(values[at]))]  # type: ignore[misc]
        for name, values in by_method.items()
    }
    orders[RANDOM] = [random.Random(seed).sample(words, len(words)) for seed in range(SHUFFLES)]
    return {name: [[tuple(sorted(order[:count])) for count in range(len(words) + 1)] for order in each]
            for name, each in orders.items()}  # fmt: skip


def distinct(paths: Paths) -> list[Lost]:
    """The sets of all paths, each once."""
    return list(dict.fromkeys(words for each in paths.values() for path in each for words in path))


def curves_of(paths: Paths, scores: Mapping[Lost, float]) -> dict[str, np.ndarray]:
    """Average the scores along each path into the curves of `deletion_curves`, from the score without each set."""
    curves = {
        name: np.mean([[scores[words] for words in path] for path in each], axis=0) for name, each in paths.items()
    }
    return {name: curve[: len(curve) - 1] if np.isnan(curve[-1]) else curve for name, curve in curves.items()}


def area(curve: np.ndarray) -> float:
    """The mean probability of the token while words are deleted, from a curve of log-probabilities: 0 is best."""
    return float(np.exp(curve[1:]).mean()) if len(curve) > 1 else float("nan")


@dataclass(frozen=True)
class Measured:
    """One question put to all methods: rank correlation, whether the first word is the same, area of the curve.

    A method without values is in none of them.
    """

    correlation: dict[str, float]
    first: dict[str, float]
    areas: dict[str, float]


def measure(checkpoint: Checkpoint, question: Question) -> Measured:
    """All methods on one question, beside leave-one-out."""
    values = with_values({method: attribution(checkpoint, question, method) for method in METHODS})
    curves, positions = deletion_curves(checkpoint, question, values), compared(question)
    return Measured(
        {method: agreement(each, values[REFERENCE], positions) for method, each in values.items()},
        {method: float(same_first(each, values[REFERENCE], positions)) for method, each in values.items()},
        {name: area(curve) for name, curve in curves.items()},
    )


def with_values(by_method: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The methods that have values for this question."""
    return {name: each for name, each in by_method.items() if name != UNCERTAIN or np.isfinite(each).all()}


def same_first(values: np.ndarray, reference: np.ndarray, positions: Sequence[int]) -> bool:
    """Whether both have their largest value at the same word, among those at these positions."""
    return bool(values[positions].argmax() == reference[positions].argmax())


def over_sentences(
    checkpoint: Checkpoint, sentences: Sequence[str], seed: int = 0, report: Callable[[int], None] = lambda count: None
) -> dict[str, Any]:
    """Each method over one output token of each sentence, drawn by the seed: means with 95 % intervals, for a card.

    A method that has no values for one of the questions is left out. `random` has the same of the same model with
    random weights of that seed, which is asked the same questions.
    """
    rng, results, of_twin = random.Random(seed), list[Measured](), list[Measured]()
    twin = replace(checkpoint, model=random_model(checkpoint.model.config, seed))
    for number, sentence in enumerate(sentences, 1):
        question = _drawn(checkpoint, sentence, rng)
        if question is not None:
            results.append(measure(checkpoint, question))
            of_twin.append(measure(twin, _put_to(twin, question)))
        report(number)
    return _means(results) | {"random": _means(of_twin) | {"seed": seed}}


def _put_to(checkpoint: Checkpoint, question: Question) -> Question:
    """The question about the same texts, as that model reads them."""
    run = question.run
    passed = trace(checkpoint.model, checkpoint.tokenizer, run.source, run.target)
    return replace(question, run=replace(run, trace=passed))


def _means(results: Sequence[Measured]) -> dict[str, Any]:
    names = [name for name in METHODS if all(name in each.first for each in results)]
    return {
        "words": len(results),
        "correlation": {name: _interval([each.correlation[name] for each in results]) for name in names},
        "first": {name: _interval([each.first[name] for each in results]) for name in names},
        "area": {name: _interval([each.areas[name] for each in results]) for name in (*names, RANDOM)},
    }


def _drawn(checkpoint: Checkpoint, sentence: str, rng: random.Random) -> Question | None:
    """One of the tokens that the model writes for a sentence; None where it has too little to ask about."""
    try:
        encode(checkpoint, sentence)
    except InvalidInput:
        return None
    run = translate(checkpoint, sentence)
    named = bool(checkpoint.model.config.labels)
    asked = [each for each in asked_about(checkpoint, run) if named or each[1] >= len(SPECIALS)]
    if not asked:
        return None
    question = Question(run, *rng.choice(asked))
    return question if len(ordinary(question)) >= FEWEST else None


def _interval(values: Sequence[float]) -> list[float]:
    """The mean of what is a number, and the ends of its 95 % interval."""
    numbers = np.array([value for value in values if np.isfinite(value)])
    if not len(numbers):
        return [0.0, 0.0, 0.0]
    return normal(numbers).rounded()
