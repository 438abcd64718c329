"""Predictions of a class as files for its teacher: every answer, and what each column means."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from classroom.asking.checks import PREDICT
from classroom.classrooms import Classrooms, Membership
from classroom.tables import Answer, Member, Task
from model.predict import grading
from model.predict.misconceptions import MISCONCEPTIONS
from viz import spreadsheet

Json = dict[str, Any]
COLUMNS = (
    "time", "student", "question", "model", "sentence", "layer", "head", "answer", "key", "right", "distance", "sure",
    "stated", "misconception",
)  # fmt: skip


def answers_csv(classrooms: Classrooms, me: Membership, nameless: str = "Student {number}") -> bytes:
    """Every answer to a closed prediction of the teacher's class; students are called as on the board."""
    with classrooms.reading() as session:
        own = select(Member).where(Member.classroom_id == me.classroom, Member.teacher.is_(False))
        students = enumerate(session.scalars(own.order_by(Member.joined)), 1)
        names = {member.id: member.nickname or nameless.format(number=number) for number, member in students}
        rows = session.execute(
            select(Answer, Task)
            .join(Task, Task.id == Answer.task_id)
            .join(Member, Member.id == Answer.member_id)
            .where(Task.classroom_id == me.classroom, Member.removed.is_(False))
            .where(Task.kind == PREDICT, Task.closed.is_not(None))
            .order_by(Answer.made, Answer.id)
        ).all()
    lines = [map(spreadsheet.cell, _line(answer, json.loads(task.posed), names)) for answer, task in rows]
    return spreadsheet.table(COLUMNS, lines, "\r\n").encode(spreadsheet.ENCODING)


def _line(answer: Answer, question: Json, names: Mapping[int, str]) -> list[str]:
    values, texts = question["values"], dict(question["options"])
    distance = grading.graded(question, answer.text).distance
    return [
        datetime.fromtimestamp(answer.made, UTC).strftime("%Y-%m-%d %H:%M:%S"),
        names[answer.member_id],
        question["question"],
        question.get("model", ""),
        question.get("sentence", ""),
        str(values.get("layer", "")),
        str(values.get("head", "")),
        texts.get(answer.text) or answer.text,
        texts.get(question["key"]) or question["key"],
        str(int(bool(answer.right))),
        "" if distance is None else f"{distance:g}",
        str(answer.sure),
        f"{grading.CONFIDENCES[answer.sure - 1]:g}",
        question["shows"].get(answer.text, ""),
    ]


def has_answers(classrooms: Classrooms, me: Membership) -> bool:
    """Whether somebody has answered a prediction of this class."""
    with classrooms.reading() as session:
        own = select(Answer.id).join(Task, Task.id == Answer.task_id)
        return session.scalar(own.where(Task.classroom_id == me.classroom, Task.kind == PREDICT).limit(1)) is not None


def codebook_csv(texts: Mapping[str, Mapping[str, str]], kinds: Iterable[str]) -> bytes:
    """Every column, its values and their meaning by language; `texts` of a language have columns and values."""
    values: dict[str, Iterable[str]] = {"question": kinds, "misconception": MISCONCEPTIONS}
    lines: list[Sequence[object]] = []
    for column in COLUMNS:
        lines.append((column, "", *(each[column] for each in texts.values())))
        lines += [(column, value, *(each[value] for each in texts.values())) for value in values.get(column, ())]
    lines += [
        ("sure", str(number), *[f"{stated:.0%}"] * len(texts)) for number, stated in enumerate(grading.CONFIDENCES, 1)
    ]
    return spreadsheet.table(("column", "value", *texts), lines, "\r\n").encode(spreadsheet.ENCODING)
