"""The test of a class: how its teacher runs it, who takes part, and their answers. Every function is one transaction.

Who agrees becomes a `Participant` with a random id. Who does not leaves nothing here.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from classroom.classrooms import Classrooms, Membership, close_test, note_change
from classroom.learning import bank
from classroom.learning.answers import Row
from classroom.learning.takers import KINDS, Taker, drawn, rounded
from classroom.phases import CLOSED, PHASES
from classroom.tables import Classroom, Departure, Member, Participant, Reply
from model.errors import InvalidInput


def set_up(classrooms: Classrooms, me: Membership, kind: str, view: str = "") -> None:
    """Begin a test of a kind of `KINDS`, or end it with all its answers by "". `view`, if given, is shown to everyone.

    Browsers hear of both at once: else they would draw one while they go to the other.
    """
    if kind and kind not in KINDS:
        raise InvalidInput("class_view")
    with classrooms.writing() as session:
        classroom = classrooms.taught(session, me)
        if kind != classroom.test_kind or classroom.test_phase == CLOSED:  # a closed test stays closed
            session.execute(delete(Participant).where(Participant.classroom_id == me.classroom))
            of_class = update(Departure).where(Departure.classroom_id == me.classroom)
            session.execute(of_class.values(group="", first_form=""))
        classroom.test_kind, classroom.test_phase = kind, PHASES[0] if kind else ""
        _show(classroom, view)
        note_change(classroom)


def go_to(classrooms: Classrooms, me: Membership, phase: str, view: str = "") -> None:
    """Go to one of `PHASES`: who answers when. `view`, if given, is shown to everyone at the same time."""
    if phase not in PHASES:
        raise InvalidInput("class_view")
    with classrooms.writing() as session:
        classroom = classrooms.taught(session, me)
        if not classroom.test_kind or classroom.test_phase == CLOSED:
            raise InvalidInput("class_closed")
        classroom.test_phase = phase
        _show(classroom, view)
        note_change(classroom)


def close(classrooms: Classrooms, me: Membership) -> None:
    """Take no more answers, for good: only then may the teacher read them.

    Who could read them while they arrive would see from the difference whose answers came last.
    """
    with classrooms.writing() as session:
        classroom = classrooms.taught(session, me)
        if not classroom.test_kind:
            raise InvalidInput("class_closed")
        close_test(session, classroom)
        note_change(classroom)


def take_part(classrooms: Classrooms, me: Membership) -> Taker:
    """Agree to take the test. Group and first form are drawn among those that fewest have, once for each student.

    Raises `InvalidInput` where no test begins.
    """
    with suppress(IntegrityError), classrooms.writing() as session:  # another tab of theirs may be first
        classroom = session.scalar(select(Classroom).where(Classroom.id == me.classroom).with_for_update())
        if classroom is None or classroom.ended is not None or classroom.test_phase != "before" or me.teacher:
            raise InvalidInput("class_closed")
        if _participant(session, me) is None and classrooms.takes_part(session, me):
            new = drawn(classroom.test_kind, _groups_and_forms(session, me.classroom))
            key = session.get_one(Member, me.member).key
            before = session.get(Departure, (me.classroom, key))
            group, first_form = (before.group, before.first_form) if before and before.group else (
                new.group, new.first_form
            )  # fmt: skip
            session.add(
                Participant(
                    id=new.id, classroom_id=me.classroom, member_id=me.member, group=group, first_form=first_form
                )
            )
            note_change(classroom, students=False)
    taker_now = taker(classrooms, me)
    if taker_now is None:
        raise InvalidInput("class_closed")
    return taker_now


def taker(classrooms: Classrooms, me: Membership) -> Taker | None:
    """This student as a participant, None for one who takes no part."""
    with classrooms.reading() as session:
        participant = _participant(session, me)
        if participant is None:
            return None
        known = _taker(participant)
        for reply in session.scalars(select(Reply).where(Reply.participant_id == participant.id)):
            known.choices.setdefault(reply.phase, {})[reply.question] = reply.choice
        return known


def answer(classrooms: Classrooms, me: Membership, phase: str, question: str, choice: int, seconds: float) -> None:
    """Keep a choice, in place of an earlier one; nothing changes any more when all questions are answered.

    Raises `InvalidInput` while this phase takes no answers, for other questions than this student's, and for students
    who take no part.
    """
    with suppress(IntegrityError), classrooms.writing() as session:
        classroom = session.get_one(Classroom, me.classroom)
        participant = _participant(session, me)
        is_taken = classroom.ended is None and _is_open(classroom, phase) and classrooms.takes_part(session, me)
        if participant is None or not is_taken:
            raise InvalidInput("class_closed")
        asked = bank.by_id().get(question)
        if asked is None or asked.form != _taker(participant).form(phase) or choice not in range(-1, bank.CHOICES):
            raise InvalidInput("class_view")
        own = select(Reply).where(Reply.participant_id == participant.id, Reply.phase == phase)
        replies = {reply.question: reply for reply in session.scalars(own)}
        if len(replies) >= len(bank.TOPICS):
            return
        reply = replies.get(question)
        if reply is None:
            reply = Reply(participant_id=participant.id, phase=phase, question=question)
            session.add(reply)
        reply.choice, reply.right, reply.seconds = choice, choice == asked.right, rounded(seconds)
        note_change(classroom, students=False)


def rows(classrooms: Classrooms, me: Membership) -> list[Row]:
    """Every answer of the class once its test is over, in the order of the random ids, which says nothing about who
    joined when; none before: see `close`."""
    columns = (Participant.id, Participant.group, Reply.phase, Reply.question)
    chosen = select(*columns, Reply.choice, Reply.right, Reply.seconds).join(Reply)
    over = select(Classroom.id).where(Classroom.test_phase == CLOSED)
    own = chosen.where(Participant.classroom_id == me.classroom, Participant.classroom_id.in_(over))
    with classrooms.reading() as session:
        found = session.execute(own.order_by(Participant.id, Reply.phase.desc(), Reply.question))
        return [
            Row(id_, group, phase, bank.by_id()[question].form, question, choice, int(right), seconds)
            for id_, group, phase, question, choice, right, seconds in found
        ]


def counts(classrooms: Classrooms, me: Membership) -> Counter[str]:
    """How many agreed ("agreed"), and how many have answered all questions "before" and "after"."""
    with classrooms.reading() as session:
        own = select(Participant.id).where(Participant.classroom_id == me.classroom)
        ids = session.scalars(own).all()
        answered = session.execute(select(Reply.participant_id, Reply.phase).where(Reply.participant_id.in_(ids)))
        replies = Counter((id_, phase) for id_, phase in answered)
    finished = Counter(phase for (_, phase), count in replies.items() if count == len(bank.TOPICS))
    return Counter(agreed=len(ids)) + finished


def _show(classroom: Classroom, view: str) -> None:
    if view:
        classroom.view, classroom.shown = view, classroom.shown + 1


def _is_open(classroom: Classroom, phase: str) -> bool:
    """Whether a phase takes answers: that before the lesson until the one after it begins."""
    return classroom.test_phase in ({"before": ("before", "lesson"), "after": ("after",)}.get(phase, ()))


def _participant(session: Session, me: Membership) -> Participant | None:
    return session.scalar(
        select(Participant).where(Participant.member_id == me.member, Participant.classroom_id == me.classroom)
    )


def _groups_and_forms(session: Session, classroom: int) -> list[tuple[str, str]]:
    own = select(Participant.group, Participant.first_form).where(Participant.classroom_id == classroom)
    return [(group, form) for group, form in session.execute(own)]


def _taker(participant: Participant) -> Taker:
    return Taker(participant.id, participant.group, participant.first_form)
