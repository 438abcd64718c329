"""Results of a class for its teacher: everything that was typed and answered, as one table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import select

from classroom.classrooms import Classrooms, Membership
from classroom.snapshot import Json, task_of
from classroom.tables import Answer, Member, Sentence, Task
from viz import spreadsheet

COLUMNS = ("time", "student", "kind", "question", "text", "output", "model", "right", "hidden")


def as_typed(task: Json, answer: str | None) -> str:
    """A question, or an answer to it, in the words in which it was put."""
    return str(task["question"]) if answer is None else str(dict(task["options"]).get(answer, answer))


def table(
    classrooms: Classrooms,
    me: Membership,
    nameless: str = "Student {number}",
    say: Callable[[Json, str | None], str] = as_typed,
) -> bytes:
    """CSV with the columns `COLUMNS`, in the order of time. Only for the teacher's class.

    "right" is 1, 0 or empty; "hidden" 1 for what the teacher hid, else 0. `nameless` is what a student without a
    nickname is called, as on the board; `say` puts a question (`None`) or an answer into words.
    """
    with classrooms.reading() as session:
        own = select(Member).where(Member.classroom_id == me.classroom, Member.teacher.is_(False))
        students = enumerate(session.scalars(own.order_by(Member.joined)), 1)
        names = {member.id: member.nickname or nameless.format(number=number) for number, member in students}
        stays = select(Member.id).where(Member.classroom_id == me.classroom, Member.removed.is_(False))
        sentences = session.scalars(select(Sentence).where(Sentence.member_id.in_(stays)))
        answers = session.execute(
            select(Answer, Task).join(Task, Task.id == Answer.task_id).where(Answer.member_id.in_(stays))
        )
        rows: list[tuple[float, list[str]]] = [
            (
                each.made,
                [
                    names[each.member_id], "sentence", "", each.text, each.output, each.checkpoint, "",
                    _mark(each.hidden),
                ],
            )
            for each in sentences
        ]  # fmt: skip
        rows += [
            (
                each.made,
                [
                    names[each.member_id], "answer", say(task_of(task), None), say(task_of(task), each.text), "", "",
                    _mark(each.right), _mark(each.hidden),
                ],
            )
            for each, task in answers
        ]  # fmt: skip
    lines = (
        [datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S"), *map(spreadsheet.cell, row)]
        for moment, row in sorted(rows)
    )
    return spreadsheet.table(COLUMNS, lines, "\r\n").encode(spreadsheet.ENCODING)


def _mark(right: bool | None) -> str:
    return "" if right is None else str(int(right))
