"""Notes that the server keeps for a user beyond one session, for example the answers of the quiz.

A session ends when its page is reloaded, or when a phone drops the tab. The cookie of `user.py` identifies the user's
browser. Notes are kept in memory for as long as that cookie lasts, and never leave the server. A `Keeper` has a copy of
them for other processes of the server, and for the one that is started after this one has ended.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from pages.shared.session.user import AGE, user

CHARACTERS = 50_000_000  # of all notes together; the user who has been away for the longest time is forgotten first
ASK = 30.0  # seconds after which the keeper is asked again for a user's notes: another process may have written some
USERS = 10_000  # for whom it is remembered when the keeper was asked
Change = Callable[[str | None], str | None]  # of a note: None stands for no note


class Keeper(Protocol):
    """A copy of all users' notes outside of this process. Neither call raises, and neither waits for long."""

    def read(self, user: str) -> dict[str, tuple[str, float]] | None:
        """The user's notes by their keys, "" for one that was deleted, and when each was written (`time.time`).

        None where it cannot tell now.
        """
        ...

    def write(self, user: str, key: str, text: str, when: float) -> None:
        """Keep a note in place of the one before."""
        ...

    def change(self, user: str, key: str, change: Change, when: float) -> None:
        """Keep what `change` makes of the note that it has, unless that one is as new."""
        ...


@dataclass
class _User:
    """One user's notes by their keys, and when they were last used."""

    last: float
    notes: dict[str, str] = field(default_factory=dict)
    written: dict[str, float] = field(default_factory=dict)  # when each was, deleted ones too
    blind: list[tuple[str, Change, float]] = field(default_factory=list)  # changes of notes that nobody could read

    @property
    def size(self) -> int:
        return sum(map(len, self.notes.values()))


class Notes:
    """All users' notes. Sessions share it."""

    def __init__(self, characters: int = CHARACTERS, age: float = AGE, clock: Callable[[], float] = time.monotonic):
        self.characters, self.age, self.clock = characters, age, clock
        self.keeper: Keeper | None = None
        self._asked: dict[str, float] = {}  # when the keeper was asked for a user's notes
        self._lock = threading.Lock()
        self._known: dict[str, _User] = {}  # in the order of their last visit
        self._size = 0

    def get(self, user: str, key: str) -> str | None:
        """The note of that key, or None."""
        self._ask_keeper(user)
        with self._lock:
            self._forget()
            entry = self._known.get(user)
            return entry.notes.get(key) if entry else None

    def change(self, user: str, key: str, change: Change) -> None:
        """Write what `change` makes of a note; None stands for no note. Other tabs of the user wait.

        It has no effect of its own, and is called again with the keeper's note where that could not be read at once.
        """
        self._ask_keeper(user)
        now = time.time()
        with self._lock:
            entry = self._taken_out(user)
            note = change(entry.notes.get(key))
            is_blind = self.keeper is not None and user not in self._asked
            if is_blind:
                entry.blind.append((key, change, now))
            self._put(entry, key, note or "", now)
            self._put_back(user, entry)
        if self.keeper is not None and is_blind:
            self.keeper.change(user, key, change, now)
        elif self.keeper is not None:
            self.keeper.write(user, key, note or "", now)

    def _ask_keeper(self, user: str) -> None:
        """Learn what other processes have noted for the user, where it is newer than what is known here."""
        if self.keeper is None or self.clock() - self._asked.get(user, float("-inf")) < ASK:
            return
        kept = self.keeper.read(user)
        if kept is None:
            return
        with self._lock:
            self._asked.pop(user, None)
            self._asked[user] = self.clock()
            if len(self._asked) > USERS:
                del self._asked[next(iter(self._asked))]
            if kept:
                entry = self._taken_out(user)
                self._learn(entry, kept)
                self._put_back(user, entry)

    def _learn(self, entry: _User, kept: dict[str, tuple[str, float]]) -> None:
        """Take the newer notes, with those changes in them that were made before they could be read."""
        notes = dict(kept)
        for key, change, when in entry.blind:
            note, before = notes.get(key, ("", 0.0))
            if before < when:
                notes[key] = change(note or None) or "", when
        entry.blind.clear()
        for key, (note, when) in notes.items():
            if when >= entry.written.get(key, 0.0):
                self._put(entry, key, note, when)

    def _taken_out(self, user: str) -> _User:
        entry = self._known.pop(user, None) or _User(0.0)
        self._size -= entry.size
        return entry

    def _put(self, entry: _User, key: str, note: str, when: float) -> None:
        entry.written[key] = when
        if note:
            entry.notes[key] = note
        else:
            entry.notes.pop(key, None)

    def _put_back(self, user: str, entry: _User) -> None:
        entry.last = self.clock()
        self._known[user] = entry
        self._size += entry.size
        self._forget()

    def _forget(self) -> None:
        """Drop the notes that are too old, and the oldest while there are too many."""
        now = self.clock()
        while self._known:
            user, entry = next(iter(self._known.items()))
            if self._size <= self.characters and now - entry.last <= self.age:
                return
            self._size -= entry.size
            del self._known[user]
            self._asked.pop(user, None)  # the keeper may have what is forgotten here


NOTES = Notes()


def noted(key: str) -> str | None:
    """Read the note of the user of this session, or None."""
    return NOTES.get(user(), key)


def note(key: str, change: Change) -> None:
    """Change a note for the user of this session."""
    NOTES.change(user(), key, change)
