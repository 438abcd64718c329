"""Start and end the worker processes of a pool."""

import contextlib
import os
import subprocess
import sys
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from model.jobs.types import Job

ROOT = Path(__file__).parents[2]


class Process(Protocol):
    """Methods that the pool needs of a worker that is not a process of this machine."""

    def wait(self, timeout: float | None = None) -> int | str: ...

    def kill(self) -> None: ...


@dataclass(eq=False)
class Worker:
    """One worker process, and the run that it executes."""

    process: "subprocess.Popen | Process"
    connection: Connection
    ready: bool = False
    job: "Job | None" = None


def start(nice: int) -> Worker:
    """Start a worker process, which gives way to pages, also in the seconds until it is ready."""
    our_end, worker_end = Pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "model.jobs.worker", str(worker_end.fileno())],
        cwd=ROOT,
        pass_fds=[worker_end.fileno()],
        stdin=subprocess.DEVNULL,
        env=os.environ | {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
    )
    worker_end.close()  # else the end of the process would not be heard
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + nice)
    return Worker(process, our_end)


def end(worker: Worker) -> int | str:
    """Wait for the end of a process, or kill it. Returns its exit code."""
    with contextlib.suppress(OSError):
        worker.connection.close()
    if not worker.ready:
        worker.process.kill()  # it would hear of the end after its start, and has nothing to save
    try:
        return worker.process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        worker.process.kill()
        return worker.process.wait()


def reason(code: int | str) -> str:
    """An exit code in words. A Ray worker has no exit code, but a text."""
    if isinstance(code, str):
        return code
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def crowd() -> float:
    """How many processes share a core of this machine if one more starts; 1 if each has a core, or if nobody knows."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return max(1.0, (load + 1) / cores())
