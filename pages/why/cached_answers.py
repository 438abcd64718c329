"""Answers of the methods to a question, cached for all sessions."""

from __future__ import annotations

import numpy as np

from model.analysis import labels
from model.attribution import (
    attention_methods,
    gradients,
    leave_one_out,
    logit_parts,
    method_names,
    methods,
    told,
    why_question,
)
from pages.shared.models import models
from pages.shared.ui import head_picker
from pages.why.question_asked import AskedQuestion, Key, answer_names, question


@models.cached(beside=lambda key, method: method not in method_names.FROM_TRACE)
def values(key: Key, method: str) -> np.ndarray:
    """Attribution by a method to each word, (C)."""
    return methods.attribution(models.checkpoint(key.entry), question(key), method)


def of_head(subject: AskedQuestion, picked: head_picker.PickedHead) -> np.ndarray:
    """The weights of one head by word, (C)."""
    weights = attention_methods.head_weights(subject.question, picked.kind, picked.layer, picked.head)
    return why_question.by_word(subject.question, weights)


@models.cached
def score(key: Key) -> float:
    """The log-probability of the token, or how far it is above that of the alternative; in nats."""
    return told.score(question(key), labels.kind_of(key.entry.config))


@models.cached(beside="always")
def times_input(key: Key, scales: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Scores and gradients × input with all embeddings times each of the scales."""
    return gradients.times_input(models.checkpoint(key.entry), question(key), scales)


@models.cached(beside="always")
def without(key: Key, sets: tuple[leave_one_out.Lost, ...]) -> np.ndarray:
    """The score without each set of words, in nats."""
    return leave_one_out.scores_without(models.checkpoint(key.entry), question(key), sets)


@models.cached(beside="always")
def split(key: Key) -> logit_parts.Split:
    """The logit in its parts."""
    return logit_parts.split_logit(models.checkpoint(key.entry).model, question(key))


def of_head_part(subject: AskedQuestion, picked: head_picker.PickedHead) -> np.ndarray:
    """Part of the logit that a head adds, by the word that it read, (C)."""
    model = models.checkpoint(subject.current_run.entry).model
    by_token = logit_parts.split_head(model, subject.question, picked.kind, picked.layer, picked.head)
    return why_question.by_word(subject.question, by_token)


def can_split(subject: AskedQuestion) -> bool:
    """Whether the logit is a sum of parts in this model."""
    return logit_parts.can_split(models.checkpoint(subject.current_run.entry).model)


@models.cached(beside="always")
def instead(key: Key, place: int) -> str:
    """The token, or label, that the model would give without the word at `place`."""
    id_ = leave_one_out.likeliest_without(models.checkpoint(key.entry), question(key), place)
    return answer_names(key.entry, [id_])[0]


def compared(subject: AskedQuestion) -> list[int]:
    """The words by which the methods are compared: of a translation those of the source."""
    return leave_one_out.compared(subject.question)


def deletable(subject: AskedQuestion) -> int:
    """How many words the deletion curve deletes."""
    return len(leave_one_out.ordinary(subject.question))
