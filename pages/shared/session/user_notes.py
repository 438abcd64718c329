"""Notes that the server keeps for a user beyond one session, for example the answers of the quiz.

A session ends when its page is reloaded, or when a phone drops the tab. The cookie of `user.py` identifies the user's
browser. Notes are kept in memory for as long as that cookie lasts, and never leave the server.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pages.shared.session.user import AGE, user

CHARACTERS = 50_000_000  # of all notes together; the user who has been away for the longest time is forgotten first


@dataclass
class _User:
    """One user's notes by their keys, and when they were last used."""

    last: float
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(map(len, self.notes.values()))


class Notes:
    """All users' notes. Sessions share it."""

    def __init__(self, characters: int = CHARACTERS, age: float = AGE, clock: Callable[[], float] = time.monotonic):
        self.characters, self.age, self.clock = characters, age, clock
        self._lock = threading.Lock()
        self._known: dict[str, _User] = {}  # in the order of their last visit
        self._size = 0

    def get(self, user: str, key: str) -> str | None:
        """The note of that key, or None."""
        with self._lock:
            self._forget()
            entry = self._known.get(user)
            return entry.notes.get(key) if entry else None

    def change(self, user: str, key: str, change: Callable[[str | None], str | None]) -> None:
        """Write what `change` makes of a note; None stands for no note. Other tabs of the user wait."""
        with self._lock:
            entry = self._known.pop(user, None) or _User(0.0)
            self._size -= entry.size
            note = change(entry.notes.get(key))
            if note is None:
                entry.notes.pop(key, None)
            else:
                entry.notes[key] = note
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


NOTES = Notes()


def noted(key: str) -> str | None:
    """Read the note of the user of this session, or None."""
    return NOTES.get(user(), key)


def note(key: str, change: Callable[[str | None], str | None]) -> None:
    """Change a note for the user of this session."""
    NOTES.change(user(), key, change)
