"""Places in a class and on the server: who gives theirs to somebody else, so that no stranger can use them up.

Nobody who takes part loses a place: only a browser that is silent and has typed and answered nothing.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.orm import Session

from classroom import limits
from classroom.keys import new_code
from classroom.phases import CLOSED
from classroom.tables import Answer, Classroom, Departure, Member, Participant, Sentence, Training
from model.errors import InvalidInput

_TRIES = 20  # codes until one is free


def take_in_class(session: Session, classroom: Classroom, key: str, now: float) -> None:
    """Make sure that a class has room for one more; raise `InvalidInput` where it has none. `key` is hashed.

    In a full class a silent student who has done nothing gives way, and to one who was here before also the last who
    joined and has done nothing.
    """
    was_here = session.get(Departure, (classroom.id, key)) is not None
    if classroom.locked and not was_here:
        raise InvalidInput("class_locked")
    here = Member.classroom_id == classroom.id, Member.teacher.is_(False)
    while _count(session, *here, Member.removed.is_(False)) >= limits.MEMBERS:
        idle = select(Member).where(*here, Member.removed.is_(False), is_idle())
        member = session.scalar(idle.where(_is_silent(now)).order_by(Member.seen).limit(1))
        if member is None and was_here:
            member = session.scalar(idle.order_by(Member.joined.desc()).limit(1))
        if member is None:
            raise InvalidInput("class_full", limit=limits.MEMBERS)
        _delete(session, member)  # without a `Departure`: who gave way did nothing here, and may be a program
    removed = [*here, Member.removed.is_(True)]
    if _count(session, *removed) > limits.MEMBERS:  # a flood that was removed again and again
        oldest = session.scalars(select(Member).where(*removed).order_by(Member.joined).limit(1)).one()
        _delete(session, oldest)


def depart(session: Session, member: Member, now: float) -> None:
    """Take a student out with all that they typed and answered; remembered is only that they were here.

    Their answers to a test that is closed stay, and nothing leads to them.
    """
    drawn = session.scalar(select(Participant).where(Participant.member_id == member.id)) or session.get(
        Departure, (member.classroom_id, member.key)
    )
    is_over = _delete(session, member)
    group, form = (drawn.group, drawn.first_form) if drawn and not is_over else ("", "")
    session.merge(Departure(classroom_id=member.classroom_id, key=member.key, left=now, group=group, first_form=form))
    own = Departure.classroom_id == member.classroom_id
    oldest = select(Departure.key).where(own).order_by(Departure.left.desc()).offset(limits.DEPARTED)
    session.execute(delete(Departure).where(own, Departure.key.in_(list(session.scalars(oldest)))))


def _delete(session: Session, member: Member) -> bool:
    """Delete a member and what is theirs, but for answers to a test that is closed. Return whether it is.

    The teacher may have read those: if they went with the member, the difference would say whose they were.
    """
    phase = select(Classroom.test_phase).where(Classroom.id == member.classroom_id)
    is_closed = session.scalar(phase.with_for_update()) == CLOSED  # nobody closes it meanwhile
    if is_closed:
        session.execute(update(Participant).where(Participant.member_id == member.id).values(member_id=None))
    session.delete(member)
    session.flush()
    return is_closed


def take_on_server(session: Session, now: float) -> None:
    """Make sure that the server has room for one class more: of those that are deserted the most silent one goes."""
    count = session.scalar(select(func.count()).select_from(Classroom)) or 0
    if count < limits.CLASSROOMS:
        return
    heard, members, stayed = func.max(Member.seen), func.count(), func.max(Member.seen - Member.joined)
    is_deserted = or_(
        heard < now - limits.FORSAKEN,
        (members == 1) & (heard < now - limits.DESERTED),
        (stayed <= 0) & (heard < now - limits.NEVER_HEARD),
    )
    silent = select(Member.classroom_id).group_by(Member.classroom_id).having(is_deserted).order_by(heard)
    deserted = session.scalar(silent.limit(1))
    if deserted is None:
        raise InvalidInput("classes_full")
    session.delete(session.get_one(Classroom, deserted))
    session.flush()


def delete_old(session: Session, now: float) -> None:
    """Delete the classes whose time is over, with all that is in them."""
    is_old = (Classroom.created < now - limits.DAY) | (Classroom.ended < now - limits.AFTER_END)
    session.execute(delete(Classroom).where(is_old))


def free_code(session: Session) -> str:
    """A code that no class has."""
    for _ in range(_TRIES):
        code = new_code()
        if session.scalar(select(Classroom.id).where(Classroom.code == code)) is None:
            return code
    raise InvalidInput("classes_full")


def is_idle() -> ColumnElement[bool]:
    """Whether a member has typed, answered and trained nothing."""
    return ~or_(
        *(
            select(table.member_id).where(table.member_id == Member.id).exists()
            for table in (Sentence, Answer, Participant, Training)
        )
    )


def _is_silent(now: float) -> ColumnElement[bool]:
    never_heard = (Member.seen <= Member.joined) & (Member.joined < now - limits.NEVER_HEARD)
    return or_(Member.seen < now - limits.PRESENT, never_heard)


def _count(session: Session, *conditions: ColumnElement[bool]) -> int:
    return session.scalar(select(func.count()).select_from(Member).where(*conditions)) or 0
