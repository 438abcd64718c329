"""Answers that take many passes: computed in parts, so that a large model shows its progress and can be stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from model.attribution import gradients, leave_one_out, method_names, trust, why_question
from pages.shared.layout import progress
from pages.shared.models import models
from pages.why import cached_answers
from pages.why.question_asked import AskedQuestion

AT_ONCE, FEW_AT_ONCE = 1_500, 400  # tokens in a part, and of a large model


def values(subject: AskedQuestion, method: str) -> np.ndarray | None:
    """Attribution by a method to each word, (C); None where the user has cancelled."""
    if method == method_names.REFERENCE:
        scores = _single(subject)
        return None if scores is None else leave_one_out.falls(subject.question, scores)
    if method == "gradient":
        return why_question.by_word(subject.question, cached_answers.ends(subject.key).gradient)
    if method == "integrated":
        path = integrated(subject)
        return None if path is None else why_question.by_word(subject.question, path.values)
    return cached_answers.values(subject.key, method)


def all_values(subject: AskedQuestion) -> dict[str, np.ndarray] | None:
    """Attribution by every method to each word; None where the user has cancelled."""
    by_method: dict[str, np.ndarray] = {}
    for method in method_names.METHODS:
        attribution = values(subject, method)
        if attribution is None:
            return None
        by_method[method] = attribution
    return by_method


def integrated(subject: AskedQuestion) -> gradients.Integrated | None:
    """Integrated gradients with their gap; None where the user has cancelled."""
    checkpoint = models.checkpoint(subject.current_run.entry)
    points, size = gradients.points_of(checkpoint), _at_once(subject)
    parts = progress.computed(
        _mark(subject, "integrated"),
        [(points, start, start + size) for start in range(0, points, size)],
        lambda *part: cached_answers.along_path(subject.key, *part),
    )
    return None if parts is None else gradients.integrated_of(cached_answers.ends(subject.key), list(parts.values()))


def curves(subject: AskedQuestion, by_method: Mapping[str, np.ndarray]) -> dict[str, np.ndarray] | None:
    """The deletion curve of every method, and of chance; None where the user has cancelled."""
    paths = trust.deletion_paths(subject.question, by_method)
    known = _single(subject)
    if known is None:
        return None
    rest = _scores(subject, "curves", [each for each in trust.distinct(paths) if each not in known])
    return None if rest is None else trust.curves_of(paths, known | rest)


def _single(subject: AskedQuestion) -> dict[leave_one_out.Lost, float] | None:
    """The score without each word."""
    return _scores(subject, method_names.REFERENCE, leave_one_out.single_words(subject.question))


def _scores(
    subject: AskedQuestion, name: str, sets: Sequence[leave_one_out.Lost]
) -> dict[leave_one_out.Lost, float] | None:
    """The score without each set of words."""
    size = _at_once(subject)
    results = progress.computed(
        _mark(subject, name),
        [(tuple(sets[start : start + size]),) for start in range(0, len(sets), size)],
        lambda part: cached_answers.without(subject.key, part),
    )
    if results is None:
        return None
    return {
        words: float(score) for (part,), scores in results.items() for words, score in zip(part, scores, strict=True)
    }


def _at_once(subject: AskedQuestion) -> int:
    """Passes in a part."""
    large = gradients.is_large(models.checkpoint(subject.current_run.entry))
    tokens = len(subject.question.source) + len(subject.question.target)
    return max(1, (FEW_AT_ONCE if large else AT_ONCE) // tokens)


def _mark(subject: AskedQuestion, name: str) -> str:
    """Names the work, to know which one was cancelled."""
    key = subject.key
    entry = f"{key.entry.name} {key.entry.fingerprint}"
    return f"why {name} {entry} {key.sentence} {key.row} {key.word} {key.rather} {key.whole}"
