"""The one queue of training runs of this server, and what a page asks of it."""

import atexit
import threading
import time
from functools import cache

from model.jobs.choose_backend import backend
from model.jobs.pool import Jobs
from model.jobs.types import Backend, State
from model.train.job import TrainingTask
from pages.shared.models import warmup

NO_REPORTS = 10**9  # more than any run has: of those after them there are none
_place = ""  # what this server is called on its machine, where it goes on with the runs of one that was ended
AFTER = 30.0  # seconds after which the workers follow the models, which take a core too, unless somebody is waiting


@cache
def jobs() -> Backend:
    """The queue; it starts nothing before the first run, or before it is warmed up."""
    atexit.register(close)  # a server that is not told to stop in order
    return backend(TrainingTask, _place)


def states() -> dict[State, int]:
    """How many runs there are in each state; it starts nothing."""
    return jobs().states() if jobs.cache_info().currsize else {}


def is_shared() -> bool:
    """Whether the queue is that of a cluster, which other servers use too; it starts nothing."""
    return bool(jobs.cache_info().currsize) and not isinstance(jobs(), Jobs)


def warm_up_later(place: str) -> None:
    """Start the workers of the server of that name once the models are loaded."""
    global _place
    _place = place
    threading.Thread(target=_warm_up, name="warm-up-workers", daemon=True).start()


def _warm_up() -> None:
    warmup.wait()
    time.sleep(0.0 if _has_runs() else AFTER)
    warm_up()


def _has_runs() -> bool:
    """Whether runs wait that a server has left which was killed."""
    return isinstance(queue := jobs(), Jobs) and bool(queue.states().get("queued"))


def warm_up() -> None:
    """Start the workers now; a backend elsewhere has its own."""
    if isinstance(queue := jobs(), Jobs):
        queue.warm()


def close() -> None:
    """End the workers with the server."""
    if jobs.cache_info().currsize and isinstance(queue := jobs(), Jobs):
        queue.close()
