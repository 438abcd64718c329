"""Limits of one user's requests in a minute, so that nobody takes the class's share of the server.

A user is a browser (`user.py`). Whoever deletes the cookie is a new one: the proxy in front limits connections, and
who starts classes is limited by address, too. A whole school may stand behind one, so this limit is high.
"""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from model.errors import InvalidInput
from pages.shared.load import counts
from pages.shared.session import user

RUNS = "runs"  # of a page or a part of it, each a choice of the user
PASSES = "passes"  # of a sentence through a model that no one has asked for before
UPLOADS = "uploads"
CODES = "codes"  # wrong ones of classes
CLASSROOMS = "rooms"  # classes that are started
ACTS = "acts"  # what a browser sends to a class
FILES = "files"  # that are made for a download
CALLS = "calls"  # of the engine of a live page
PER_MINUTE = {RUNS: 300, PASSES: 60, UPLOADS: 6, CODES: 10, CLASSROOMS: 3, ACTS: 120, FILES: 60, CALLS: 300}
OF_ADDRESS = {CLASSROOMS: 200}
_limiter = MovingWindowRateLimiter(MemoryStorage())


def take(kind: str, who: str = "") -> None:
    """Count one of this user's, or of `who`, and of their address; raise `InvalidInput` if a minute's are used up."""
    if kind in PER_MINUTE:
        _take(kind, who or user.user(), PER_MINUTE[kind])
    if kind in OF_ADDRESS:
        _take(kind, f"address {user.address()}", OF_ADDRESS[kind])


def check(kind: str, who: str = "") -> None:
    """Raise `InvalidInput` if this user's, or those of `who`, of this minute are used up, without counting one."""
    _take(kind, who or user.user(), PER_MINUTE[kind], cost=0)


def _take(kind: str, who: str, most: int, cost: int = 1) -> None:
    limit = RateLimitItemPerMinute(most)
    if not (_limiter.hit(limit, kind, who) if cost else _limiter.test(limit, kind, who)):
        left = _limiter.get_window_stats(limit, kind, who).reset_time - time.time()
        counts.refused(kind)
        raise InvalidInput(f"fair_{kind}", limit=most, seconds=max(1, math.ceil(left)))
