"""The user's own predictions, kept in their notes: answers with how sure they were."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from model.predict import diagnosis, grading
from pages.shared.classroom.predictions import name_of
from pages.shared.session.user_notes import note, noted

MOST = 100  # that are kept
_NOTE = "predictions"
_KEPT = ("question", "look", "key", "options", "shows")  # what grades and misconceptions need
Json = dict[str, Any]


@dataclass(frozen=True)
class Predicted:
    """One prediction: its question, the answer, and how sure it was, from 1 to 4."""

    name: str
    question: Json
    answer: str
    sure: int

    @property
    def grade(self) -> grading.Grade:
        """Whether it is right, and of a slider how far it is off."""
        return grading.graded(self.question, self.answer)


def every() -> list[Predicted]:
    """All of them, in their order."""
    return [Predicted(**each) for each in json.loads(noted(_NOTE) or "[]")]


def of(content: Json) -> Predicted | None:
    """That of a question, None before it is answered."""
    name = name_of(content)
    return next((each for each in every() if each.name == name), None)


def keep(content: Json, answer: str, sure: int) -> None:
    """Keep an answer; the first one counts."""
    name = name_of(content)
    new = vars(Predicted(name, {key: content[key] for key in _KEPT}, answer, sure))

    def with_it(text: str | None) -> str:
        before = json.loads(text or "[]")
        after = before if any(each["name"] == name for each in before) else [*before, new]
        return json.dumps(after[-MOST:], ensure_ascii=False)

    note(_NOTE, with_it)


def calibration() -> grading.Calibration | None:
    """How well the user's certainty fits, over all of them."""
    return grading.calibration((each.sure, each.grade.right) for each in every())


def misconceptions() -> list[str]:
    """The misconceptions that the answers show again and again."""
    return diagnosis.named((each.question, each.answer, each.grade.right) for each in every())
