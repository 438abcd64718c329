"""The backend on this machine: one queue for all sessions, and a pool of warm worker processes."""

import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from model.errors import InvalidInput
from model.jobs import process, siblings
from model.jobs.process import Worker
from model.jobs.queue import WAITING, Queue
from model.jobs.retention import UNWATCHED
from model.jobs.siblings import Siblings
from model.jobs.types import Job, Kind, Limits, Outlook, Progress, Result, State, Task

NICE = 10  # niceness of the workers, so that pages have priority


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
        beside: Sequence[Path] = (),
    ):
        """At most `workers` runs at a time, by default the number of cores minus 1.

        Files are in `folder`. If it is given, they are kept at the end, and the next pool with this folder takes over
        the runs. Workers warm up with the smallest task of `kind`, whose limits are the default. `start` makes a
        worker of a niceness, by default a process of this machine. `beside` are the folders of other pools, whose
        runs are shown too.
        """
        most = workers or int(os.environ.get("GLASSFORMER_WORKERS", "0")) or max(1, process.cores() - 1)
        self.folder = folder or Path(tempfile.mkdtemp(prefix="glassformer-runs-"))
        self.queue = Queue(
            kind,
            self.folder,
            most,
            outlives=folder is not None,
            limits=limits,
            unwatched=unwatched,
            waiting=waiting,
            clock=clock,
        )
        self._siblings = Siblings(beside, kind)
        self._nice = nice
        self._start = start or process.start
        self._lock = threading.RLock()
        self._workers: list[Worker] = []
        self._wake, self._woken = Pipe()
        self._closed = False
        self._thread: threading.Thread | None = None

    def warm(self) -> None:
        """Start the workers, so that the first run does not wait for them. Returns immediately."""
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._supervise, name="jobs", daemon=True)
                self._thread.start()

    def submit(self, task: Task, session: str) -> str:
        """Queue a run and return its id. Raises `InvalidInput` for invalid settings and for a full queue."""
        seconds = task.check(self.queue.limits())
        self.warm()
        with self._lock:
            job = self.queue.add(task, session, seconds)
        self._notify()
        return job.id

    def progress(self, id: str, since: int = 0) -> Progress:
        """The progress of a run. A request counts as watching it."""
        with self._lock:
            return self.queue.progress(self._watched(id), since)

    def pause(self, id: str) -> None:
        """Interrupt a run and free its worker; the run can be resumed later."""
        with self._lock:
            if (job := self._own(id, "pause")) is None:
                return
            if job.state == "running":
                self._tell(job, "pause")
            else:
                self.queue.pause(job)

    def resume(self, id: str) -> None:
        """Queue a paused run again."""
        with self._lock:
            if job := self._own(id, "resume"):
                self.queue.resume(job)
        self._notify()

    def stop(self, id: str) -> None:
        """Stop a run in any state; what it has saved is kept. A run that is over does not change."""
        with self._lock:
            if job := self._own(id, "stop"):
                self.queue.stop(job)
                self._tell(job, "stop")

    def result(self, id: str) -> Result:
        """Return everything that the run has saved so far."""
        with self._lock:
            job = self._watched(id)
            return Result(job.id, job.task.settings, job.folder, tuple(job.moments))

    def list(self, session: str) -> list[Progress]:
        """The runs of a session, the newest first, without their reports."""
        with self._lock:
            jobs = [job for job in self.queue.jobs.values() if job.session == session]
            jobs = sorted([*self._siblings.of(session), *jobs], key=lambda job: job.submitted)
            return [self.queue.progress(job, len(job.reports)) for job in reversed(jobs)]

    def outlook(self) -> Outlook:
        """Estimate how long a run that is submitted now waits and how fast it runs."""
        with self._lock:
            return self.queue.outlook(process.crowd())

    def states(self) -> dict[State, int]:
        """How many runs there are in each state."""
        with self._lock:
            return dict(Counter(job.state for job in self.queue.jobs.values()))

    def close(self) -> None:
        """End all workers. Running runs are lost, unless `folder` was given."""
        with self._lock:
            self._closed = True
            workers = list(self._workers)
        self._notify()
        if self._thread is not None:
            self._thread.join(timeout=5)
        for worker in workers:
            worker.connection.close()
        for worker in workers:
            process.end(worker)
        if not self.queue.outlives:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _watched(self, id_: str) -> Job:
        """A run, of which is noted that somebody watches it; another pool's as it was saved last."""
        if id_ in self.queue.jobs:
            return self.queue.watched(id_)
        job = self._siblings.find(id_)
        self._siblings.ask(job, "seen")
        return job

    def _own(self, id_: str, command: str) -> Job | None:
        """The run of this pool; another pool is asked to do it itself."""
        if id_ in self.queue.jobs:
            return self.queue.find(id_)
        self._siblings.ask(self._siblings.find(id_), command)
        return None

    def _heed_siblings(self) -> None:
        """Do what users have asked for in other processes."""
        acts = {"seen": self.queue.watched, "pause": self.pause, "resume": self.resume, "stop": self.stop}
        for job in list(self.queue.jobs.values()):
            for command in siblings.asked(job):
                with contextlib.suppress(InvalidInput):  # it has ended meanwhile
                    acts[command](job.id)

    def _tell(self, job: Job, command: str) -> None:
        """Tell the worker that has the run, if any."""
        for worker in self._workers:
            if worker.job is job:
                with contextlib.suppress(OSError):  # a worker that has just died is found by its silence
                    worker.connection.send((command,))

    def _notify(self) -> None:
        with contextlib.suppress(OSError):
            self._wake.send(None)

    # ---- in a thread of its own

    def _supervise(self) -> None:
        while True:
            with self._lock:
                if self._closed:
                    return
                while len(self._workers) < self.queue.most:
                    self._workers.append(self._started())
                if self._siblings.folders:
                    self._heed_siblings()
                self._assign()
                self._expire()
                waiting = {worker.connection: worker for worker in self._workers}
            for source in wait([self._woken, *waiting], timeout=min(1.0, self.queue.unwatched / 4)):
                if source is self._woken:
                    self._woken.recv()
                else:
                    self._hear(waiting[source])  # type: ignore[index]

    def _started(self) -> Worker:
        worker = self._start(self._nice)
        with contextlib.suppress(OSError):  # one that has died at once is found by its silence
            worker.connection.send(("warm", self.queue.kind))
        return worker

    def _assign(self) -> None:
        for worker in self._workers:
            if worker.ready and worker.job is None and (job := self.queue.next()):
                worker.job = job
                self.queue.begin(job)
                with contextlib.suppress(OSError):
                    worker.connection.send(("run", job.id, job.task, job.folder, self.queue.limits()))

    def _expire(self) -> None:
        """Stop runs that nobody watches, and kill workers whose run exceeds the limit of time."""
        for job in self.queue.expire():
            self._tell(job, "stop")
        for worker in self._workers:
            if worker.job and self.queue.overdue(worker.job):
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
        kind, *values = message
        if kind == "report":
            self.queue.report(job, *values)
        elif kind == "paused":
            worker.job = None
            self.queue.leave(job)
        elif kind == "ended":
            worker.job = None
            self.queue.end(job, *values)

    def _bury(self, worker: Worker) -> None:
        """Handle the death of a worker: its run fails with an error message. `_supervise` starts another worker.

        If the pool itself is closing, the run keeps its state, so that the next pool can resume it.
        """
        code = process.end(worker)
        with self._lock:
            self._workers.remove(worker)
            job = worker.job
            if job is not None and job.state == "running" and not self._closed:
                self.queue.fail(job, process.reason(code))
        if job is None and not worker.ready:
            time.sleep(1.0)  # one that cannot even start is not tried in a circle
