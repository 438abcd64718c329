"""The data types of background runs: what a page may ask of a queue, and what the queue needs of a task.

This module needs no torch, so that runs can be listed without loading it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from model.errors import InvalidInput

if TYPE_CHECKING:
    from model.checkpoint.snapshots import Snapshot
    from model.train.report import RunReport


State = Literal["queued", "running", "paused", "finished", "stopped", "failed"]
OVER: tuple[State, ...] = ("finished", "stopped", "failed")


class Run(Protocol):
    """A run as a worker executes it. `ended` says why it ended early."""

    ended: InvalidInput | None
    stopped: bool

    def reports(self) -> "Iterator[RunReport]":
        """Train and report at intervals. Between two reports the run can be interrupted."""

    def stop(self) -> None:
        """End after the next report."""

    def state(self) -> dict[str, object]:
        """Values from which the run can be resumed. Raises `InvalidInput` if it cannot be resumed."""


class Task(Protocol):
    """Run that can be queued: its settings and how it starts. It is pickled and sent to a worker."""

    @property
    def settings(self) -> Any:
        """The settings, for pages."""

    @property
    def steps(self) -> int:
        """Steps of the complete run."""

    def check(self, limits: Any) -> float:
        """The estimated seconds of the run. Raises `InvalidInput` for invalid settings and exceeded limits."""

    def start(self, limits: Any, state: dict | None = None) -> Run:
        """The run, from its beginning or from a saved state."""

    def split(self, report: "RunReport") -> "tuple[RunReport, Any]":
        """The report as it is kept, and what of it is kept only until a later one has it too, None without it."""

    def stored(self) -> dict[str, Any] | None:
        """The settings as JSON values; None for a short task that is not kept when the server stops."""


class Limits(Protocol):
    """The limits of one run. The queue only uses the time; the task may define more."""

    @property
    def seconds(self) -> float: ...


class Kind(Protocol):
    """Methods that the queue needs of the class of tasks that survive a stop of the server. Pickled by its name."""

    def restored(self, fields: dict[str, Any]) -> Task:
        """The task that `Task.stored` described. Raises TypeError if another version wrote it."""

    def report(self, fields: dict[str, Any]) -> "RunReport":
        """The report with these JSON fields."""

    def latest(self, snapshot: Path) -> Any:
        """The part that `Task.split` took out of the report with this snapshot."""

    def limits(self) -> Limits:
        """The default limits."""

    def smallest(self) -> Task:
        """The task that a new worker runs to warm up."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    position   place in the queue, 1 is next; 0 if the run does not wait
    reports    those after the first `since` reports
    next       the `since` of the next request
    moments    steps of the saved snapshots
    latest     what the task keeps of its last report alone
    ended      why the run ended early
    wait       estimated seconds until a waiting run begins
    """

    id: str
    settings: Any  # those of the task
    state: State
    position: int
    reports: tuple["RunReport", ...]
    next: int
    moments: tuple[int, ...]
    latest: Any
    ended: InvalidInput | None
    wait: float = 0.0


@dataclass(frozen=True)
class Result:
    """Snapshots that a run has saved so far, finished or not."""

    id: str
    settings: Any  # those of the task
    folder: Path
    moments: tuple[int, ...]

    def moment(self, step: int | None = None) -> "Snapshot":
        """A saved snapshot, by default the last one. Raises `InvalidInput` if there is none for `step`."""
        from model.checkpoint import snapshots

        if not self.moments or step not in (None, *self.moments):
            raise InvalidInput("job_empty")
        return snapshots.load(self.folder / moment_file(self.moments[-1] if step is None else step))


@dataclass(frozen=True)
class Outlook:
    """Estimate for a run that is submitted now.

    wait       estimated seconds until it begins
    fastest    measured seconds per estimated second, at best
    slowest    the same, at worst
    """

    wait: float
    fastest: float
    slowest: float


class Backend(Protocol):
    """Executor of runs, as pages use it: a pool on this machine or a Ray cluster.

    Every method that takes an id raises `InvalidInput` for an unknown one. Ids cannot be guessed; whoever knows one
    may see and control the run.
    """

    def submit(self, task: Task, session: str) -> str: ...

    def progress(self, id: str, since: int = 0) -> Progress: ...

    def pause(self, id: str) -> None: ...

    def resume(self, id: str) -> None: ...

    def stop(self, id: str) -> None: ...

    def result(self, id: str) -> Result: ...

    def list(self, session: str) -> list[Progress]: ...

    def outlook(self) -> Outlook: ...

    def states(self) -> dict[State, int]: ...


@dataclass(eq=False)
class Job:
    """A run with the bookkeeping of the queue."""

    id: str
    session: str
    task: Task
    folder: Path
    submitted: float = field(default_factory=time.time)  # seconds since 1970
    state: State = "queued"
    reports: list["RunReport"] = field(default_factory=list)
    moments: list[int] = field(default_factory=list)
    latest: Any = None  # what `Task.split` took out of the last report that has it
    ended: InvalidInput | None = None
    stopping: bool = False  # a stop was requested
    seen: float = 0.0  # time of the last request for its progress
    began: float = 0.0  # time at which a worker last started it
    seconds: float = 0.0  # the estimated duration

    @property
    def step(self) -> int:
        """The step of the last snapshot."""
        return self.moments[-1] if self.moments else 0


def moment_file(step: int) -> str:
    """The file name of the snapshot after `step` steps."""
    return f"moment-{step:06d}.npz"
