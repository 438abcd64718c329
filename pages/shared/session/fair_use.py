"""What one user may ask for in a minute, so that nobody takes the class's share of the server.

A user is a browser (`user.py`). Whoever deletes the cookie is a new one: the proxy in front limits connections.
"""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from model.errors import InvalidInput
from pages.shared.session.user import user

RUNS = "runs"  # of a page or a part of it, each a choice of the user
PASSES = "passes"  # of a sentence through a model that no one has asked for before
UPLOADS = "uploads"
PER_MINUTE = {RUNS: 300, PASSES: 60, UPLOADS: 6}
_limiter = MovingWindowRateLimiter(MemoryStorage())


def take(kind: str) -> None:
    """Count one of this user's; raise `InvalidInput` if this minute's are used up."""
    limit = RateLimitItemPerMinute(PER_MINUTE[kind])
    if not _limiter.hit(limit, kind, user()):
        left = _limiter.get_window_stats(limit, kind, user()).reset_time - time.time()
        raise InvalidInput(f"fair_{kind}", limit=PER_MINUTE[kind], seconds=max(1, math.ceil(left)))
