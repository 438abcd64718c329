"""Answers that take many passes: computed in parts, so that a large model shows its progress and can be stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from model.attribution import gradients, integration, leave_one_out, method_names, trust, why_question
from pages.shared.layout import progress
from pages.shared.models import models
from pages.why import cached_answers
from pages.why.question_asked import AskedQuestion


def values(subject: AskedQuestion, method: str) -> np.ndarray | None:
    """Attribution by a method to each word, (C); None where the user has cancelled."""
    if method == method_names.REFERENCE:
        scores = _single(subject)
        return None if scores is None else leave_one_out.falls(subject.question, scores)
    if method == "integrated":
        path = integrated(subject)
        return None if path is None else why_question.by_word(subject.question, path.reliable)
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


def integrated(subject: AskedQuestion) -> integration.Integrated | None:
    """Integrated gradients with their gap; None where the user has cancelled."""
    checkpoint = models.checkpoint(subject.current_run.entry)
    path = gradients.new_path(checkpoint)

    def wanted() -> list[tuple]:
        return [(batch,) for batch in gradients.batches(checkpoint, subject.question, path.wanted())]

    def then(results: Mapping[tuple, tuple[np.ndarray, np.ndarray]]) -> list[tuple]:
        for (batch,), (scores, products) in results.items():
            path.add(batch, scores, products)
        return wanted()

    results = progress.computed(
        _mark(subject, "integrated"), wanted(), lambda batch: cached_answers.times_input(subject.key, batch), then
    )
    return None if results is None else path.result()


def curves(subject: AskedQuestion, by_method: Mapping[str, np.ndarray]) -> dict[str, np.ndarray] | None:
    """The deletion curve of every method that has values, and of chance; None where the user has cancelled."""
    paths = trust.deletion_paths(subject.question, trust.with_values(by_method))
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
    size = gradients.at_once(models.checkpoint(subject.current_run.entry), subject.question)
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


def _mark(subject: AskedQuestion, name: str) -> str:
    """Names the work, to know which one was cancelled."""
    key = subject.key
    entry = f"{key.entry.name} {key.entry.fingerprint}"
    return f"why {name} {entry} {key.sentence} {key.row} {key.word} {key.rather} {key.whole}"
