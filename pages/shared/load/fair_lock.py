"""Runs of pages take turns: one draws while the others wait in line.

Symptom: with fifty users pages took 3 to 17 s, although each needs 0.1 to 0.25 s. Cause: every small torch operation
gives Python's lock away and waits up to 5 ms to get it back while other threads compute, so that pages drawn at the
same time slow each other down far beyond their work. docs/hosting.md has the measured effect.

A run that has stood first in line for `PATIENCE` seconds begins all the same: one that takes long, such as a map of all
heads of a large model, does not stop the others. It waits four times as long for each run more that draws already.
Symptom: fifty users of /compare waited 20 s, although each run needs 0.1 s. Cause: two runs at once took longer than
`PATIENCE`, so that a third began, and so on: fifteen slowed each other down, and no turn ended in time.

Users are served in turn: somebody who asks for a hundred runs at once stands in line with the first of them, and with
the next one behind those who came meanwhile. This is start-time fair queueing: each run is marked with the count of
runs of its user, but never less than that of the run that began last, and the lowest mark begins.
"""

import threading
import time
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pages.shared.load import counts

AT_ONCE = 1  # runs that draw
PATIENCE = 0.5  # seconds
FURTHER = 4  # times `PATIENCE` for each run more that draws
STRETCH = 0.05  # seconds of its own work, after which long work lets others go first
BEGUN = -1  # mark of a run that was aside


class _Thread(threading.local):
    runs = False  # whether it has a turn
    began = 0.0  # its processor time when it began to work at a stretch
    who = ""  # whose it is


@dataclass(order=True, frozen=True)
class _Waiting:
    """A run in line: the lowest mark begins, of equal ones the first that came."""

    mark: int
    arrival: int
    call: threading.Event = field(compare=False, default_factory=threading.Event)


class FairLock:
    """A fair lock for at most `at_once` threads, which may be taken again by a thread that has it.

    `note` is told the seconds that each run stood in line and that it then took, and of which page it was.
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        patience: float = PATIENCE,
        stretch: float = STRETCH,
        note: Callable[[float, float, str], None] = lambda wait, took, page: None,
    ):
        self.at_once, self.patience, self.stretch, self.note = at_once, patience, stretch, note
        self._lock = threading.Lock()
        self._line: list[_Waiting] = []
        self._mark = self._arrivals = 0  # the mark of the run that began last; how many have stood in line
        self._marks: dict[str, int] = {}  # of each user's last run in line, where it is above that
        self._running = 0
        self._mine = _Thread()

    @contextmanager
    def hold(self, page: Callable[[], str] = str, who: str = "") -> Iterator[None]:
        """Wait in line, then run; `page` is asked at the end, as a run finds its page out. `who` is its user."""
        if self._mine.runs:
            yield
            return
        arrival = time.monotonic()
        self._mine.who = who
        self._enter()
        began = time.monotonic()
        self._mine.runs, self._mine.began = True, time.thread_time()
        try:
            yield
        finally:
            self._mine.runs = False
            took = time.monotonic() - began
            self._leave()
            self.note(began - arrival, took, page())

    def let_others(self) -> None:
        """In the middle of long work: those in line first. Nothing where nobody waits, or outside of a turn.

        Symptom: with fifty users /circuits took 1.6 s, and pages with as much work 0.5 s. Cause: its work was done in
        an earlier run, but each of its 40 parts let all others go first.
        """
        if self._line and self._mine.runs and time.thread_time() - self._mine.began >= self.stretch:
            self._leave()
            self._enter()
            self._mine.began = time.thread_time()

    @contextmanager
    def released(self) -> Iterator[None]:
        """Others draw while this run waits for another process; then it goes on before those in line."""
        if not self._mine.runs:
            yield
            return
        self._leave()
        try:
            yield
        finally:
            self._enter(first=True)

    def who(self) -> str:
        """Whose run this thread draws."""
        return self._mine.who

    def others_wait(self) -> bool:
        """Whether somebody stands in line."""
        return bool(self._line)

    def length(self) -> int:
        """How many stand in line."""
        return len(self._line)

    def _enter(self, first: bool = False) -> None:
        with self._lock:
            if self._running < self.at_once and (first or not self._line):
                self._running += 1
                return
            mine = self._return_to_line() if first else self._stand_in_line(self._mine.who)
        moments = 0  # first in line
        while not mine.call.wait(self.patience):
            with self._lock:
                if not self._line or self._line[0] is not mine:
                    continue
                moments += 1
                if moments >= FURTHER ** (self._running - self.at_once):  # those who run take long
                    self._begin_first()
                    return
        # whoever called has counted this run

    def _leave(self) -> None:
        with self._lock:
            self._running -= 1
            if self._line and self._running < self.at_once:
                self._begin_first()

    def _stand_in_line(self, who: str) -> _Waiting:
        self._arrivals += 1
        waiting = _Waiting(max(self._mark, self._marks.get(who, 0)) + 1, self._arrivals)
        self._marks[who] = waiting.mark
        insort(self._line, waiting)
        return waiting

    def _return_to_line(self) -> _Waiting:
        """Before all who have not begun."""
        self._arrivals += 1
        waiting = _Waiting(BEGUN, self._arrivals)
        insort(self._line, waiting)
        return waiting

    def _begin_first(self) -> None:
        first = self._line.pop(0)
        self._running += 1
        self._mark = max(self._mark, first.mark)
        if not self._line:
            self._marks.clear()
        first.call.set()


_fair_lock = FairLock(note=counts.drawn)
hold, let_others, released = _fair_lock.hold, _fair_lock.let_others, _fair_lock.released
others_wait, who = _fair_lock.others_wait, _fair_lock.who
