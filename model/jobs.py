"""Runs in the background: what a page asks of whatever runs them, on this machine or elsewhere.

This module needs no torch: whoever only looks at runs does not load it.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from model.refused import Refused

if TYPE_CHECKING:
    from model.forecast_run import ForecastTask
    from model.moments import Look, Moment
    from model.run_settings import RunSettings
    from model.runs import RunReport

State = Literal["queued", "running", "paused", "finished", "stopped", "failed"]
OVER: tuple[State, ...] = ("finished", "stopped", "failed")


@dataclass(frozen=True)
class Progress:
    """How a run stands. `reports` are those after the first `since` ones; `next` is the `since` to ask with then.

    position   place in the queue, 1 is next; 0 when it does not wait
    moments    steps of the saved moments
    look       the watched sentence's attention as last evaluated
    ended      why it came to no proper end
    wait       about how many seconds until a run that waits begins
    """

    id: str
    settings: "RunSettings"
    state: State
    position: int
    reports: tuple["RunReport", ...]
    next: int
    moments: tuple[int, ...]
    look: "Look | None"
    ended: Refused | None
    wait: float = 0.0


@dataclass(frozen=True)
class Result:
    """What a run has saved so far, whether it is over or not."""

    id: str
    settings: "RunSettings"
    folder: Path
    moments: tuple[int, ...]

    def moment(self, step: int | None = None) -> "Moment":
        """A saved moment, the last by default."""
        from model import moments
        from model.jobs_worker import name

        if not self.moments or step not in (None, *self.moments):
            raise Refused("job_empty")
        return moments.load(self.folder / name(self.moments[-1] if step is None else step))


class Backend(Protocol):
    """What a page asks of whatever runs the runs. Every method but `submit` and `list` raises `Refused` for an
    unknown id; an id cannot be guessed, and whoever has it may see and steer the run."""

    def submit(self, settings: "RunSettings | ForecastTask", session: str) -> str: ...

    def progress(self, id: str, since: int = 0) -> Progress: ...

    def pause(self, id: str) -> None: ...

    def resume(self, id: str) -> None: ...

    def stop(self, id: str) -> None: ...

    def result(self, id: str) -> Result: ...

    def list(self, session: str) -> list[Progress]: ...


def backend(place: str = "", **options: Any) -> Backend:
    """The pool on this machine, or the Ray cluster that `RAY_ADDRESS` names; options as of `Jobs`.

    `place` names a server among those of this machine: started again under that name, it goes on with its runs.
    """
    if not os.environ.get("RAY_ADDRESS"):
        from model import jobs_store
        from model.jobs_pool import Jobs

        return Jobs(folder=jobs_store.place(place) if place else None, **options)
    from model.jobs_ray import RayJobs

    return RayJobs(**options)
