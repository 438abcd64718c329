"""Rooms as the browsers of a class watch them: one look at the database serves all of them.

Fifty students ask at the same time. Therefore a snapshot of each room is kept in this process. Who asks within
`FRESH` seconds gets it as it is; after that, two counters of the room say whether it must be read again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from sqlalchemy import select

from rooms.keys import hashed
from rooms.rooms import Rooms
from rooms.snapshot import Snapshot, take
from rooms.tables import Member, Room

FRESH = 0.25  # seconds
NOTE_SEEN = 5.0  # seconds: when members were heard of is written, and read for other processes' members, together


@dataclass
class _Kept:
    """The last snapshot of a room, and when the database was asked for its counters and its members."""

    snapshot: Snapshot | None = None
    looked: float = 0.0
    noted_seen: float = 0.0
    heard: dict[int, float] = field(default_factory=dict)  # not yet written


class Watch:
    """The rooms that this process is asked about."""

    def __init__(self, rooms: Rooms):
        self.rooms = rooms
        self._lock = threading.Lock()
        self._kept: dict[int, _Kept] = {}
        self._owners: dict[str, tuple[int, int, bool]] = {}  # by key: room, member, whether they teach

    def owner(self, key: str) -> tuple[int, int, bool] | None:
        """Room, member and whether they teach, of the owner of a key; None for one who is in no room."""
        known = self._owners.get(key)
        if known is None or not self._is_member(*known[:2]):
            with self.rooms.reading() as session:
                row = session.execute(
                    select(Member.room_id, Member.id, Member.teacher).where(Member.key == hashed(key))
                ).one_or_none()
            self._owners.pop(key, None)
            if row is None:
                return None
            known = self._owners[key] = (row[0], row[1], row[2])
        return known

    def look(self, room: int, member: int | None = None) -> Snapshot | None:
        """The room as it stands; `member` is heard of. None if the room is gone."""
        now = self.rooms.clock()
        with self._lock:
            kept = self._kept.setdefault(room, _Kept())
            if member is not None:
                kept.heard[member] = now
                if kept.snapshot:
                    kept.snapshot.members[member] = now
            if now - kept.noted_seen >= NOTE_SEEN:
                if kept.heard:
                    self.rooms.seen(kept.heard)
                kept.heard, kept.noted_seen, kept.snapshot = {}, now, None
            if kept.snapshot is None or now - kept.looked >= FRESH:
                kept.snapshot, kept.looked = self._read(room, kept.snapshot), now
            if kept.snapshot is None:
                self._forget(room)
            return kept.snapshot

    def renew(self, room: int) -> None:
        """Something was done in the room from this process: who looks next sees it."""
        with self._lock:
            if room in self._kept:
                self._kept[room].looked = 0.0

    def _read(self, room: int, known: Snapshot | None) -> Snapshot | None:
        with self.rooms.reading() as session:
            counters = session.execute(select(Room.changed, Room.noted).where(Room.id == room)).one_or_none()
            if known and counters and (known.changed, known.noted) == tuple(counters):
                return known
            return take(session, room)

    def _is_member(self, room: int, member: int) -> bool:
        snapshot = self.look(room)
        return snapshot is not None and member in snapshot.members

    def _forget(self, room: int) -> None:
        self._kept.pop(room, None)
        self._owners = {key: owner for key, owner in self._owners.items() if owner[0] != room}
