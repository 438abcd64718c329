"""A second process that computes while this one draws pages, and a third that makes files.

Symptom: a class of fifty waited 8 s for /intervene and 11 s for /why, while one of two cores was idle. Cause: one
process holds one lock of Python; computing beside drawing lets both wait for it. `turns` has the numbers of that.
Symptom: two downloads a second made fifty wait 5 s instead of 0.8. Cause: the same lock, see `viz.converter`; exporting
a model takes 4 s, and beside pages that are drawn several times as long.

`python -m pages.shared.load.second_process FD NICENESS` serves one call after another over the connection with that
file descriptor. In: (module, name, arguments, keywords). Out, pickled: ("value", value) or ("error", exception).
It is started as a fresh process for the reason that `model.jobs.worker` gives.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from model.errors import is_panic
from pages.shared.load import turns

VARIABLE = "GLASSFORMER_SECOND_PROCESS"  # 0: this process computes by itself; files are made in another one anyway
ROOT = Path(__file__).parents[3]
KEPT_BYTES = 500_000_000  # by the caches of the second process; this one keeps the results
PATIENCE = 60.0  # seconds for one call, after which the process is taken to hang
FILE_PATIENCE = 300.0  # for a file
BUSY_LINE, BUSY_SECONDS = 3, 0.3  # calls in line, and seconds of the one under way, from which on short work waits long
FOREVER = 1e6  # seconds: who is first in line waits for its end
P = ParamSpec("P")
R = TypeVar("R")


class Gone(Exception):
    """The second process has ended, or does not answer."""


def nothing() -> None:
    """What warms nothing up."""


class SecondProcess:
    """The process, once it is started. Users are served in turn; a process that does not answer is replaced.

    The system gives it less time than others by its `niceness`, from 0 to 19.
    """

    def __init__(self, patience: float = PATIENCE, niceness: int = 0) -> None:
        self.patience, self.niceness = patience, niceness
        self._warm_up: Callable[[], None] = nothing
        self._starting = threading.Lock()
        self._connection: Connection | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._line = turns.Turns(at_once=1, patience=FOREVER)
        self._began: float | None = None  # the call under way

    def start(self, warm_up: Callable[[], None], after: Callable[[], None] = nothing) -> None:
        """Start it in the background after a wait, and let it call `warm_up`; from then on `is_ready` says yes."""
        self._warm_up = warm_up

        def begin() -> None:
            after()
            self.open()

        threading.Thread(target=begin, name="second-process-start", daemon=True).start()

    def open(self) -> None:
        """Start it, unless it is there, and wait until it has warmed up."""
        with self._starting:
            if self._connection is None:
                self._open()

    def is_ready(self) -> bool:
        """Whether a call would be answered."""
        return self._connection is not None

    def is_free(self) -> bool:
        """Whether a call would be answered soon."""
        began = self._began
        is_long = began is not None and time.monotonic() - began > BUSY_SECONDS
        return self.is_ready() and not is_long and self._line.length() < BUSY_LINE

    def call(self, function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
        """What a function of a module returns or raises there. Raises `Gone` where nobody answers."""
        with self._line.turn(who=turns.who()):
            self._began = time.monotonic()
            try:
                value: R = self._ask(_message(function, *arguments, **keywords))
            finally:
                self._began = None
            return value

    def end(self) -> None:
        """End it."""
        connection, self._connection = self._connection, None
        process, self._process = self._process, None
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()  # it has nothing to save
            process.wait()

    def _open(self) -> None:
        ours, theirs = Pipe()
        self._process = process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno()), str(self.niceness)],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env=os.environ
            | {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "GLASSFORMER_KEPT_BYTES": str(KEPT_BYTES)},
        )
        theirs.close()
        try:
            ours.send(_message(self._warm_up))
            ours.recv_bytes()
            self._connection = ours
        except (EOFError, OSError):
            ours.close()
            process.kill()
            process.wait()

    def _ask(self, message: tuple[object, ...]) -> Any:
        connection = self._connection
        if connection is None:
            raise Gone
        try:
            connection.send(message)
            if not connection.poll(self.patience):
                raise TimeoutError
            answer = connection.recv_bytes()
        except (EOFError, OSError):
            if self._connection is not None:  # nobody has ended it on purpose
                with self._starting:
                    self.end()
                self.start(self._warm_up)
            raise Gone from None
        kind, value = pickle.loads(answer)
        if kind == "error":
            raise value
        return value


_second, _files = SecondProcess(), SecondProcess(FILE_PATIENCE, niceness=10)
_is_server = threading.Event()  # so that there may be a third process
is_ready, is_free, call = _second.is_ready, _second.is_free, _second.call


def start(warm_up: Callable[[], None], after: Callable[[], None]) -> None:
    """Start the one of this server, as `SecondProcess.start`, unless a setting says no or there is one core only."""
    if _cores() > 1:
        _is_server.set()
        if os.environ.get(VARIABLE, "1") != "0":
            _second.start(warm_up, after)


def end() -> None:
    """End those of this server."""
    _is_server.clear()
    _second.end()
    _files.end()


def call_for_file(function: Callable[P, R], *arguments: P.args, **keywords: P.kwargs) -> R:
    """The same in the third process, which starts with the first file; here, where there may be none."""
    if _is_server.is_set():
        with suppress(Gone), turns.aside():  # a page may show a picture
            _files.open()
            return _files.call(function, *arguments, **keywords)
    return function(*arguments, **keywords)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def serve(connection: Connection) -> None:
    """Answer calls until the server has gone. Ctrl-C is ignored, as it is meant for the server."""
    for interrupt in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interrupt, signal.SIG_IGN)
    with suppress(EOFError, OSError):
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


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[2]))
    serve(Connection(int(sys.argv[1])))
