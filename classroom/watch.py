"""Classes as their browsers watch them: one look at the database serves all of them.

Fifty students ask at the same time. Therefore a snapshot of each class is kept in this process. Who asks within
`FRESH` seconds gets it as it is; after that, two counters of the class say whether it must be read again. One reads
while the others get the last snapshot, and so does everybody while the database does not answer.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field

from sqlalchemy import select

from classroom.classrooms import Classrooms
from classroom.database import FAILURES
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
    asked: float = 0.0  # when somebody was last sent to look at the database
    reread: bool = False  # whatever the counters say
    noted: bool = False  # something new for the board
    noted_seen: float = 0.0
    heard: dict[int, float] = field(default_factory=dict)  # not yet written
    answered: dict[int, tuple[int, str]] = field(default_factory=dict)  # by student, their answer to which question
    reading: threading.Lock = field(default_factory=threading.Lock)
    writing: threading.Lock = field(default_factory=threading.Lock)


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
                    select(Member.classroom_id, Member.id, Member.teacher).where(
                        Member.key == hashed(key), Member.removed.is_(False)
                    )
                ).one_or_none()
            self._owners.pop(key, None)
            if row is None:
                return None
            member = self._owners[key] = (row[0], row[1], row[2])
        return member

    def look(self, classroom: int, member: int | None = None, board: bool = False) -> Snapshot | None:
        """The class as it stands; `member` is heard of; `board` asks for all that is noted. None if the class is gone.

        Raises one of `FAILURES` where the database does not answer and has not answered before.
        """
        now = self.classrooms.clock()
        with self._lock:
            state = self._kept.setdefault(classroom, _Kept())
            if member is not None:
                state.heard[member] = now
                if state.snapshot and member in state.snapshot.members:
                    state.snapshot.members[member] = now
        if now - state.noted_seen >= NOTE_SEEN and state.writing.acquire(blocking=False):
            try:
                self._note_seen(state, now)
            finally:
                state.writing.release()
        is_noted = board and state.noted
        if (state.snapshot is None or now - state.looked >= FRESH or is_noted) and state.reading.acquire(
            blocking=state.snapshot is None or is_noted
        ):
            try:
                self._renewed(classroom, state, now)
            finally:
                state.reading.release()
        if state.snapshot is None:
            with self._lock:
                self._forget(classroom)
        return state.snapshot

    def latest(self, classroom: int) -> Snapshot | None:
        """The last snapshot, at once; None for one in `FRESH` seconds, who is to `look`."""
        state, now = self._kept.get(classroom), self.classrooms.clock()
        if state is None or now - state.asked >= FRESH:
            if state is not None:
                state.asked = now
            return None
        return state.snapshot

    def answered(self, classroom: int, member: int, task: int, text: str) -> None:
        """A student of this process has answered: they see it at once, and the board when it looks next.

        To read the class anew for each of five hundred students would take a core for seconds.
        """
        with self._lock:
            state = self._kept.setdefault(classroom, _Kept())
            state.answered[member] = task, text
            if state.snapshot is not None:
                _put_in(state.snapshot, state.answered)

    def note(self, classroom: int) -> None:
        """Something was done that only the board shows: who looks at it next sees it."""
        with self._lock:
            self._kept.setdefault(classroom, _Kept()).noted = True

    def renew(self, classroom: int) -> None:
        """Something was done in the class from this process: who looks next sees it."""
        with self._lock:
            if classroom in self._kept:
                self._kept[classroom].looked = self._kept[classroom].asked = 0.0

    def _note_seen(self, state: _Kept, now: float) -> None:
        """Write who was heard of; what cannot be written now is written the next time."""
        with self._lock:
            heard, state.heard, state.noted_seen = state.heard, {}, now
        try:
            if heard:
                self.classrooms.seen(heard)
        except FAILURES as error:
            _log_failure(error)
            with self._lock:
                state.heard = heard | state.heard
        else:
            state.reread = True  # other processes have heard of other members

    def _renewed(self, classroom: int, state: _Kept, now: float) -> None:
        """Read the class if it has changed. While the database does not answer, the last snapshot stays."""
        if state.snapshot is not None and now - state.looked < FRESH and not state.noted:
            return  # somebody else has read it meanwhile
        state.noted = False
        before = None if state.reread else state.snapshot
        try:
            snapshot = self._read(classroom, before)
        except FAILURES as error:
            _log_failure(error)
            if state.snapshot is None:
                raise
        else:
            state.reread = False
            with self._lock:
                if snapshot is not None:
                    snapshot.members |= {each: when for each, when in state.heard.items() if each in snapshot.members}
                    _put_in(snapshot, state.answered)
            state.snapshot = snapshot
        state.looked = now

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


def _put_in(snapshot: Snapshot, answered: dict[int, tuple[int, str]]) -> None:
    """Put answers to the open question into a snapshot that was read before they were written; forget all others."""
    open_task = snapshot.students["task"]
    for member, (task, text) in list(answered.items()):
        if open_task is None or task < open_task["id"]:
            del answered[member]
        elif task == open_task["id"]:
            snapshot.answered.setdefault(member, text)


def _log_failure(error: BaseException) -> None:
    logging.getLogger(__name__).error("the database of the classes does not answer: %s", error)
