"""The questions of the test: six topics, with one question each in form A and in form B.

Both questions of a topic ask for the same reasoning about other numbers or words. Their texts have the keys
`learning_items.ID_text` and `learning_items.ID_0` to `ID_3`.
"""

from __future__ import annotations

from dataclasses import dataclass

TOPICS = ("weights", "mask", "position", "cross", "decoding", "training")
FORMS = ("A", "B")
CHOICES = 4
UNKNOWN = -1  # the choice "I do not know"
_RIGHT = {"A": (2, 0, 3, 1, 0, 2), "B": (1, 3, 1, 3, 2, 0)}  # in the order of TOPICS; each place three times


@dataclass(frozen=True)
class Question:
    """A question with four choices, and the index of the right one."""

    id: str
    form: str
    topic: str
    right: int


def forms() -> dict[str, tuple[Question, ...]]:
    """The six questions of each form, in the same order of topics."""
    return {form: tuple(map(_question, (form,) * len(TOPICS), TOPICS, _RIGHT[form])) for form in FORMS}


def _question(form: str, topic: str, right: int) -> Question:
    return Question(f"{topic}_{form.lower()}", form, topic, right)


def by_id() -> dict[str, Question]:
    """Every question of both forms by its id."""
    return {question.id: question for questions in forms().values() for question in questions}


def other(form: str) -> str:
    """The form that somebody gets after the lesson who had `form` before it."""
    return FORMS[1 - FORMS.index(form)]
