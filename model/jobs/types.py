"""Runs in the background: what a page asks of a queue, here or elsewhere, and what the queue asks of a task.

This module needs no torch: whoever only looks at runs does not load it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from model.errors import InvalidInput

if TYPE_CHECKING:
    from model.checkpoint.snapshots import ProbeAttention, Snapshot
    from model.train.run import RunReport


State = Literal["queued", "running", "paused", "finished", "stopped", "failed"]
OVER: tuple[State, ...] = ("finished", "stopped", "failed")


class Run(Protocol):
    """A run that is under way, as a worker drives it: `ended` says why it came to no proper end."""

    ended: InvalidInput | None
    stopped: bool

    def reports(self) -> "Iterator[RunReport]":
        """Train, with a report now and then; between two of them the run can be left."""

    def stop(self) -> None:
        """End after the next report."""

    def state(self) -> dict[str, object]:
        """What another run of the same task needs to go on; raises `InvalidInput` where a run cannot be left."""


class Task(Protocol):
    """A run that can be asked for. It is pickled on its way to a worker."""

    @property
    def settings(self) -> Any:
        """What a page is told of it."""

    @property
    def steps(self) -> int:
        """Of a run that comes to its end."""

    def check(self, limits: Any) -> float:
        """About how many seconds it takes; raises `InvalidInput` for what cannot run or exceeds the limits."""

    def start(self, limits: Any, state: dict | None = None) -> Run:
        """The run, from its beginning or from where it was left."""

    def stored(self) -> dict[str, Any] | None:
        """What JSON says of it; None where it is over too soon to outlive a server."""


class Limits(Protocol):
    """What one run may ask of the host; its task may know of more than the time."""

    @property
    def seconds(self) -> float: ...


class Kind(Protocol):
    """The tasks that outlive a server, as the queue has to know them. It is a class, which is pickled by its name."""

    def restored(self, fields: dict[str, Any]) -> Task:
        """The task of which `Task.stored` said this; a TypeError says that it is of another version."""

    def report(self, fields: dict[str, Any]) -> "RunReport":
        """The report that has these fields in JSON."""

    def limits(self) -> Limits:
        """Where the host says nothing else."""

    def smallest(self) -> Task:
        """What a worker warms up with."""


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
    settings: Any  # those of the task
    state: State
    position: int
    reports: tuple["RunReport", ...]
    next: int
    moments: tuple[int, ...]
    look: "ProbeAttention | None"
    ended: InvalidInput | None
    wait: float = 0.0


@dataclass(frozen=True)
class Result:
    """What a run has saved so far, whether it is over or not."""

    id: str
    settings: Any  # those of the task
    folder: Path
    moments: tuple[int, ...]

    def moment(self, step: int | None = None) -> "Snapshot":
        """A saved moment, the last by default."""
        from model.checkpoint import snapshots

        if not self.moments or step not in (None, *self.moments):
            raise InvalidInput("job_empty")
        return snapshots.load(self.folder / moment_file(self.moments[-1] if step is None else step))


class Backend(Protocol):
    """What a page asks of whatever runs the runs. Every method but `submit` and `list` raises `InvalidInput` for an
    unknown id; an id cannot be guessed, and whoever has it may see and steer the run."""

    def submit(self, task: Task, session: str) -> str: ...

    def progress(self, id: str, since: int = 0) -> Progress: ...

    def pause(self, id: str) -> None: ...

    def resume(self, id: str) -> None: ...

    def stop(self, id: str) -> None: ...

    def result(self, id: str) -> Result: ...

    def list(self, session: str) -> list[Progress]: ...


@dataclass(eq=False)
class Job:
    """A run as the queue knows it."""

    id: str
    session: str
    task: Task
    folder: Path
    submitted: float = field(default_factory=time.time)  # seconds since 1970
    state: State = "queued"
    reports: list["RunReport"] = field(default_factory=list)
    moments: list[int] = field(default_factory=list)
    look: "ProbeAttention | None" = None
    ended: InvalidInput | None = None
    stopping: bool = False  # somebody asked for it, or nobody watches
    seen: float = 0.0  # when somebody last looked
    began: float = 0.0  # when a worker last took it
    seconds: float = 0.0  # that it was thought to take

    @property
    def step(self) -> int:
        """Of the last saved moment."""
        return self.moments[-1] if self.moments else 0


def moment_file(step: int) -> str:
    """The file of the moment after `step` steps."""
    return f"moment-{step:06d}.npz"
