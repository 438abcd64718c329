"""A worker of the pool: a process (`model.jobs.process`) that warms up, and then executes one run after another.

In: ("warm", kind) first, ("run", id, task, folder, limits), ("pause",), ("stop",), ("quit",).
Out: ("ready",), ("started",), ("report", report, moment_step | None), ("paused",), ("ended", code | None, values).
"""

import contextlib
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from model.errors import InvalidInput
from model.jobs.store import STATE
from model.jobs.types import Kind, Limits, Run, Task, moment_file

if TYPE_CHECKING:
    from model.checkpoint.snapshots import Snapshot

LAST_SAVE = 45.0  # seconds for which the end of a run waits for space on the disk, less than `queue.GRACE`
AGAIN = 1.0  # seconds between two tries


def main(connection: Connection) -> None:
    """Serve until the message "quit", or until the server is gone: then the run is interrupted and can be resumed."""
    torch.set_num_threads(1)
    _, kind = connection.recv()
    warm_up(kind)
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
    """Train to the end, or until a message stops or pauses the run. Returns why it ended early.

    While the disk is full it trains on: the last snapshot, and a pause that was asked for, are tried again.
    """
    path = folder / STATE
    state = torch.load(path, map_location="cpu", weights_only=True) if path.exists() else None
    path.unlink(missing_ok=True)
    run = task.start(limits, state)
    unsaved: Snapshot | None = None
    is_pausing = False
    for report in run.reports():
        unsaved = report.moment or unsaved
        can_continue = report.step < report.steps and not run.stopped
        step = _save(unsaved, folder, patience=0.0 if can_continue else LAST_SAVE)
        unsaved = None if step is not None else unsaved
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
        is_pausing = is_pausing or command == "pause"
        if command == "stop":
            run.stop()
        elif is_pausing and can_continue and _leave(run, path):
            return "paused"
    return InvalidInput("job_disk", step=0) if unsaved is not None else run.ended


def _save(moment: "Snapshot | None", folder: Path, patience: float) -> int | None:
    """Save a snapshot; its step, or None where there is none or the disk has been full for `patience` seconds."""
    end = time.monotonic() + patience
    while moment is not None:
        try:
            moment.save(folder / moment_file(moment.step))
            return moment.step
        except OSError:
            if time.monotonic() >= end:
                break
            time.sleep(AGAIN)
    return None


def _leave(run: Run, path: Path) -> bool:
    """Save what is needed to resume the run; whether that could be done. An interrupted call leaves no partial file."""
    state, partial = run.state(), path.with_suffix(".partial")
    try:
        torch.save(state, partial)
        partial.replace(path)
    except (OSError, RuntimeError):  # a full disk, of which torch says RuntimeError
        partial.unlink(missing_ok=True)
        return False
    return True
