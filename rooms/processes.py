"""What the processes of a server tell of themselves, so that one page shows all of them, and how full the rooms are."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import delete, func, select

from rooms import limits
from rooms.rooms import Rooms
from rooms.tables import Member, Process, Room, Sentence

GONE = 20.0  # seconds without a report after which a process counts as ended


def tell(rooms: Rooms, name: str, report: dict[str, Any]) -> None:
    """Note the report of the process `name` in place of its last one; forget those that have ended."""
    now = rooms.clock()
    with rooms.writing() as session:
        session.execute(delete(Process).where((Process.noted < now - GONE) | (Process.name == name)))
        session.add(Process(name=name, noted=now, report=json.dumps(report)))


def reports(rooms: Rooms) -> dict[str, dict[str, Any]]:
    """The reports of all processes that run, by name."""
    with rooms.reading() as session:
        rows = session.execute(select(Process.name, Process.report).where(Process.noted >= rooms.clock() - GONE))
        return {name: json.loads(report) for name, report in sorted((row.name, row.report) for row in rows)}


def fullness(rooms: Rooms) -> list[dict[str, float]]:
    """Of each class that goes on: its age in seconds, members, those present, and sentences. No code and no title."""
    now = rooms.clock()
    with rooms.reading() as session:
        open_rooms = session.execute(
            select(Room.id, Room.created)
            .where(Room.ended.is_(None), Room.created >= now - limits.DAY)
            .order_by(Room.created)
        ).all()
        present = Member.seen >= now - limits.PRESENT
        counts = []
        for table, only in ((Member, []), (Member, [present]), (Sentence, [])):
            each = select(table.room_id, func.count()).where(*only).group_by(table.room_id)
            counts.append(dict(session.execute(each).all()))
    members, here, sentences = counts
    return [
        {
            "age": now - created,
            "members": members.get(room, 0),
            "present": here.get(room, 0),
            "sentences": sentences.get(room, 0),
        }
        for room, created in open_rooms
    ]
