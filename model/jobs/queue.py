"""The queue of a pool: all runs, which is next, how many a session may have, and how long each is kept.

It uses no processes and no threads: the pool calls it with what its workers report, and holds the lock.
"""

import math
import secrets
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.errors import InvalidInput
from model.jobs import store
from model.jobs.retention import ABANDONED, FORGOTTEN, UNWATCHED
from model.jobs.types import OVER, Job, Kind, Limits, Outlook, Progress, Task

if TYPE_CHECKING:
    from model.train.report import RunReport

WAITING = 60  # waiting runs of all sessions together
KEPT = 8  # finished runs of a session; older ones are removed
GRACE = 60.0  # seconds by which a run may exceed the limit of time before its worker is killed
RECENT = 8  # runs whose measured time corrects the estimates


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
        """At most `most` runs are executed at a time. A queue that `outlives` its server saves the states of runs in
        `folder`, and takes over the runs that it finds there."""
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
        self._unsaved: set[Job] = set()  # which the disk could not take; it is tried again
        self._paces: dict[str, float] = {}  # measured seconds per estimated second, of recent runs by id
        if outlives:
            self._restore()

    def limits(self) -> Limits:
        """The limits of one run."""
        return self._limits or self.kind.limits()

    def find(self, id_: str) -> Job:
        """The run; raises `InvalidInput` for an unknown id."""
        if id_ not in self.jobs:
            raise InvalidInput("job_unknown")
        return self.jobs[id_]

    def watched(self, id_: str) -> Job:
        """The run; notes that somebody watches it."""
        job = self.find(id_)
        job.seen = self.clock()
        return job

    def progress(self, job: Job, since: int) -> Progress:
        """The progress of a run, with its reports from number `since` on. A run of another process may wait too."""
        waits = job.state == "queued"
        place = self._queued.index(job) if job in self._queued else 0
        return Progress(
            id=job.id,
            settings=job.task.settings,
            state=job.state,
            position=place + 1 if waits else 0,
            reports=tuple(job.reports[max(0, since) :]),
            next=len(job.reports),
            moments=tuple(job.moments),
            latest=job.latest,
            ended=job.ended,
            wait=self._wait(place) if waits else 0.0,
        )

    def outlook(self, crowd: float) -> Outlook:
        """Estimate how a run that is submitted now waits and runs, while `crowd` processes share a core.

        The recent runs say how far estimates are off. They may have run when the machine had less to do than now; then
        a run takes as many times longer as processes share a core.
        """
        running = sum(job.state == "running" for job in self.jobs.values())
        busy = bool(self._queued) or running >= self.most
        paces = [1.0, *self._paces.values()]
        return Outlook(self._wait(len(self._queued)) if busy else 0.0, min(paces), max(*paces, crowd))

    # ---- what somebody asks for

    def add(self, task: Task, session: str, seconds: float) -> Job:
        """Add a run at the end of the queue. Raises `InvalidInput` if the session, the queue or the disk is full."""
        self._admit(session)
        self._forget(session)
        id_ = secrets.token_urlsafe(16)
        job = Job(id_, session, task, self.folder / id_, seen=self.clock(), seconds=seconds)
        try:
            job.folder.mkdir(parents=True)
        except OSError:
            raise InvalidInput("job_full_disk") from None
        self.jobs[id_] = job
        self._queued.append(job)
        self.save(job)
        return job

    def pause(self, job: Job) -> None:
        """Take a waiting run out of the queue."""
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
        """Stop a run. A running one ends when its worker, which the pool has to tell, reports the end."""
        if job.state == "running":
            job.stopping = True
        elif job.state not in OVER:
            if job in self._queued:
                self._queued.remove(job)
            job.state = "stopped"
            self.save(job)

    # ---- what the workers do

    def next(self) -> Job | None:
        """The first waiting run whose session has no running one."""
        busy = {job.session for job in self.jobs.values() if job.state == "running"}
        return next((job for job in self._queued if job.session not in busy), None)

    def begin(self, job: Job) -> None:
        """Note that a worker has started the run."""
        self._queued.remove(job)
        job.state, job.began = "running", self.clock()
        self.save(job)

    def report(self, job: Job, report: "RunReport", saved_step: int | None) -> None:
        """Add a report of a running run; `saved_step` is the step of a snapshot that was just saved."""
        report, latest = job.task.split(report)
        job.latest = job.latest if latest is None else latest
        job.reports.append(report)
        if 10 * report.step > report.steps and job.seconds:  # by then it is known how fast it goes
            self._note_pace(job, (report.seconds + report.seconds_left) / job.seconds)
        if self.outlives and job not in self._unsaved:
            try:
                store.append(job.folder, report)
            except OSError:  # a full disk ends no run
                self._unsaved.add(job)
        if saved_step is not None:
            job.moments.append(saved_step)

    def leave(self, job: Job) -> None:
        """Note that the worker has interrupted the run, which can be resumed."""
        job.state = "stopped" if job.stopping else "paused"
        self.save(job)

    def end(self, job: Job, code: str | None, values: dict[str, Any]) -> None:
        """Note that the run is over; `code` says why it ended early."""
        if code is not None:
            step = {"step": job.step} if code in ("job_failed", "job_disk") else {}
            job.ended = InvalidInput(code, **(values | step))
        has_failed = code is not None and code != "run_time"
        is_complete = job.reports and job.reports[-1].step == job.task.steps
        job.state = "failed" if has_failed else "finished" if is_complete else "stopped"
        self.save(job)

    def fail(self, job: Job, reason: str) -> None:
        """Note that the worker of the run has died."""
        job.ended = InvalidInput("job_died", reason=reason, step=job.step)
        job.state = "failed"
        self.save(job)

    # ---- what time does

    def expire(self) -> list[Job]:
        """Remove old runs, and stop those that nobody watches. Returns the stopped ones.

        What could not be saved is saved.
        """
        for job in tuple(self._unsaved):
            self.save(job)
        now, jobs = self.clock(), []
        for job in list(self.jobs.values()):
            idle = now - job.seen
            patience = {"running": self.unwatched, "queued": max(ABANDONED, self.unwatched)}.get(job.state)
            if patience and min(idle, now - job.began) > patience and not job.stopping:
                job.ended = InvalidInput("job_unwatched", minutes=f"{patience / 60:g}")
                self.stop(job)
                jobs.append(job)
            elif job.state in (*OVER, "paused") and idle > FORGOTTEN:
                self._remove(job)
        return jobs

    def overdue(self, job: Job) -> bool:
        """Whether a run exceeds the limit of time by more than `GRACE`."""
        return self.clock() - job.began > self.limits().seconds + GRACE

    # ----

    def save(self, job: Job) -> None:
        """Save the state of a run, if this queue outlives its server; what the disk cannot take is tried again."""
        if self.outlives and job.folder.exists():
            try:
                store.write(job)
                if job in self._unsaved:
                    store.write_reports(job)
                    self._unsaved.remove(job)
            except OSError:
                self._unsaved.add(job)

    def _restore(self) -> None:
        """Take over the runs of an ended pool. Those that can be resumed wait again, those that were running first."""
        jobs = store.restore(self.folder, self.kind, self.limits)
        self.jobs = {job.id: job for job in jobs}
        for job in jobs:
            job.seen = self.clock()
        self._queued = sorted((job for job in jobs if job.state == "queued"), key=lambda job: not job.reports)

    def _wait(self, place: int) -> float:
        """The estimated seconds until the run at this index of the queue begins."""
        pace = next(reversed(self._paces.values()), 1.0)
        ahead = pace * sum(job.seconds for job in self._queued[:place])
        remaining = (_seconds_left(job) or pace * job.seconds for job in self.jobs.values() if job.state == "running")
        return (ahead + sum(remaining)) / self.most

    def _note_pace(self, job: Job, pace: float) -> None:
        self._paces.pop(job.id, None)  # the last one reported stands last
        self._paces[job.id] = pace
        if len(self._paces) > RECENT:
            del self._paces[next(iter(self._paces))]

    def _admit(self, session: str) -> None:
        """Raise `InvalidInput` if the session has two running or waiting runs, or if the queue is full."""
        states = [job.state for job in self.jobs.values() if job.session == session]
        if states.count("queued") + states.count("running") >= 2:
            raise InvalidInput("job_full")
        if len(self._queued) >= self._waiting:
            raise InvalidInput("job_queue", count=len(self._queued), limit=self._waiting)

    def _forget(self, session: str) -> None:
        """Remove the oldest finished runs of a session, so that `KEPT` − 1 are left."""
        over = [job for job in self.jobs.values() if job.session == session and job.state in (*OVER, "paused")]
        for job in over[: max(0, len(over) - KEPT + 1)]:
            self._remove(job)

    def _remove(self, job: Job) -> None:
        del self.jobs[job.id]
        self._unsaved.discard(job)
        shutil.rmtree(job.folder, ignore_errors=True)


def _seconds_left(job: Job) -> float | None:
    """The estimated seconds that a running run still takes; None if unknown."""
    seconds = job.reports[-1].seconds_left if job.reports else math.nan
    return seconds if math.isfinite(seconds) else None
