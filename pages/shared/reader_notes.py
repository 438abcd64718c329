"""What the server keeps for a reader beyond one session, such as the answers of the quiz: a reload loses nothing.

A session ends when its page is reloaded, or when a phone drops the tab. The reader is known by the cookie of
`reader.py`. Notes are kept in memory for as long as that cookie, and never leave the server.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pages.shared.reader import AGE, reader

READERS = 5_000  # of whom notes are kept; the one who has been away for the longest time is forgotten first


@dataclass
class _Reader:
    """One reader's notes by their keys."""

    last: float  # when they were last read or written
    notes: dict[str, str] = field(default_factory=dict)


class Notes:
    """All readers' notes. Sessions share it."""

    def __init__(self, readers: int = READERS, age: float = AGE, clock: Callable[[], float] = time.monotonic):
        self.readers, self.age, self.clock = readers, age, clock
        self._lock = threading.Lock()
        self._known: dict[str, _Reader] = {}  # in the order of their last visit

    def get(self, reader: str, key: str) -> str | None:
        """The note of that key, or None."""
        with self._lock:
            return self._of(reader).notes.get(key)

    def put(self, reader: str, notes: dict[str, str | None]) -> None:
        """Write notes; None deletes one."""
        with self._lock:
            own = self._of(reader).notes
            for key, note in notes.items():
                if note is None:
                    own.pop(key, None)
                else:
                    own[key] = note

    def _of(self, reader: str) -> _Reader:
        now = self.clock()
        known = self._known.pop(reader, None)
        if known is None or now - known.last > self.age:
            known = _Reader(now)
        known.last = now
        self._known[reader] = known
        while len(self._known) > self.readers:
            self._known.pop(next(iter(self._known)))
        return known


NOTES = Notes()


def noted(key: str) -> str | None:
    """What was noted for the reader of this session, or None."""
    return NOTES.get(reader(), key)


def note(**notes: str | None) -> None:
    """Note something for the reader of this session; None forgets it."""
    NOTES.put(reader(), notes)
