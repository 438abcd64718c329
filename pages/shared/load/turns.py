"""Runs of pages take turns: one draws while the others wait in line.

Symptom: with fifty users pages took 3 to 17 s, although each needs 0.1 to 0.25 s. Cause: every small torch operation
gives Python's lock away and waits up to 5 ms to get it back while other threads compute, so that pages drawn at the
same time slow each other down far beyond their work. docs/hosting.md has the measured effect.

A run that has stood first in line for `PATIENCE` seconds begins all the same: one that takes long, such as a map of all
heads of a large model, does not stop the others.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pages.shared.load import counts

AT_ONCE = 1  # runs that draw
PATIENCE = 0.5  # seconds


class _Thread(threading.local):
    runs = False  # whether it has a turn


class Turns:
    """A fair lock for at most `at_once` threads, which may be taken again by a thread that has it.

    `note` is told the seconds that each run stood in line and that it then took, and of which page it was.
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        patience: float = PATIENCE,
        note: Callable[[float, float, str], None] = lambda wait, took, page: None,
    ):
        self.at_once, self.patience, self.note = at_once, patience, note
        self._lock = threading.Lock()
        self._line: deque[threading.Event] = deque()
        self._running = 0
        self._mine = _Thread()

    @contextmanager
    def turn(self, page: Callable[[], str] = str) -> Iterator[None]:
        """Wait in line, then run; `page` is asked at the end, as a run finds its page out."""
        if self._mine.runs:
            yield
            return
        arrival = time.monotonic()
        self._enter()
        began = time.monotonic()
        self._mine.runs = True
        try:
            yield
        finally:
            self._mine.runs = False
            took = time.monotonic() - began
            self._leave()
            self.note(began - arrival, took, page())

    def let_others(self) -> None:
        """In the middle of long work: those in line first. Nothing where nobody waits, or outside of a turn."""
        if self._line and self._mine.runs:
            self._leave()
            self._enter()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Others draw while this run waits for another process; then it goes on before those in line."""
        if not self._mine.runs:
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter(first=True)

    def others_wait(self) -> bool:
        """Whether somebody stands in line."""
        return bool(self._line)

    def _enter(self, first: bool = False) -> None:
        with self._lock:
            if self._running < self.at_once and (first or not self._line):
                self._running += 1
                return
            call = threading.Event()
            if first:
                self._line.appendleft(call)
            else:
                self._line.append(call)
        while not call.wait(self.patience):
            with self._lock:
                if self._line and self._line[0] is call:  # those who run take long
                    self._line.popleft()
                    self._running += 1
                    return
        # whoever called has counted this run

    def _leave(self) -> None:
        with self._lock:
            self._running -= 1
            if self._line and self._running < self.at_once:
                self._running += 1
                self._line.popleft().set()


_turns = Turns(note=counts.drawn)
turn, let_others, others_wait, aside = _turns.turn, _turns.let_others, _turns.others_wait, _turns.aside
