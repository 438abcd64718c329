"""Classes as their browsers watch them: one look at the database serves all of them.

Fifty students ask at the same time. Therefore a snapshot of each class is kept in this process. Who asks within
`FRESH` seconds gets it as it is; after that, two counters of the class say whether it must be read again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from sqlalchemy import select

from classroom.classrooms import Classrooms
from classroom.keys import hashed
from classroom.snapshot import Snapshot, take
from classroom.tables import Classroom, Member

FRESH = 0.25  # seconds
NOTE_SEEN = 5.0  # seconds: when members were heard of is written, and read for other processes' members, together


@dataclass
class _Kept:
    """The last snapshot of a class, and when the database was asked for its counters and its members."""

    snapshot: Snapshot | None = None
    looked: float = 0.0
    noted_seen: float = 0.0
    heard: dict[int, float] = field(default_factory=dict)  # not yet written


class Watch:
    """The classes that this process is asked about."""

    def __init__(self, classrooms: Classrooms):
        self.classrooms = classrooms
        self._lock = threading.Lock()
        self._kept: dict[int, _Kept] = {}
        self._owners: dict[str, tuple[int, int, bool]] = {}  # by key: class, member, whether they teach

    def owner(self, key: str) -> tuple[int, int, bool] | None:
        """Class, member and whether they teach, of the owner of a key; None for one who is in no class."""
        member = self._owners.get(key)
        if member is None or not self._is_member(*member[:2]):
            with self.classrooms.reading() as session:
                row = session.execute(
                    select(Member.classroom_id, Member.id, Member.teacher).where(Member.key == hashed(key))
                ).one_or_none()
            self._owners.pop(key, None)
            if row is None:
                return None
            member = self._owners[key] = (row[0], row[1], row[2])
        return member

    def look(self, classroom: int, member: int | None = None) -> Snapshot | None:
        """The class as it stands; `member` is heard of. None if the class is gone."""
        now = self.classrooms.clock()
        with self._lock:
            state = self._kept.setdefault(classroom, _Kept())
            if member is not None:
                state.heard[member] = now
                if state.snapshot:
                    state.snapshot.members[member] = now
            if now - state.noted_seen >= NOTE_SEEN:
                if state.heard:
                    self.classrooms.seen(state.heard)
                state.heard, state.noted_seen, state.snapshot = {}, now, None
            if state.snapshot is None or now - state.looked >= FRESH:
                state.snapshot, state.looked = self._read(classroom, state.snapshot), now
            if state.snapshot is None:
                self._forget(classroom)
            return state.snapshot

    def renew(self, classroom: int) -> None:
        """Something was done in the class from this process: who looks next sees it."""
        with self._lock:
            if classroom in self._kept:
                self._kept[classroom].looked = 0.0

    def _read(self, classroom: int, before: Snapshot | None) -> Snapshot | None:
        with self.classrooms.reading() as session:
            counters = session.execute(
                select(Classroom.changed, Classroom.noted).where(Classroom.id == classroom)
            ).one_or_none()
            if before and counters and (before.changed, before.noted) == tuple(counters):
                return before
            return take(session, classroom)

    def _is_member(self, classroom: int, member: int) -> bool:
        snapshot = self.look(classroom)
        return snapshot is not None and member in snapshot.members

    def _forget(self, classroom: int) -> None:
        self._kept.pop(classroom, None)
        self._owners = {key: owner for key, owner in self._owners.items() if owner[0] != classroom}
