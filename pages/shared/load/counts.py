"""Counts of this process since it began, for who runs it: how long pages took, whom it refused, what failed."""

from __future__ import annotations

import math
import threading
import time
import traceback
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

BOUNDS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)  # seconds: the upper ends of the histograms' classes
MINUTE = 60.0
ERRORS = 20  # the last ones are kept
_MOST = 20_000  # runs of a minute
_ROOT = Path(__file__).parents[3]


@dataclass
class Histogram:
    """How often something took how long; the last class has what is longer than all `BOUNDS`."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    sum: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds


@dataclass(frozen=True)
class Failure:
    """An error that nobody caught: when, of which type, and where in our code. No text of a user."""

    when: float
    type: str
    place: str


@dataclass
class _Counts:
    took: Histogram = field(default_factory=Histogram)
    waited: Histogram = field(default_factory=Histogram)
    lately: deque[tuple[float, float, float, str]] = field(default_factory=lambda: deque(maxlen=_MOST))
    refused: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    failures: deque[Failure] = field(default_factory=lambda: deque(maxlen=ERRORS))


_lock = threading.Lock()
_counts = _Counts()


def drawn(wait: float, took: float, page: str) -> None:
    """A page, or a part of it, stood in line for `wait` seconds and was drawn in `took`."""
    with _lock:
        _counts.took.add(took)
        _counts.waited.add(wait)
        _counts.lately.append((time.monotonic(), wait, took, page))


def refused(kind: str) -> None:
    """A user asked for more than is fair."""
    with _lock:
        _counts.refused[kind] += 1


def failed(error: BaseException) -> None:
    """A page met an error that nobody caught."""
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_ROOT) and "site-packages" not in frame.filename
    ]
    place = f"{Path(ours[-1].filename).relative_to(_ROOT)}:{ours[-1].lineno}" if ours else ""
    with _lock:
        _counts.failed += 1
        _counts.failures.append(Failure(time.time(), type(error).__name__, place))


def report() -> dict[str, object]:
    """All of it as JSON values. `lately`, `pages`: runs of the last minute, and seconds within which 95 % were done."""
    with _lock:
        now = time.monotonic()
        lately = [(wait, took, page) for when, wait, took, page in _counts.lately if now - when <= MINUTE]
        return {
            "took": asdict(_counts.took),
            "waited": asdict(_counts.waited),
            "lately": {
                "runs": len(lately),
                "waited": _slow([wait for wait, _, _ in lately]),
                "took": _slow([took for _, took, _ in lately]),
                "whole": _slow([wait + took for wait, took, _ in lately]),
            },
            "pages": _by_page((page, wait + took) for wait, took, page in lately),
            "refused": dict(_counts.refused),
            "failed": _counts.failed,
            "failures": [asdict(failure) for failure in _counts.failures],
        }


def _by_page(runs: Iterable[tuple[str, float]]) -> dict[str, dict[str, float]]:
    """Of each page: its runs, and the seconds within which 95 % were done, their wait included."""
    seconds: dict[str, list[float]] = {}
    for page, whole in runs:
        seconds.setdefault(page, []).append(whole)
    return {page: {"runs": len(each), "whole": _slow(each)} for page, each in sorted(seconds.items())}


def _slow(seconds: list[float]) -> float:
    """The 95th percentile (nearest rank); 0 of nothing."""
    return round(sorted(seconds)[math.ceil(0.95 * len(seconds)) - 1], 4) if seconds else 0.0
