"""A room as it stands, for those who watch it: what every student sees, and the teacher's board."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from rooms import limits
from rooms.keys import spelled
from rooms.tables import Answer, Member, Room, Sentence, Task

Json = dict[str, Any]


@dataclass
class Snapshot:
    """A room at one moment. `changed` and `noted` are the counts of `tables.Room`."""

    room: int
    changed: int
    noted: int
    until: float | None
    students: Json  # what everyone sees
    answered: dict[int, str]  # by student, what they answered to the open question
    members: dict[int, float]  # by member, when they were last heard of
    board: Json = field(default_factory=dict)  # what only the teacher sees

    def present(self, now: float) -> list[int]:
        """The members whose browsers were heard of lately."""
        return [member for member, seen in self.members.items() if now - seen <= limits.PRESENT]


def take(session: Session, room_id: int) -> Snapshot | None:
    """The room now, or None if it is gone."""
    room = session.get(Room, room_id, populate_existing=True)
    if room is None:
        return None
    task = session.scalar(select(Task).where(Task.room_id == room_id).order_by(Task.id.desc()).limit(1))
    answers = list(session.scalars(select(Answer).where(Answer.task_id == task.id))) if task else []
    members = list(session.scalars(select(Member).where(Member.room_id == room_id).order_by(Member.joined)))
    open_task = task if task is not None and task.closed is None else None
    return Snapshot(
        room=room_id,
        changed=room.changed,
        noted=room.noted,
        until=room.until,
        students={
            "code": spelled(room.code),
            "title": room.title,
            "ended": room.ended is not None,
            "view": room.view,
            "shown": room.shown,
            "choice": room.choice,
            "task": _task(open_task) if open_task else None,
        },
        answered={answer.member_id: answer.text for answer in answers} if open_task else {},
        members={member.id: member.seen for member in members},
        board={
            "members": [[member.id, member.nickname, member.teacher] for member in members],
            "asked": _task(task) | {"open": open_task is not None, "answers": _counted(answers)} if task else None,
            "sentences": [_sentence(*row) for row in session.execute(_sentences(room_id))],
        },
    )


def _task(task: Task) -> Json:
    return {"id": task.id, "kind": task.kind, "question": task.question, "options": json.loads(task.options)}


def _counted(answers: list[Answer]) -> list[list[object]]:
    """Each answer, how many gave it, and whether it is right: the most frequent first."""
    right = {answer.text: answer.right for answer in answers}
    return [[text, count, right[text]] for text, count in Counter(answer.text for answer in answers).most_common()]


def _sentences(room_id: int):  # type: ignore[no-untyped-def]
    return (
        select(Sentence, Member.nickname)
        .join(Member, Member.id == Sentence.member_id)
        .where(Sentence.room_id == room_id)
        .order_by(Sentence.id)
    )


def _sentence(sentence: Sentence, nickname: str) -> Json:
    return {
        "id": sentence.id,
        "by": nickname,
        "checkpoint": sentence.checkpoint,
        "text": sentence.text,
        "output": sentence.output,
        "picture": json.loads(sentence.picture),
        "hidden": sentence.hidden,
    }
