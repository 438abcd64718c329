"""What the answers of a class to predictions say: each question, calibration, and misconceptions by name.

A question counts once it is closed: until then nobody sees what is right.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from model.predict import diagnosis, grading

Json = dict[str, Any]


class Given(NamedTuple):
    """An answer to a prediction; `posed` is the question's content as JSON."""

    student: int
    posed: str
    text: str
    right: bool
    sure: int


def of_question(posed: str, answers: Sequence[Any]) -> Json:
    """Of one closed question: the share right, the mean distance on a slider, and calibration."""
    question = json.loads(posed)
    grades = [grading.graded(question, answer.text) for answer in answers]
    distances = [grade.distance for grade in grades if grade.distance is not None]
    return {
        "right": sum(grade.right for grade in grades) / len(grades) if grades else None,
        "distance": round(sum(distances) / len(distances), 1) if distances else None,
        "calibration": _calibration((answer.sure, grade.right) for answer, grade in zip(answers, grades, strict=True)),
    }


@lru_cache(maxsize=64)
def of_class(given: tuple[Given, ...]) -> Json:
    """Of all closed questions: calibration, and each misconception that shows.

    `findings`: the name, how many answers could show it, how many did, whether the class has it, and how many students.
    """
    questions = {each.posed: json.loads(each.posed) for each in given}
    each_of: dict[int, list[tuple[Json, str, bool]]] = {}
    for answer in given:
        each_of.setdefault(answer.student, []).append((questions[answer.posed], answer.text, answer.right))
    named = [name for own in each_of.values() for name in diagnosis.named(own)]
    findings = diagnosis.of_class(answer for own in each_of.values() for answer in own)
    return {
        "answers": len(given),
        "calibration": _calibration((answer.sure, answer.right) for answer in given),
        "findings": [[*finding, named.count(finding.name)] for finding in findings if finding.shown],
    }


def _calibration(answers: Iterable[tuple[int, bool]]) -> Json | None:
    found = grading.calibration(answers)
    if found is None:
        return None
    return {"brier": round(found.brier, 3), "right": found.right, "stated": found.stated, "steps": list(found.steps)}
