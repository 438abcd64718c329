"""Checks of a question before it is put to a class, and the grade of an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence

from classroom import limits
from classroom.texts import clean, storable
from model.errors import InvalidInput

PREDICT = "predict"  # the kind of a question that asks for a prediction
Options = list[tuple[str, str]]


def checked(kind: str, question: str, options: Sequence[tuple[str, str]]) -> tuple[str, Options]:
    """The question and its options as they are kept. Raises `InvalidInput` for what no class can be asked."""
    question = clean(question)
    tidy = storable if kind in ("quiz", PREDICT) else clean  # tokens stay as the model has them
    kept = [(tidy(answer), tidy(text)) for answer, text in options]
    kept = [option for option in kept if option[1]] if kind == "choice" else kept
    texts = [text for _, text in kept]
    if not question:
        raise InvalidInput("class_question")
    if len(question) > limits.QUESTION or any(len(text) > limits.OPTION for text in texts):
        raise InvalidInput("class_long", limit=limits.QUESTION if len(question) > limits.QUESTION else limits.OPTION)
    most = limits.WORDS if kind == PREDICT else limits.OPTIONS
    if len(kept) > most or (kind == "choice" and len(set(texts)) < 2):
        raise InvalidInput("class_options", limit=most)
    return question, kept


def graded(posed: str, text: str, sure: int) -> bool:
    """Whether an answer to a prediction is right; `posed` is its content as JSON.

    Raises `InvalidInput` for one that is not offered.
    """
    from model.predict import grading

    if not 1 <= sure <= len(grading.CONFIDENCES):
        raise InvalidInput("class_sure")
    return grading.graded(json.loads(posed), text).right
