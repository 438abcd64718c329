"""Curves of trainings on students' own devices: of each student the last one, for the teacher's board."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from classroom import limits
from classroom.classrooms import Classrooms, Membership, note_change
from classroom.tables import Classroom, Member, Training


def read(content: Mapping[str, Any]) -> dict[str, Any]:
    """A curve from the message of a browser. No model runs here: only its form is checked.

    task     name of the task
    step     steps made so far; steps: of the whole training
    changed  whether its pairs or the parts of its model are others than at first
    points   [step, loss in nats per token, share right of what it never saw or None], in the order of their steps

    Raises ValueError, KeyError or TypeError for what no page of ours sends.
    """
    points: list[list[Any]] = [
        [int(step), _number(loss), None if right is None else _number(right)]
        for step, loss, right in content["points"][: limits.POINTS + 1]
    ]
    steps: list[int] = [step for step, *_ in points]
    last, most = int(content["step"]), int(content["steps"])
    is_in_order = steps == sorted(set(steps)) and all(0 <= step <= last <= most <= limits.STEPS for step in steps)
    if not (is_in_order and 0 < len(points) <= limits.POINTS):
        raise ValueError
    task = str(content["task"])
    return {"task": task, "step": last, "steps": most, "changed": bool(content["changed"]), "points": points}


def _number(value: Any) -> float:
    number = float(value)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError
    return number


def keep(classrooms: Classrooms, me: Membership, curve: Mapping[str, Any]) -> None:
    """Put the curve of a student on the board, in place of their last one; that of a teacher is not kept."""
    with suppress(IntegrityError), classrooms.writing() as session:  # another tab of theirs may be first
        classroom = session.get_one(Classroom, me.classroom)
        if me.teacher or classroom.ended is not None or not classrooms.takes_part(session, me):
            return
        session.merge(Training(member_id=me.member, made=classrooms.clock(), curve=json.dumps(curve)))
        note_change(classroom, students=False)


def of_class(session: Session, classroom: int) -> list[dict[str, Any]]:
    """The curves of a class, each with its `member`, in the order in which these joined."""
    rows = session.execute(
        select(Training.member_id, Training.curve)
        .join(Member, Member.id == Training.member_id)
        .where(Member.classroom_id == classroom, Member.removed.is_(False))
        .order_by(Member.joined)
    )
    return [{"member": member} | json.loads(curve) for member, curve in rows]
