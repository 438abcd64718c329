"""The user's attempts at questions: one for each question, kept in the user's notes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from model.quiz.questions import topics
from pages.shared.session import view
from pages.shared.session.user_notes import note, noted

MOST = 400  # answered questions that are kept


@dataclass(frozen=True)
class Attempt:
    """A question that the user has begun to answer. `ended`: "", "right" or "told"."""

    question: str
    numbers: int
    model: str
    sentence: str
    answers: list[str] = field(default_factory=list)  # as shown, in the user's language
    tried: list[str] = field(default_factory=list)  # as checked
    ended: str = ""
    hint: bool = False

    @property
    def first(self) -> bool:
        """Whether the first answer was right."""
        return self.ended == "right" and len(self.answers) == 1

    @property
    def counts(self) -> bool:
        """Whether it counts in the score: with a first answer, right or wrong, or the answer shown."""
        return bool(self.ended or self.answers)

    @property
    def state(self) -> str:
        """ "first", "later", "told", or "" while it is open."""
        return "first" if self.first else {"right": "later"}.get(self.ended, self.ended)


def by_topic(names: Iterable[str]) -> dict[str, list[str]]:
    """Questions by topic."""
    return topics(dict.fromkeys(names))


def attempts() -> list[Attempt]:
    """Everything that was answered, in the order of beginning."""
    return _read(noted("quiz_records"))


def _read(text: str | None) -> list[Attempt]:
    return [Attempt(**attempt) for attempt in json.loads(text or "[]")]


def latest() -> dict[str, Attempt]:
    """The last attempt at each question that counts."""
    return {attempt.question: attempt for attempt in attempts() if attempt.counts}


def change(attempt: Attempt, **changes: object) -> None:
    """Keep an attempt with these fields changed."""
    new = Attempt(**(vars(attempt) | changes))  # type: ignore[arg-type]

    def with_it(text: str | None) -> str:
        kept = [other if key(other) != key(attempt) else new for other in _read(text)]
        if new not in kept:
            kept.append(new)
        return json.dumps([vars(each) for each in kept[-MOST:]], ensure_ascii=False)

    note("quiz_records", with_it)
    view.keep(problem=None)


def key(attempt: Attempt) -> tuple[str, int, str, str]:
    """Fields that tell two attempts apart."""
    return attempt.question, attempt.numbers, attempt.model, attempt.sentence
