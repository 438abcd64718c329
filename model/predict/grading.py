"""Grades of answers to predictions, and how well the certainty of those who answer fits (calibration).

A question is its content as `Prediction.content` gives it, an answer the text of an option or a number of percent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from model.errors import InvalidInput
from model.predict.prediction import NEAR, PERCENT

Content = Mapping[str, Any]
CONFIDENCES = (0.25, 0.5, 0.75, 0.95)  # the stated probability of being right, of each step from 1 on


class Grade(NamedTuple):
    """Whether an answer is right, and of a slider how far it is from what was measured, in percentage points."""

    right: bool
    distance: float | None


def graded(question: Content, answer: str) -> Grade:
    """The grade of an answer. Raises `InvalidInput` for one that the question does not offer."""
    if answer not in answers(question):
        raise InvalidInput("class_option")
    if question["look"] != "percent":
        return Grade(answer == question["key"], None)
    distance = abs(int(answer) - float(question["key"]))
    return Grade(distance <= NEAR, round(distance, 2))


def answers(question: Content) -> list[str]:
    """All answers that a question offers."""
    if question["look"] == "percent":
        return [str(percent) for percent in range(PERCENT)]
    return [option for option, _ in question["options"]]


class Step(NamedTuple):
    """One step of confidence: what it states, how many answers had it, and the share of them that were right."""

    stated: float
    answers: int
    right: float


@dataclass(frozen=True)
class Calibration:
    """Of N answers with a confidence: each step that was used, the share right, the mean stated, and the Brier score.

    The Brier score is the mean of (stated − right)², right 0 or 1: 0 is best; always stating 0.5 gives 0.25.
    """

    count: int
    right: float
    stated: float
    brier: float
    steps: tuple[Step, ...]


def calibration(answers: Iterable[tuple[int, bool]]) -> Calibration | None:
    """The calibration of answers, each a step of confidence from 1 on and whether it is right; None without any."""
    given = [(sure, right) for sure, right in answers if 1 <= sure <= len(CONFIDENCES)]
    if not given:
        return None
    steps = []
    for number, stated in enumerate(CONFIDENCES, 1):
        of_step = [right for sure, right in given if sure == number]
        if of_step:
            steps.append(Step(stated, len(of_step), sum(of_step) / len(of_step)))
    count = len(given)
    brier = math.fsum((CONFIDENCES[sure - 1] - right) ** 2 for sure, right in given) / count
    stated = math.fsum(CONFIDENCES[sure - 1] for sure, _ in given) / count
    return Calibration(count, sum(right for _, right in given) / count, stated, brier, tuple(steps))
