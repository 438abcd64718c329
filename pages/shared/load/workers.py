"""A worker process that computes while this one draws pages, and another that makes files.

Symptom: a class of fifty waited 8 s for /intervene and 11 s for /why, while one of two cores was idle. Cause: one
process holds one lock of Python; computing beside drawing lets both wait for it. `fair_lock` has the numbers of that.
Symptom: two downloads a second made fifty wait 5 s instead of 0.8. Cause: the same lock, see `viz.converter`; exporting
a model takes 4 s, and beside pages that are drawn several times as long.

`main` runs in the worker (`model.jobs.process`) and answers one call after another. In: (module, name, arguments,
keywords). Out, pickled: ("value", value) or ("error", exception).
"""

from __future__ import annotations

import importlib
import os
import pickle
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from model.errors import is_panic
from model.jobs import process
from pages.shared.load import fair_lock

VARIABLE = "GLASSFORMER_SECOND_PROCESS"  # 0: this process computes by itself; files are made in another one anyway
KEPT_BYTES = 500_000_000  # by the caches of a worker; this process keeps the results
PATIENCE = 60.0  # seconds for one call, after which the worker is taken to hang
FILE_PATIENCE = 300.0  # for a file
FILE_IDLE = 120.0  # seconds without a file after which the worker for files ends: with torch it takes 350 MB
BUSY_LINE, BUSY_SECONDS = 3, 0.3  # calls in line, and seconds of the one under way, from which on short work waits long
FOREVER = 1e6  # seconds: who is first in line waits for its end
P = ParamSpec("P")
R = TypeVar("R")


class Gone(Exception):
    """The worker has ended, or does not answer."""


def nothing() -> None:
    """What warms nothing up."""


class ComputeWorker:
    """A worker, once it is started. Users are served in turn; one that does not answer is replaced.

    One that nobody has called for `idle` seconds ends, if that is given; `open` starts another one.
    """

    def __init__(self, patience: float = PATIENCE, nice: int = 0, idle: float | None = None) -> None:
        self.patience, self.nice, self.idle = patience, nice, idle
        self._used = 0.0  # when it was last wanted
        self._warm_up: Callable[[], None] = nothing
        self._starting = threading.Lock()
        self._worker: process.Worker | None = None
        self._line = fair_lock.FairLock(at_once=1, patience=FOREVER)
        self._began: float | None = None  # the call under way

    def start(self, warm_up: Callable[[], None], after: Callable[[], None] = nothing) -> None:
        """Start it in the background after a wait, and let it call `warm_up`; from then on `is_ready` says yes."""
        self._warm_up = warm_up

        def begin() -> None:
            after()
            self.open()

        threading.Thread(target=begin, name="compute-worker-start", daemon=True).start()

    def open(self) -> None:
        """Start it, unless it is there, and wait until it has warmed up."""
        with self._starting:
            self._used = time.monotonic()
            if self._worker is not None:
                return
            self._worker = worker = process.start(__name__, self.nice, GLASSFORMER_KEPT_BYTES=str(KEPT_BYTES))
            try:
                worker.connection.send(_message(self._warm_up))
                worker.connection.recv_bytes()
                worker.ready = True
            except (EOFError, OSError):
                self.end()
            else:
                if self.idle is not None:
                    threading.Thread(target=self._end_idle, args=(worker, self.idle), daemon=True).start()

    def is_ready(self) -> bool:
        """Whether a call would be answered."""
        worker = self._worker
        return worker is not None and worker.ready

    def is_free(self) -> bool:
        """Whether a call would be answered soon."""
        began = self._began
        is_long = began is not None and time.monotonic() - began > BUSY_SECONDS
        return self.is_ready() and not is_long and self._line.length() < BUSY_LINE

    def call(self, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
        """What a function of a module returns or raises there. Raises `Gone` where nobody answers."""
        with self._line.hold(who=fair_lock.who()):
            self._began = time.monotonic()
            try:
                value: R = self._ask(_message(function, *arguments, **keywords))
            finally:
                self._began, self._used = None, time.monotonic()
            return value

    def end(self) -> None:
        """End it."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.process.kill()  # it has nothing to save
            worker.end()

    def _end_idle(self, worker: process.Worker, idle: float) -> None:
        """End it once nobody has called it for so long."""
        while self._worker is worker:
            time.sleep(max(0.0, self._used + idle - time.monotonic()) + 0.1)
            with self._starting:
                is_idle = self._began is None and time.monotonic() - self._used >= idle
                if is_idle and self._worker is worker:
                    self.end()

    def _ask(self, message: tuple[object, ...]) -> Any:
        worker = self._worker
        if worker is None or not worker.ready:
            raise Gone
        try:
            worker.connection.send(message)
            if not worker.connection.poll(self.patience):
                raise TimeoutError
            answer = worker.connection.recv_bytes()
        except (EOFError, OSError):
            if self._worker is not None:  # nobody has ended it on purpose
                with self._starting:
                    self.end()
                self.start(self._warm_up)
            raise Gone from None
        kind, value = pickle.loads(answer)
        if kind == "error":
            raise value
        return value


COMPUTE, FILES = ComputeWorker(), ComputeWorker(FILE_PATIENCE, nice=10, idle=FILE_IDLE)
_is_server = threading.Event()  # so that there may be one for files


def start(warm_up: Callable[[], None], after: Callable[[], None]) -> None:
    """Start the one that computes, as `ComputeWorker.start`, unless a setting says no or there is one core only."""
    if process.cores() > 1:
        _is_server.set()
        if os.environ.get(VARIABLE, "1") != "0":
            COMPUTE.start(warm_up, after)


def end() -> None:
    """End those of this server."""
    _is_server.clear()
    COMPUTE.end()
    FILES.end()


def compute(function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """What a function of a module returns in the worker that computes, kept nowhere; here, where there is none."""
    if COMPUTE.is_ready():
        with suppress(Gone), fair_lock.released():
            return COMPUTE.call(function, *arguments, **keywords)
    return function(*arguments, **keywords)


def call_for_file(function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """The same in the worker for files, which starts with the first one; here, where there may be none."""
    if _is_server.is_set():
        with suppress(Gone), fair_lock.released():  # a page may show a picture
            FILES.open()
            return FILES.call(function, *arguments, **keywords)
    return function(*arguments, **keywords)


def main(connection: Connection) -> None:
    """Answer calls until the server has gone."""
    while True:
        connection.send_bytes(_answer(*connection.recv()))


def _message(function: Callable[..., object], *arguments: object, **keywords: object) -> tuple[object, ...]:
    return function.__module__, function.__qualname__, arguments, keywords


def _answer(module: str, name: str, arguments: tuple[object, ...], keywords: dict[str, object]) -> bytes:
    try:
        value = getattr(importlib.import_module(module), name)(*arguments, **keywords)
        return pickle.dumps(("value", value))
    except BaseException as error:
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        return _error(error)


def _error(error: BaseException) -> bytes:
    """The error, or its text where it would not arrive as it is."""
    try:
        answer = pickle.dumps(("error", error))
        pickle.loads(answer)
    except Exception:
        return pickle.dumps(("error", RuntimeError("".join(traceback.format_exception(error)))))
    return answer
