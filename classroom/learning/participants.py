"""The test of a class: how its teacher runs it, who takes part, and their answers. Every function is one transaction.

Who agrees becomes a `Participant` with a random id. Who does not leaves nothing here.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from classroom import limits
from classroom.classrooms import Classrooms, Membership, note_change
from classroom.tables import Classroom, Participant, Reply
from model.errors import InvalidInput

GROUPS = {"all": ("all",), "two": ("touch", "picture")}  # by kind of test
PHASES = ("before", "lesson", "after")
FORMS = ("A", "B")
STEP = 5  # seconds to which times are rounded
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # of ids; without 1, l and 0, o
_random = random.SystemRandom()


@dataclass(frozen=True)
class Taker:
    """A student who takes the test: id, group, the form before the lesson, and the choices so far by phase."""

    id: str
    group: str
    first_form: str
    choices: dict[str, dict[str, int]] = field(default_factory=dict)  # phase -> question -> choice

    def form(self, phase: str) -> str:
        """The form of the questions in a phase: never the same twice."""
        return self.first_form if phase == "before" else FORMS[1 - FORMS.index(self.first_form)]

    def has_finished(self, phase: str) -> bool:
        """Whether every question of this phase is answered."""
        return len(self.choices.get(phase, {})) == limits.TEST_QUESTIONS


def set_up(classrooms: Classrooms, me: Membership, kind: str) -> None:
    """Begin a test of a kind of `GROUPS`, or end it with all its answers by ""."""
    if kind and kind not in GROUPS:
        raise InvalidInput("room_view")
    with classrooms.writing() as session:
        classroom = classrooms.taught(session, me)
        if kind != classroom.test_kind:
            session.execute(delete(Participant).where(Participant.classroom_id == me.classroom))
        classroom.test_kind, classroom.test_phase = kind, PHASES[0] if kind else ""
        note_change(classroom)


def go_to(classrooms: Classrooms, me: Membership, phase: str) -> None:
    """Go to one of `PHASES`: who answers when."""
    if phase not in PHASES:
        raise InvalidInput("room_view")
    with classrooms.writing() as session:
        classroom = classrooms.taught(session, me)
        if not classroom.test_kind:
            raise InvalidInput("room_closed")
        classroom.test_phase = phase
        note_change(classroom)


def take_part(classrooms: Classrooms, me: Membership) -> Taker:
    """Agree to take the test. Group and first form are drawn among those that fewest have.

    Raises `InvalidInput` where no test begins.
    """
    with suppress(IntegrityError), classrooms.writing() as session:  # another tab of theirs may be first
        classroom = session.scalar(select(Classroom).where(Classroom.id == me.classroom).with_for_update())
        if classroom is None or classroom.ended is not None or classroom.test_phase != "before" or me.teacher:
            raise InvalidInput("room_closed")
        if _participant(session, me) is None:
            group, form = _draw(session, classroom)
            session.add(
                Participant(
                    id=_new_id(), classroom_id=me.classroom, member_id=me.member, group=group, first_form=form
                )
            )  # fmt: skip
            note_change(classroom, students=False)
    taker_now = taker(classrooms, me)
    if taker_now is None:
        raise InvalidInput("room_closed")
    return taker_now


def taker(classrooms: Classrooms, me: Membership) -> Taker | None:
    """This student as a participant, None for one who takes no part."""
    with classrooms.reading() as session:
        participant = _participant(session, me)
        if participant is None:
            return None
        choices: dict[str, dict[str, int]] = {}
        for reply in session.scalars(select(Reply).where(Reply.participant_id == participant.id)):
            choices.setdefault(reply.phase, {})[reply.question] = reply.choice
        return Taker(participant.id, participant.group, participant.first_form, choices)


def answer(
    classrooms: Classrooms, me: Membership, phase: str, question: str, choice: int, *, right: bool, seconds: float
) -> None:
    """Keep a choice, in place of an earlier one; nothing changes any more when all questions are answered.

    Raises `InvalidInput` while this phase takes no answers, and for students who take no part.
    """
    with suppress(IntegrityError), classrooms.writing() as session:
        classroom = session.get_one(Classroom, me.classroom)
        participant = _participant(session, me)
        if participant is None or classroom.ended is not None or not _is_open(classroom, phase):
            raise InvalidInput("room_closed")
        own = select(Reply).where(Reply.participant_id == participant.id, Reply.phase == phase)
        replies = {reply.question: reply for reply in session.scalars(own)}
        if len(replies) >= limits.TEST_QUESTIONS:
            return
        reply = replies.get(question)
        if reply is None:
            reply = Reply(participant_id=participant.id, phase=phase, question=question)
            session.add(reply)
        reply.choice, reply.right, reply.seconds = choice, right, _rounded(seconds)
        note_change(classroom, students=False)


def rows(classrooms: Classrooms, me: Membership) -> list[tuple[str, str, str, str, int, int, int]]:
    """Every answer of the class: participant, group, phase, question, choice, right (0 or 1) and seconds.

    They are in the order of the random ids, which says nothing about who joined when.
    """
    columns = (
        Participant.id, Participant.group, Reply.phase, Reply.question, Reply.choice, Reply.right, Reply.seconds,
    )  # fmt: skip
    with classrooms.reading() as session:
        chosen = select(*columns).join(Reply).where(Participant.classroom_id == me.classroom)
        found = session.execute(chosen.order_by(Participant.id, Reply.phase.desc(), Reply.question))
        return [
            (id_, group, phase, question, choice, int(right), seconds)
            for id_, group, phase, question, choice, right, seconds in found
        ]


def counts(classrooms: Classrooms, me: Membership) -> Counter[str]:
    """How many agreed ("agreed"), and how many have answered all questions "before" and "after"."""
    with classrooms.reading() as session:
        own = select(Participant.id).where(Participant.classroom_id == me.classroom)
        ids = session.scalars(own).all()
        answered = session.execute(select(Reply.participant_id, Reply.phase).where(Reply.participant_id.in_(ids)))
        replies = Counter((id_, phase) for id_, phase in answered)
    finished = Counter(phase for (_, phase), count in replies.items() if count == limits.TEST_QUESTIONS)
    return Counter(agreed=len(ids)) + finished


def _is_open(classroom: Classroom, phase: str) -> bool:
    """Whether a phase takes answers: that before the lesson until the one after it begins."""
    return classroom.test_phase in ({"before": ("before", "lesson"), "after": ("after",)}.get(phase, ()))


def _participant(session: Session, me: Membership) -> Participant | None:
    return session.scalar(
        select(Participant).where(Participant.member_id == me.member, Participant.classroom_id == me.classroom)
    )


def _draw(session: Session, classroom: Classroom) -> tuple[str, str]:
    """A group and a first form, each at random among those that fewest of the class have."""
    own = select(Participant.group, Participant.first_form).where(Participant.classroom_id == classroom.id)
    drawn = [(group, form) for group, form in session.execute(own)]
    group = _rarest(GROUPS[classroom.test_kind], [group for group, _ in drawn])
    return group, _rarest(FORMS, [form for each, form in drawn if each == group])


def _rarest(options: Sequence[str], drawn: Sequence[str]) -> str:
    fewest = min(drawn.count(option) for option in options)
    return _random.choice([option for option in options if drawn.count(option) == fewest])


def _new_id() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


def _rounded(seconds: float) -> int:
    return STEP * round(min(max(seconds, 0), limits.TEST_SECONDS) / STEP)
