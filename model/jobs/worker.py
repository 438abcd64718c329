"""A worker of the pool: a process that warms up, and then executes one run after another.

`python -m model.jobs.worker FD NICE` speaks over the connection with that file descriptor. It is started as a fresh
process rather than by `multiprocessing`, whose children run the page that happens to be `__main__` once more.

In: ("warm", kind) first, ("run", id, task, folder, limits), ("pause",), ("stop",), ("quit",).
Out: ("ready",), ("started",), ("report", report, moment_step | None), ("paused",), ("ended", code | None, values).
"""

import contextlib
import os
import signal
import sys
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import torch

from model.errors import InvalidInput
from model.jobs.store import STATE
from model.jobs.types import Kind, Limits, Run, Task, moment_file


def main(connection: Connection, nice: int) -> None:
    """Serve until the message "quit", or until the server is gone.

    Ctrl-C is ignored, as it is meant for the server. When the server ends, the run is interrupted and can be resumed.
    """
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.SIG_IGN)
    torch.set_num_threads(1)
    _, kind = connection.recv()
    warm_up(kind)
    if hasattr(os, "nice"):
        os.nice(nice)
    connection.send(("ready",))
    while True:
        message = connection.recv()
        if message[0] == "quit":
            return
        if message[0] == "run":
            _serve(connection, *message[2:])
        # a pause or stop that crossed with the end of its run asks for nothing any more


def warm_up(kind: Kind) -> None:
    """Run the smallest task, so that the first run does not wait for what torch prepares when first used."""
    list(kind.smallest().start(kind.limits()).reports())


def _serve(connection: Connection, task: Task, folder: Path, limits: Limits) -> None:
    try:
        connection.send(("started",))
        reason = _train(connection, task, folder, limits)
    except InvalidInput as refusal:
        reason = refusal
    except (EOFError, OSError):  # nobody is there any more
        raise
    except Exception as error:
        reason = InvalidInput("job_failed", problem=f"{type(error).__name__}: {error}", step=0)
    else:
        if reason == "paused":
            connection.send(("paused",))
            return
    connection.send(("ended", reason.code, reason.values) if isinstance(reason, InvalidInput) else ("ended", None, {}))


def _train(connection: Connection, task: Task, folder: Path, limits: Limits) -> InvalidInput | str | None:
    """Train to the end, or until a message stops or pauses the run. Returns why it ended early."""
    path = folder / STATE
    state = torch.load(path, map_location="cpu", weights_only=True) if path.exists() else None
    path.unlink(missing_ok=True)
    run = task.start(limits, state)
    for report in run.reports():
        step = None
        if report.moment is not None:
            report.moment.save(folder / moment_file(report.moment.step))
            step = report.moment.step
        can_continue = report.step < report.steps and not run.stopped
        try:
            connection.send(("report", replace(report, moment=None), step))
            command = connection.recv()[0] if connection.poll() else ""
        except (EOFError, OSError):  # the server is gone: the next one may go on from here
            if can_continue:
                with contextlib.suppress(InvalidInput):  # one that cannot be left is lost
                    _leave(run, path)
            raise
        if command == "quit":
            raise EOFError
        if command == "stop":
            run.stop()
        elif command == "pause" and can_continue:
            _leave(run, path)
            return "paused"
    return run.ended


def _leave(run: Run, path: Path) -> None:
    """Save everything that is needed to resume the run. An interrupted call leaves no partial file."""
    torch.save(run.state(), path.with_suffix(".partial"))
    path.with_suffix(".partial").replace(path)


if __name__ == "__main__":
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        main(Connection(int(sys.argv[1])), int(sys.argv[2]))
    os._exit(0)  # at once: what torch would tidy up goes with the process
