"""Writes that nobody waits for and that must not be lost: kept in this process until the database takes them."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from model.errors import InvalidInput

AWAY = (OperationalError, InterfaceError, PoolTimeout, OSError)  # what passes: locked, full, gone, too busy
REST, LONGEST_REST = 0.5, 8.0  # seconds between two tries: twice as long each time
KEPT = 900.0  # seconds after which a write that never succeeds is given up
MOST = 5_000  # writes; beyond, the oldest are given up
TRIES = 3  # after which the next one is tried too, for the fault may be of this one
PATIENCE = 0.3  # seconds that a sender waits while no other write is kept, so that who looks next finds it


@dataclass(eq=False)
class _Write:
    act: Callable[[], object]
    until: float
    tries: int = 0


class Outbox:
    """Writes in the order in which they were sent, made by one thread. Threads may share it.

    One that has failed `tries` times while the one behind it succeeds goes to the end, whichever of them the fault was
    of: a fault that ends between these two attempts looks the same.
    """

    def __init__(
        self, rest: float = REST, patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic,
        tries: int = TRIES,
    ):  # fmt: skip
        self.rest, self.patience, self.clock, self.tries = rest, patience, clock, tries
        self._changed = threading.Condition()
        self._line: deque[_Write] = deque()
        self._thread: threading.Thread | None = None

    def send(self, act: Callable[[], object]) -> None:
        """Make this write now if the database answers, else as soon as it does. It may be made twice."""
        write = _Write(act, self.clock() + KEPT)
        with self._changed:
            is_first = not self._line
            self._line.append(write)
            if len(self._line) > MOST:
                self._give_up(self._line[0], "too many are kept")
            if self._thread is None:
                self._thread = threading.Thread(target=self._write_all, name="outbox", daemon=True)
                self._thread.start()
            self._changed.notify_all()
            if is_first:
                self._changed.wait_for(lambda: write not in self._line, self.patience)

    def flush(self, seconds: float) -> bool:
        """Wait until all is written, for at most so long; return whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._line, seconds)

    def _write_all(self) -> None:
        rest = self.rest
        while True:
            with self._changed:
                self._changed.wait_for(lambda: bool(self._line))
                write = self._line[0]
            if self._is_done(write):
                rest = self.rest
            else:
                self._let_next(write)
                time.sleep(rest)
                rest = min(2 * rest, LONGEST_REST)

    def _let_next(self, write: _Write) -> None:
        """Try the one behind a write that has failed several times."""
        write.tries += 1
        with self._changed:
            following = self._line[1] if write.tries >= self.tries and len(self._line) > 1 else None
        if following is not None and self._is_done(following):
            with self._changed:
                if write in self._line:
                    self._line.remove(write)
                    self._line.append(write)

    def _is_done(self, write: _Write) -> bool:
        """Whether there is nothing left to try; only what passes is tried again."""
        problem: Exception | None = None
        try:
            write.act()
        except InvalidInput:  # the class is over, say: it has nothing to write
            pass
        except AWAY as error:
            if self.clock() < write.until:
                return False
            problem = error
        except Exception as error:  # its student has left, say
            problem = error
        with self._changed:
            if problem:
                self._give_up(write, str(problem))
            elif write in self._line:
                self._line.remove(write)
            self._changed.notify_all()
        return True

    def _give_up(self, write: _Write, reason: str) -> None:
        if write in self._line:
            self._line.remove(write)
            logging.getLogger(__name__).error("a write to the database of the classes is given up: %s", reason)
