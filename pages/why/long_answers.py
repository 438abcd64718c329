"""Answers that take many passes: computed in parts, so that a large model shows its progress and can be stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from model.attribution import gradients, leave_one_out, method_names, trust, why_question
from pages.shared.layout import progress
from pages.shared.models import models
from pages.why import cached_answers
from pages.why.question_asked import AskedQuestion

AT_ONCE = 400  # tokens in a part


def values(asked: AskedQuestion, method: str) -> np.ndarray | None:
    """Attribution by a method to each word, (C); None where the user has cancelled."""
    if method == method_names.REFERENCE:
        scores = _scores(asked, method, leave_one_out.single_words(asked.question))
        return None if scores is None else leave_one_out.falls(asked.question, scores)
    if method == "integrated":
        path = integrated(asked)
        return None if path is None else why_question.by_word(asked.question, path.values)
    return cached_answers.values(*asked.key, method)


def all_values(asked: AskedQuestion) -> dict[str, np.ndarray] | None:
    """Attribution by every method to each word; None where the user has cancelled."""
    by_method: dict[str, np.ndarray] = {}
    for method in method_names.METHODS:
        found = values(asked, method)
        if found is None:
            return None
        by_method[method] = found
    return by_method


def integrated(asked: AskedQuestion) -> gradients.Integrated | None:
    """Integrated gradients with their gap; None where the user has cancelled."""
    checkpoint = models.checkpoint(asked.current_run.entry)
    points, size = gradients.points_of(checkpoint), _at_once(asked)
    found = progress.computed(
        _mark(asked, "integrated"),
        [(points, start, start + size) for start in range(0, points, size)],
        lambda *part: cached_answers.along_path(*asked.key, *part),
    )
    return None if found is None else gradients.integrated_of(checkpoint, asked.question, list(found.values()))


def curves(asked: AskedQuestion, by_method: Mapping[str, np.ndarray]) -> dict[str, np.ndarray] | None:
    """The deletion curve of every method, and of chance; None where the user has cancelled."""
    paths = trust.deletion_paths(asked.question, by_method)
    scores = _scores(asked, "curves", trust.distinct(paths))
    return None if scores is None else trust.curves_of(paths, scores)


def _scores(
    asked: AskedQuestion, name: str, sets: Sequence[leave_one_out.Lost]
) -> dict[leave_one_out.Lost, float] | None:
    """The score without each set of words."""
    size = _at_once(asked)
    found = progress.computed(
        _mark(asked, name),
        [(tuple(sets[start : start + size]),) for start in range(0, len(sets), size)],
        lambda part: cached_answers.without(*asked.key, part),
    )
    if found is None:
        return None
    return {lost: float(score) for (part,), scores in found.items() for lost, score in zip(part, scores, strict=True)}


def _at_once(asked: AskedQuestion) -> int:
    """Passes in a part."""
    return max(1, AT_ONCE // (len(asked.question.source) + len(asked.question.target)))


def _mark(asked: AskedQuestion, name: str) -> str:
    """Names the work, to know which one was cancelled."""
    entry, typed, row, rather = asked.key
    return f"why {name} {entry.name} {entry.fingerprint} {typed} {row} {rather}"
