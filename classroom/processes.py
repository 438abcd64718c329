"""Reports of all processes of a server, for one page that shows them all, and how full the classes are."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import delete, func, select

from classroom import limits
from classroom.classrooms import Classrooms
from classroom.tables import Classroom, Member, Process, Sentence

GONE = 20.0  # seconds without a report after which a process counts as ended


def tell(classrooms: Classrooms, name: str, report: dict[str, Any]) -> None:
    """Note the report of the process `name` in place of its last one; forget those that have ended."""
    now = classrooms.clock()
    with classrooms.writing() as session:
        session.execute(delete(Process).where((Process.noted < now - GONE) | (Process.name == name)))
        session.add(Process(name=name, noted=now, report=json.dumps(report)))


def reports(classrooms: Classrooms) -> dict[str, dict[str, Any]]:
    """The reports of all processes that run, by name."""
    with classrooms.reading() as session:
        rows = session.execute(select(Process.name, Process.report).where(Process.noted >= classrooms.clock() - GONE))
        return {name: json.loads(report) for name, report in sorted((row.name, row.report) for row in rows)}


def fullness(classrooms: Classrooms) -> list[dict[str, float]]:
    """Of each class that goes on: its age in seconds, members, those present, and sentences. No code and no title."""
    now = classrooms.clock()
    with classrooms.reading() as session:
        open_classrooms = session.execute(
            select(Classroom.id, Classroom.created)
            .where(Classroom.ended.is_(None), Classroom.created >= now - limits.DAY)
            .order_by(Classroom.created)
        ).all()
        present = Member.seen >= now - limits.PRESENT
        counts = []
        stays = Member.removed.is_(False)
        for table, only in ((Member, [stays]), (Member, [stays, present]), (Sentence, [])):
            each = select(table.classroom_id, func.count()).where(*only).group_by(table.classroom_id)
            counts.append(dict(session.execute(each).all()))
    members, here, sentences = counts
    return [
        {
            "age": now - start,
            "members": members.get(classroom, 0),
            "present": here.get(classroom, 0),
            "sentences": sentences.get(classroom, 0),
        }
        for classroom, start in open_classrooms
    ]
