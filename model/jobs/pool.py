"""The runs of this machine: one queue for all sessions, served by a pool of warm worker processes."""

import contextlib
import math
import os
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from model.errors import InvalidInput
from model.jobs import process as job_process
from model.jobs import store as job_store
from model.jobs.process import Worker
from model.jobs.types import OVER, Job, Kind, Limits, Progress, Result, Task

UNWATCHED = 300.0  # seconds without a look at a run after which it is stopped
ABANDONED = 1800.0  # and at one that waits: who is far back in a long queue may read something else meanwhile
FORGOTTEN = 6 * 3600.0  # and after which one that is over is removed
WAITING = 60  # runs that wait, of all sessions together
KEPT = 8  # runs of a session that are over; older ones are removed
NICE = 10  # of a worker that trains: pages that people are waiting for come first
GRACE = 60.0  # seconds by which a worker may overstay the limit on time before it is ended


class Jobs:
    """The pool on this machine. Threads may share it."""

    def __init__(
        self,
        kind: Kind,
        workers: int | None = None,
        *,
        folder: Path | None = None,
        limits: Limits | None = None,
        unwatched: float = UNWATCHED,
        waiting: int = WAITING,
        nice: int = NICE,
        clock: Callable[[], float] = time.monotonic,
        start: "Callable[[int], Worker] | None" = None,
    ):
        """At most `workers` runs at a time, by default one core less than there are.

        Files lie in `folder`, where one is given also after the end: the next pool there goes on with its runs.
        Workers warm up with the smallest task of `kind`, whose limits hold where none are given. `start` makes a worker
        of a niceness; by default a process of this machine.
        """
        self.kind = kind
        self.most = workers or int(os.environ.get("GLASSFORMER_WORKERS", "0")) or max(1, job_process.cores() - 1)
        self.folder = folder or Path(tempfile.mkdtemp(prefix="glassformer-runs-"))
        self._own_folder = folder is None
        self.limits = limits
        self.unwatched = unwatched
        self.waiting = waiting
        self.nice = nice
        self.clock = clock
        self._start = start or job_process.start
        self._lock = threading.RLock()
        self._jobs: dict[str, Job] = {}
        self._queue: list[Job] = []
        self._workers: list[Worker] = []
        self._wake, self._woken = Pipe()
        self._pace = 1.0  # seconds that runs take of late, for each that they were thought to
        self._closed = False
        self._thread: threading.Thread | None = None
        if folder is not None:
            self._restore()

    def warm(self) -> None:
        """Start the workers, so that the first run need not wait for them; returns at once."""
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._supervise, name="jobs", daemon=True)
                self._thread.start()

    def submit(self, task: Task, session: str) -> str:
        """Queue a run and give its id. Raises `InvalidInput` for bad settings, or where the session has two already."""
        seconds = task.check(self._limits())
        self.warm()
        with self._lock:
            self._admit(session)
            self._forget(session)
            id_ = secrets.token_urlsafe(16)
            job = Job(id_, session, task, self.folder / id_, seen=self.clock(), seconds=seconds)
            job.folder.mkdir(parents=True)
            self._jobs[id_] = job
            self._queue.append(job)
            self._save(job)
        self._notify()
        return id_

    def progress(self, id: str, since: int = 0) -> Progress:
        """How the run stands; asking counts as watching it."""
        with self._lock:
            job = self._find(id)
            job.seen = self.clock()
            return self._progress(job, since)

    def pause(self, id: str) -> None:
        """Leave off for as long as wanted: the worker is free for others, and the run goes on from here later."""
        with self._lock:
            job = self._find(id)
            if job.state == "queued":
                self._queue.remove(job)
                job.state = "paused"
                self._save(job)
            elif job.state == "running":
                self._tell(job, "pause")
            else:
                raise InvalidInput("job_state", state=job.state)

    def resume(self, id: str) -> None:
        """Queue a paused run again."""
        with self._lock:
            job = self._find(id)
            if job.state != "paused":
                raise InvalidInput("job_state", state=job.state)
            self._admit(job.session)
            job.state, job.seen = "queued", self.clock()
            self._queue.append(job)
            self._save(job)
        self._notify()

    def stop(self, id: str) -> None:
        """End a run, wherever it stands; what it has is kept. One that is over stays as it is."""
        with self._lock:
            self._stop(self._find(id))

    def result(self, id: str) -> Result:
        """What the run has saved so far."""
        with self._lock:
            job = self._find(id)
            job.seen = self.clock()
            return self._result(job)

    def list(self, session: str) -> list[Progress]:
        """The runs of a session, the newest first, without their reports."""
        with self._lock:
            own = [job for job in self._jobs.values() if job.session == session]
            return [self._progress(job, len(job.reports)) for job in reversed(own)]

    def close(self) -> None:
        """End all workers. In a folder of its own, runs that are under way are lost."""
        with self._lock:
            self._closed = True
            workers = list(self._workers)
        self._notify()
        if self._thread is not None:
            self._thread.join(timeout=5)
        for worker in workers:
            worker.connection.close()
        for worker in workers:
            job_process.end(worker)
        if self._own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    # ---- the queue; the lock is held

    def _limits(self) -> Limits:
        return self.limits or self.kind.limits()

    def _find(self, id_: str) -> Job:
        if id_ not in self._jobs:
            raise InvalidInput("job_unknown")
        return self._jobs[id_]

    def _progress(self, job: Job, since: int) -> Progress:
        waits = job.state == "queued"
        place = self._queue.index(job) if waits else 0
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

    def _wait(self, place: int) -> float:
        """About how many seconds until the run in that place of the queue begins, as runs have gone of late."""
        ahead = self._pace * sum(job.seconds for job in self._queue[:place])
        left = (_left(job) or self._pace * job.seconds for job in self._jobs.values() if job.state == "running")
        return (ahead + sum(left)) / self.most

    def _result(self, job: Job) -> Result:
        return Result(job.id, job.task.settings, job.folder, tuple(job.moments))

    def _admit(self, session: str) -> None:
        """Refuse one more run of a session that has one running and one waiting, or of anybody if all are waiting."""
        states = [job.state for job in self._jobs.values() if job.session == session]
        if states.count("queued") + states.count("running") >= 2:
            raise InvalidInput("job_full")
        if len(self._queue) >= self.waiting:
            raise InvalidInput("job_queue", count=len(self._queue), limit=self.waiting)

    def _forget(self, session: str) -> None:
        """Remove the oldest runs of a session that has many."""
        over = [job for job in self._jobs.values() if job.session == session and job.state in (*OVER, "paused")]
        for job in over[: max(0, len(over) - KEPT + 1)]:
            self._remove(job)

    def _remove(self, job: Job) -> None:
        del self._jobs[job.id]
        shutil.rmtree(job.folder, ignore_errors=True)

    def _stop(self, job: Job) -> None:
        if job.state == "running":
            job.stopping = True
            self._tell(job, "stop")
        elif job.state not in OVER:
            if job in self._queue:
                self._queue.remove(job)
            job.state = "stopped"
            self._save(job)

    def _tell(self, job: Job, what: str) -> None:
        for worker in self._workers:
            if worker.job is job:
                with contextlib.suppress(OSError):  # a worker that has just died is found by its silence
                    worker.connection.send((what,))

    def _next(self) -> Job | None:
        """The first that waits and whose session has nothing running."""
        busy = {job.session for job in self._jobs.values() if job.state == "running"}
        return next((job for job in self._queue if job.session not in busy), None)

    # ---- what outlives the server

    def _save(self, job: Job) -> None:
        """Note how a run stands, where there is a folder for it."""
        stored = job.task.stored()
        if not self._own_folder and job.folder.exists() and stored is not None:
            with contextlib.suppress(OSError):
                job_store.write(job.folder, job.session, stored, job.state, job.ended, job.submitted)

    def _restore(self) -> None:
        """Take over the runs of a pool that has ended: what can go on waits again, those that were running first."""
        found = [path for path in self.folder.iterdir() if path.is_dir()] if self.folder.exists() else []
        jobs = []
        for folder in found:
            try:
                jobs.append(self._restored(folder))
            except InvalidInput:
                shutil.rmtree(folder, ignore_errors=True)
        self._jobs = {job.id: job for job in sorted(jobs, key=lambda job: job.submitted)}
        waiting = [job for job in self._jobs.values() if job.state == "queued"]
        self._queue = sorted(waiting, key=lambda job: not job.reports)

    def _restored(self, folder: Path) -> Job:
        """The run of a folder; raises `InvalidInput` where it cannot be read, or could not go on in this version."""
        saved = job_store.read(folder, self.kind)
        if saved is None:
            raise InvalidInput("job_unknown")
        job = Job(folder.name, saved.session, saved.task, folder, saved.submitted, seen=self.clock())
        job.reports, job.moments, job.look, job.ended = saved.reports, saved.moments, saved.look, saved.ended
        job.state = saved.state  # type: ignore[assignment]
        if job.state == "running":
            job.state = "queued" if saved.left or not saved.reports else "stopped"
            job.ended = InvalidInput("job_restarted", step=_step(job)) if job.state == "stopped" else None
        if job.state not in OVER:
            job.seconds = saved.task.check(self._limits())
        return job

    # ---- the pool; in a thread of its own

    def _notify(self) -> None:
        with contextlib.suppress(OSError):
            self._wake.send(None)

    def _supervise(self) -> None:
        while True:
            with self._lock:
                if self._closed:
                    return
                while len(self._workers) < self.most:
                    self._workers.append(self._started())
                self._assign()
                self._expire()
                waiting = {worker.connection: worker for worker in self._workers}
            for source in wait([self._woken, *waiting], timeout=min(1.0, self.unwatched / 4)):
                if source is self._woken:
                    self._woken.recv()
                else:
                    self._hear(waiting[source])  # type: ignore[index]

    def _started(self) -> Worker:
        worker = self._start(self.nice)
        with contextlib.suppress(OSError):  # one that has died at once is found by its silence
            worker.connection.send(("warm", self.kind))
        return worker

    def _assign(self) -> None:
        for worker in self._workers:
            if worker.ready and worker.job is None and (job := self._next()):
                self._queue.remove(job)
                job.state, job.began, worker.job = "running", self.clock(), job
                self._save(job)
                with contextlib.suppress(OSError):
                    worker.connection.send(("run", job.id, job.task, job.folder, self._limits()))

    def _expire(self) -> None:
        """Stop what nobody watches or what overstays, and remove what nobody has come back to."""
        now = self.clock()
        for job in list(self._jobs.values()):
            idle = now - job.seen
            patience = {"running": self.unwatched, "queued": max(ABANDONED, self.unwatched)}.get(job.state)
            if patience and min(idle, now - job.began) > patience and not job.stopping:
                job.ended = InvalidInput("job_unwatched", minutes=f"{patience / 60:g}")
                self._stop(job)
            elif job.state in (*OVER, "paused") and idle > FORGOTTEN:
                self._remove(job)
        for worker in self._workers:
            if worker.job and now - worker.job.began > self._limits().seconds + GRACE:
                worker.process.kill()  # heard of as one that died

    def _hear(self, worker: Worker) -> None:
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            self._bury(worker)
            return
        with self._lock:
            job = worker.job
            if message[0] == "ready":
                worker.ready = True
            elif job is not None:
                self._note(worker, job, message)

    def _note(self, worker: Worker, job: Job, message: tuple[Any, ...]) -> None:
        if message[0] == "report":
            _, report, saved = message
            if report.evaluation is not None:
                job.look = report.evaluation.look
                report = replace(report, evaluation=replace(report.evaluation, look=None))
            job.reports.append(report)
            if 10 * report.step > report.steps and job.seconds:  # by then it is known how fast it goes
                self._pace = (report.seconds + report.seconds_left) / job.seconds
            if not self._own_folder:
                with contextlib.suppress(OSError):  # a full disk ends no run
                    job_store.append(job.folder, report)
            if saved is not None:
                job.moments.append(saved)
        elif message[0] == "paused":
            worker.job, job.state = None, "paused"
            if job.stopping:
                job.state = "stopped"
            self._save(job)
        elif message[0] == "ended":
            _, code, values = message
            if code is not None:
                job.ended = InvalidInput(code, **(values | ({"step": _step(job)} if code == "job_failed" else {})))
            failed = code is not None and code != "run_time"
            finished = job.reports and job.reports[-1].step == job.task.steps
            job.state = "failed" if failed else "finished" if finished else "stopped"
            worker.job = None
            self._save(job)

    def _bury(self, worker: Worker) -> None:
        """A worker has died: its run ends with a sentence, and another worker takes its place.

        Where the pool itself ends, the run stays as it is, for the next one to go on with.
        """
        code = job_process.end(worker)
        with self._lock:
            self._workers.remove(worker)
            job = worker.job
            if job is not None and job.state == "running" and not self._closed:
                job.ended = InvalidInput("job_died", reason=job_process.reason(code), step=_step(job))
                job.state = "failed"
                self._save(job)
        if job is None and not worker.ready:
            time.sleep(1.0)  # one that cannot even start is not tried in a circle


def _step(job: Job) -> int:
    return job.moments[-1] if job.moments else 0


def _left(job: Job) -> float | None:
    """Seconds that a run still takes, where that is known."""
    left = job.reports[-1].seconds_left if job.reports else math.nan
    return left if math.isfinite(left) else None
