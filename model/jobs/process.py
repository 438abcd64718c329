"""A process of this machine that works beside the server: a worker of a pool, or one that computes for pages.

`python -m model.jobs.process FD MODULE` calls `MODULE.main` with the connection of that file descriptor. It is started
as a fresh process rather than by `multiprocessing`, whose children run the page that happens to be `__main__` once
more.
"""

import contextlib
import importlib
import os
import signal
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

    def end(self) -> int | str:
        """Wait for the end of the process, or kill it. Returns its exit code."""
        with contextlib.suppress(OSError):
            self.connection.close()
        if not self.ready:
            self.process.kill()  # it would hear of the end after its start, and has nothing to save
        try:
            return self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


def start(module: str, nice: int = 0, **environment: str) -> Worker:
    """Start a process that runs `main` of a module, and gives way to pages by its niceness, also while it starts."""
    our_end, worker_end = Pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", __name__, str(worker_end.fileno()), module],
        cwd=ROOT,
        pass_fds=[worker_end.fileno()],
        stdin=subprocess.DEVNULL,
        env=os.environ | {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"} | environment,
    )
    worker_end.close()  # else the end of the process would not be heard
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + nice)
    return Worker(process, our_end)


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


def _serve(connection: Connection, module: str) -> None:
    """In the process: serve until the server has gone. Ctrl-C is ignored, as it is meant for the server."""
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.SIG_IGN)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        importlib.import_module(module).main(connection)


if __name__ == "__main__":
    _serve(Connection(int(sys.argv[1])), sys.argv[2])
    os._exit(0)  # at once: what torch would tidy up goes with the process
