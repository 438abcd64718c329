"""Notes of users, such as their answers in the quiz, so that they survive the process that took them."""

from __future__ import annotations

from sqlalchemy import delete, func, select

from classroom.classrooms import Classrooms
from classroom.tables import Note

CHARACTERS = 200_000  # of a note; a longer one stays in the memory of its process
MOST = 20_000  # notes of all users


def write(classrooms: Classrooms, owner: str, name: str, text: str, noted: float) -> None:
    """Keep a note in place of an older one; "" stands for one that was deleted. `owner` is hashed."""
    if len(text) > CHARACTERS:
        return
    with classrooms.writing() as session:
        before = session.get(Note, (owner, name))
        if before is not None and before.noted > noted:
            return
        if before is None and (session.scalar(select(func.count()).select_from(Note)) or 0) >= MOST:
            return
        session.merge(Note(owner=owner, name=name, text=text, noted=noted))


def read(classrooms: Classrooms, owner: str) -> dict[str, tuple[str, float]]:
    """The user's notes by name, each with the seconds since 1970 when it was written."""
    with classrooms.reading() as session:
        rows = session.execute(select(Note.name, Note.text, Note.noted).where(Note.owner == owner))
        return {name: (text, noted) for name, text, noted in rows}


def delete_old(classrooms: Classrooms, age: float) -> None:
    """Delete the notes that nobody has changed for `age` seconds."""
    with classrooms.writing() as session:
        session.execute(delete(Note).where(Note.noted < classrooms.clock() - age))
