"""Notes of users, such as their answers in the quiz, so that they survive the process that took them."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import delete, func, select, tuple_
from sqlalchemy.orm import Session

from classroom.classrooms import Classrooms
from classroom.tables import Note
from classroom.texts import storable

CHARACTERS = 200_000  # of a note; a longer one stays in the memory of its process
MOST, ALL = 20_000, 50_000_000  # notes of all users, and their characters; the oldest give way
BATCH = 500  # notes that give way at once


def write(classrooms: Classrooms, owner: str, name: str, text: str, noted: float) -> None:
    """Keep a note in place of an older one; "" stands for one that was deleted. `owner` is hashed."""
    change(classrooms, owner, name, lambda _: text, noted)


def change(
    classrooms: Classrooms, owner: str, name: str, change: Callable[[str | None], str | None], noted: float
) -> None:
    """Keep what `change` makes of the note that is here, unless this one is as new: then it was written before."""
    with classrooms.writing() as session:
        before = session.get(Note, (owner, name))
        if before is not None and before.noted >= noted:
            return
        text = storable(change(before.text or None if before is not None else None) or "")
        if before is None and (session.scalar(select(func.count()).select_from(Note)) or 0) >= MOST:
            _delete_oldest(session)
        session.merge(Note(owner=owner, name=name, text=text if len(text) <= CHARACTERS else "", noted=noted))


def read(classrooms: Classrooms, owner: str) -> dict[str, tuple[str, float]]:
    """The user's notes by name, each with the seconds since 1970 when it was written."""
    with classrooms.reading() as session:
        rows = session.execute(select(Note.name, Note.text, Note.noted).where(Note.owner == owner))
        return {name: (text, noted) for name, text, noted in rows}


def delete_old(classrooms: Classrooms, age: float) -> None:
    """Delete the notes that nobody has changed for `age` seconds, and the oldest while all together are too long."""
    with classrooms.writing() as session:
        session.execute(delete(Note).where(Note.noted < classrooms.clock() - age))
        while (session.scalar(select(func.sum(func.length(Note.text)))) or 0) > ALL:
            _delete_oldest(session)


def _delete_oldest(session: Session) -> None:
    oldest = session.execute(select(Note.owner, Note.name).order_by(Note.noted).limit(BATCH)).all()
    session.execute(delete(Note).where(tuple_(Note.owner, Note.name).in_([tuple(row) for row in oldest])))
