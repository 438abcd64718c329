"""Notes that the server keeps for a user beyond one session, for example the answers of the quiz.

A session ends when its page is reloaded, or when a phone drops the tab. The cookie of `user.py` identifies the user's
browser. Notes are kept in memory for as long as that cookie lasts, and never leave the server.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pages.shared.session.user import AGE, reader

CHARACTERS = 50_000_000  # of all notes together; the reader who has been away for the longest time is forgotten first


@dataclass
class _Reader:
    """One reader's notes by their keys, and when they were last used."""

    last: float
    notes: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return sum(map(len, self.notes.values()))


class Notes:
    """All readers' notes. Sessions share it."""

    def __init__(self, characters: int = CHARACTERS, age: float = AGE, clock: Callable[[], float] = time.monotonic):
        self.characters, self.age, self.clock = characters, age, clock
        self._lock = threading.Lock()
        self._known: dict[str, _Reader] = {}  # in the order of their last visit
        self._size = 0

    def get(self, reader: str, key: str) -> str | None:
        """The note of that key, or None."""
        with self._lock:
            self._forget()
            known = self._known.get(reader)
            return known.notes.get(key) if known else None

    def change(self, reader: str, key: str, change: Callable[[str | None], str | None]) -> None:
        """Write what `change` makes of a note; None stands for no note. Other tabs of the reader wait."""
        with self._lock:
            known = self._known.pop(reader, None) or _Reader(0.0)
            self._size -= known.size
            note = change(known.notes.get(key))
            if note is None:
                known.notes.pop(key, None)
            else:
                known.notes[key] = note
            known.last = self.clock()
            self._known[reader] = known
            self._size += known.size
            self._forget()

    def _forget(self) -> None:
        """Drop the notes that are too old, and the oldest while there are too many."""
        now = self.clock()
        while self._known:
            reader, known = next(iter(self._known.items()))
            if self._size <= self.characters and now - known.last <= self.age:
                return
            self._size -= known.size
            del self._known[reader]


NOTES = Notes()


def noted(key: str) -> str | None:
    """What was noted for the reader of this session, or None."""
    return NOTES.get(reader(), key)


def note(key: str, change: Callable[[str | None], str | None]) -> None:
    """Change a note for the reader of this session."""
    NOTES.change(reader(), key, change)
