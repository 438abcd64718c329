"""What a teacher takes home: everything that was typed and answered, as one table."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

from sqlalchemy import select

from rooms.rooms import Membership, Rooms
from rooms.tables import Answer, Member, Sentence, Task

COLUMNS = ("time", "student", "kind", "question", "text", "output", "model", "right")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


def table(rooms: Rooms, me: Membership) -> bytes:
    """CSV with the columns `COLUMNS`, in the order of time; "right" is 1, 0 or empty. Only for the teacher's room."""
    with rooms.reading() as session:
        members = list(session.scalars(select(Member).where(Member.room_id == me.room).order_by(Member.joined)))
        names = {member.id: member.nickname or f"#{number}" for number, member in enumerate(members)}
        sentences = session.scalars(select(Sentence).where(Sentence.room_id == me.room))
        answers = session.execute(
            select(Answer, Task).join(Task, Task.id == Answer.task_id).where(Task.room_id == me.room)
        )
        rows: list[tuple[float, list[str]]] = [
            (each.made, [names[each.member_id], "sentence", "", each.text, each.output, each.checkpoint, ""])
            for each in sentences
        ]
        rows += [
            (each.made, [names[each.member_id], "answer", task.question, each.text, "", "", _mark(each.right)])
            for each, task in answers
        ]
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    for made, row in sorted(rows):
        writer.writerow([datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%d %H:%M:%S"), *map(_safe, row)])
    return written.getvalue().encode("utf-8-sig")  # the mark lets spreadsheets read umlauts and 汉字


def _mark(right: bool | None) -> str:
    return "" if right is None else str(int(right))


def _safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
