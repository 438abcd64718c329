"""The test before and after a lesson, as this session takes it: in its class, or alone with the course."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Protocol

from classroom.learning import bank
from classroom.learning.takers import Taker, drawn
from pages.shared.classroom import my_class
from pages.shared.load import fair_use
from pages.shared.session.state import state
from pages.shared.session.user_notes import note, noted

if TYPE_CHECKING:
    from classroom.classrooms import Membership

_NOTE = "lesson_test"


class LessonTest(Protocol):
    """A test to take. Reading and agreeing raise `InvalidInput` where the database does not answer."""

    name: str  # one for each test that a session may meet

    def read(self) -> Taker | None:
        """Who takes it, None for one who takes no part."""
        ...

    def agree(self) -> Taker:
        """Take part."""
        ...

    def keep(self, phase: str, question: str, choice: int, seconds: float) -> None:
        """Keep a choice, now or as soon as that is possible."""
        ...


class ClassTest:
    """The test of a class, for one of its students."""

    def __init__(self, me: Membership):
        self.me, self.name = me, f"class {me.classroom} {me.group}"  # read again when the teacher begins anew

    def read(self) -> Taker | None:
        from classroom.learning import participants

        return my_class.ask(lambda: participants.taker(my_class.classrooms(), self.me))

    def agree(self) -> Taker:
        from classroom.learning import participants

        fair_use.take(fair_use.ACTS)
        with my_class.answering():
            taker = participants.take_part(my_class.classrooms(), self.me)
        my_class.forget()
        return taker

    def keep(self, phase: str, question: str, choice: int, seconds: float) -> None:
        from classroom.learning import participants

        me, store = self.me, my_class.classrooms
        my_class.outbox().send(lambda: participants.answer(store(), me, phase, question, choice, seconds))


class OwnTest:
    """The test of somebody who takes the course alone: a note of their browser, which lasts for a day."""

    name = "own"

    def read(self) -> Taker | None:
        text = noted(_NOTE)
        return Taker(**json.loads(text)) if text else None

    def agree(self) -> Taker:
        taker = drawn("all", [])
        note(_NOTE, lambda before: before or json.dumps(asdict(taker)))
        return self.read() or taker

    def keep(self, phase: str, question: str, choice: int, seconds: float) -> None:
        def with_it(text: str | None) -> str | None:
            return json.dumps(asdict(_with(Taker(**json.loads(text)), phase, question, choice))) if text else None

        note(_NOTE, with_it)

    @staticmethod
    def delete() -> None:
        """Forget all answers."""
        note(_NOTE, lambda _: None)


def as_data(taker: Taker | None) -> dict[str, Any]:
    """A test as a live page shows it; None is one who takes no part.

    forms           the questions of both forms; what is right only once the phase after the lesson is finished
    first           the form before the lesson, or ""
    before, after   the choices of a phase, in the order of its questions
    """
    is_over = taker is not None and taker.has_finished("after")
    forms = {
        form: [{"id": each.id, "choices": bank.CHOICES} | ({"right": each.right} if is_over else {}) for each in asked]
        for form, asked in bank.forms().items()
    }
    chosen = {phase: _in_order(taker, phase) for phase in ("before", "after")}
    return {"forms": forms, "first": taker.first_form if taker else "", **chosen}


def _in_order(taker: Taker | None, phase: str) -> list[int]:
    """The choices up to the first question that is open."""
    if taker is None:
        return []
    choices = taker.choices.get(phase, {})
    ids = takewhile(choices.__contains__, (each.id for each in bank.forms()[taker.form(phase)]))
    return [choices[each] for each in ids]


@dataclass
class Taking:
    """How far this session is with a test; the database may not have its last choices yet."""

    name: str = ""
    phase: str = ""
    taker: Taker | None = None
    chosen: dict[str, int] = field(default_factory=dict)  # in this phase, also what is not sent yet
    at: int | None = None  # the question in view
    since: float = 0.0
    problem: str = ""
    declined: set[str] = field(default_factory=set)  # names of tests that this user takes no part in


def taking(test: LessonTest, phase: str) -> Taking:
    """This session's state of a test and its phase; raises `InvalidInput` where the database does not answer."""
    current = state(Taking)
    if (current.name, current.phase) != (test.name, phase):
        current.name, current.phase, current.at, current.problem = test.name, phase, None, ""
        current.taker = test.read()
        current.chosen = dict(current.taker.choices.get(phase, {})) if current.taker else {}
    return current


def agree(test: LessonTest) -> None:
    """Take part, as a taker without answers."""
    current = state(Taking)
    current.taker, current.chosen, current.at = test.agree(), {}, None
    current.declined.discard(test.name)


def keep(test: LessonTest, question: str, seconds: float) -> None:
    """Keep the choice of a question."""
    current = state(Taking)
    if current.taker is not None and not current.taker.has_finished(current.phase):
        choice = current.chosen[question]
        current.taker = _with(current.taker, current.phase, question, choice)
        test.keep(current.phase, question, choice, seconds)


def _with(taker: Taker, phase: str, question: str, choice: int) -> Taker:
    """The taker with a choice more, unless this phase is over."""
    if taker.has_finished(phase):
        return taker
    return replace(taker, choices={**taker.choices, phase: {**taker.choices.get(phase, {}), question: choice}})
