"""The queue of a pool: which runs there are, who is next, how many one session may have, how long each is kept.

It knows no process and no thread: the pool says what its workers report, and holds its lock meanwhile.
"""

import contextlib
import math
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.errors import InvalidInput
from model.jobs import store as job_store
from model.jobs.types import OVER, Job, Kind, Limits, Progress, Task

if TYPE_CHECKING:
    from model.train.run import RunReport


UNWATCHED = 300.0  # seconds without a look at a run after which it is stopped
ABANDONED = 1800.0  # and at one that waits: who is far back in a long queue may read something else meanwhile
FORGOTTEN = 6 * 3600.0  # and after which one that is over is removed
WAITING = 60  # runs that wait, of all sessions together
KEPT = 8  # runs of a session that are over; older ones are removed
GRACE = 60.0  # seconds by which a run may exceed the limit on time before its worker is ended


class Queue:
    """The runs of all sessions, in the order in which they came."""

    def __init__(
        self,
        kind: Kind,
        folder: Path,
        most: int,
        *,
        outlives: bool,
        limits: Limits | None = None,
        unwatched: float = UNWATCHED,
        waiting: int = WAITING,
        clock: Callable[[], float] = time.monotonic,
    ):
        """Of `most` runs at a time. One that `outlives` its server notes in the folder how runs stand, and goes on with
        those that it finds there."""
        self.kind = kind
        self.folder = folder
        self.most = most
        self.outlives = outlives
        self.unwatched = unwatched
        self.clock = clock
        self.jobs: dict[str, Job] = {}
        self._limits = limits
        self._waiting = waiting
        self._queued: list[Job] = []
        self._pace = 1.0  # seconds that runs take of late, for each that they were thought to
        if outlives:
            self._restore()

    def limits(self) -> Limits:
        """What one run may ask of this host."""
        return self._limits or self.kind.limits()

    def find(self, id_: str) -> Job:
        """The run; raises `InvalidInput` for an unknown id."""
        if id_ not in self.jobs:
            raise InvalidInput("job_unknown")
        return self.jobs[id_]

    def watched(self, id_: str) -> Job:
        """The run, which somebody looks at just now."""
        job = self.find(id_)
        job.seen = self.clock()
        return job

    def progress(self, job: Job, since: int) -> Progress:
        """How the run stands."""
        waits = job.state == "queued"
        place = self._queued.index(job) if waits else 0
        return Progress(
            id=job.id,
            settings=job.task.settings,
            state=job.state,
            position=place + 1 if waits else 0,
            reports=tuple(job.reports[max(0, since) :]),
            next=len(job.reports),
            moments=tuple(job.moments),
            look=job.look,
            ended=job.ended,
            wait=self._wait(place) if waits else 0.0,
        )

    # ---- what somebody asks for

    def add(self, task: Task, session: str, seconds: float) -> Job:
        """A new run at the end of the queue; raises `InvalidInput` where there may be no more."""
        self._admit(session)
        self._forget(session)
        id_ = secrets.token_urlsafe(16)
        job = Job(id_, session, task, self.folder / id_, seen=self.clock(), seconds=seconds)
        job.folder.mkdir(parents=True)
        self.jobs[id_] = job
        self._queued.append(job)
        self.save(job)
        return job

    def pause(self, job: Job) -> None:
        """Take a run that waits out of the queue."""
        if job.state != "queued":
            raise InvalidInput("job_state", state=job.state)
        self._queued.remove(job)
        job.state = "paused"
        self.save(job)

    def resume(self, job: Job) -> None:
        """Queue a paused run again."""
        if job.state != "paused":
            raise InvalidInput("job_state", state=job.state)
        self._admit(job.session)
        job.state, job.seen = "queued", self.clock()
        self._queued.append(job)
        self.save(job)

    def stop(self, job: Job) -> None:
        """End a run; one that is running ends when its worker, which has to be told, says so."""
        if job.state == "running":
            job.stopping = True
        elif job.state not in OVER:
            if job in self._queued:
                self._queued.remove(job)
            job.state = "stopped"
            self.save(job)

    # ---- what the workers do

    def next(self) -> Job | None:
        """The first that waits and whose session has nothing running."""
        busy = {job.session for job in self.jobs.values() if job.state == "running"}
        return next((job for job in self._queued if job.session not in busy), None)

    def begin(self, job: Job) -> None:
        """A worker has taken it."""
        self._queued.remove(job)
        job.state, job.began = "running", self.clock()
        self.save(job)

    def report(self, job: Job, report: "RunReport", saved: int | None) -> None:
        """It goes on; `saved` is the step of a moment that has just been saved."""
        if report.evaluation is not None:
            job.look = report.evaluation.look
            report = replace(report, evaluation=replace(report.evaluation, look=None))
        job.reports.append(report)
        if 10 * report.step > report.steps and job.seconds:  # by then it is known how fast it goes
            self._pace = (report.seconds + report.seconds_left) / job.seconds
        if self.outlives:
            with contextlib.suppress(OSError):  # a full disk ends no run
                job_store.append(job.folder, report)
        if saved is not None:
            job.moments.append(saved)

    def leave(self, job: Job) -> None:
        """It has been left in the middle, to go on later."""
        job.state = "stopped" if job.stopping else "paused"
        self.save(job)

    def end(self, job: Job, code: str | None, values: dict[str, Any]) -> None:
        """It is over; a code says why it came to no proper end."""
        if code is not None:
            job.ended = InvalidInput(code, **(values | ({"step": job.step} if code == "job_failed" else {})))
        failed = code is not None and code != "run_time"
        finished = job.reports and job.reports[-1].step == job.task.steps
        job.state = "failed" if failed else "finished" if finished else "stopped"
        self.save(job)

    def fail(self, job: Job, reason: str) -> None:
        """Its worker has died."""
        job.ended = InvalidInput("job_died", reason=reason, step=job.step)
        job.state = "failed"
        self.save(job)

    # ---- what time does

    def expire(self) -> list[Job]:
        """Remove what nobody has come back to, and stop what nobody watches; gives the latter."""
        now, stopped = self.clock(), []
        for job in list(self.jobs.values()):
            idle = now - job.seen
            patience = {"running": self.unwatched, "queued": max(ABANDONED, self.unwatched)}.get(job.state)
            if patience and min(idle, now - job.began) > patience and not job.stopping:
                job.ended = InvalidInput("job_unwatched", minutes=f"{patience / 60:g}")
                self.stop(job)
                stopped.append(job)
            elif job.state in (*OVER, "paused") and idle > FORGOTTEN:
                self._remove(job)
        return stopped

    def overdue(self, job: Job) -> bool:
        """Whether a run that is running has not ended by itself at the limit on time."""
        return self.clock() - job.began > self.limits().seconds + GRACE

    # ----

    def save(self, job: Job) -> None:
        """Note how a run stands, where there is a folder for it."""
        if self.outlives and job.folder.exists():
            with contextlib.suppress(OSError):
                job_store.write(job)

    def _restore(self) -> None:
        """Take over the runs of a pool that has ended: what can go on waits again, those that were running first."""
        restored = job_store.restore(self.folder, self.kind, self.limits)
        self.jobs = {job.id: job for job in restored}
        for job in restored:
            job.seen = self.clock()
        self._queued = sorted((job for job in restored if job.state == "queued"), key=lambda job: not job.reports)

    def _wait(self, place: int) -> float:
        """About how many seconds until the run in that place of the queue begins, as runs have gone of late."""
        ahead = self._pace * sum(job.seconds for job in self._queued[:place])
        left = (_left(job) or self._pace * job.seconds for job in self.jobs.values() if job.state == "running")
        return (ahead + sum(left)) / self.most

    def _admit(self, session: str) -> None:
        """Refuse one more run of a session that has one running and one waiting, or of anybody if all are waiting."""
        states = [job.state for job in self.jobs.values() if job.session == session]
        if states.count("queued") + states.count("running") >= 2:
            raise InvalidInput("job_full")
        if len(self._queued) >= self._waiting:
            raise InvalidInput("job_queue", count=len(self._queued), limit=self._waiting)

    def _forget(self, session: str) -> None:
        """Remove the oldest runs of a session that has many."""
        over = [job for job in self.jobs.values() if job.session == session and job.state in (*OVER, "paused")]
        for job in over[: max(0, len(over) - KEPT + 1)]:
            self._remove(job)

    def _remove(self, job: Job) -> None:
        del self.jobs[job.id]
        shutil.rmtree(job.folder, ignore_errors=True)


def _left(job: Job) -> float | None:
    """Seconds that a run still takes, where that is known."""
    left = job.reports[-1].seconds_left if job.reports else math.nan
    return left if math.isfinite(left) else None
