"""Processes that are started again when they end."""

from __future__ import annotations

import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from types import TracebackType

LOOK = 0.2  # seconds
REST = 1.0  # seconds before a process is started again, so that one that cannot start takes no core
END = 10.0  # seconds that a process has to end


class Processes:
    """One process for each command."""

    def __init__(self, commands: Sequence[Sequence[str]]):
        self.commands = commands
        self.running: list[subprocess.Popen[bytes]] = []
        self._began: list[float] = []

    def __enter__(self) -> Processes:
        for command in self.commands:
            self.running.append(subprocess.Popen(command))
            self._began.append(time.monotonic())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for process in self.running:
            process.terminate()
        deadline = time.monotonic() + END
        for process in self.running:
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()

    def watch(self, end: threading.Event, ready: Callable[[], None], health: str, ports: Sequence[int]) -> None:
        """Start again what ends, until `end`; call `ready` once, when every port answers at `health`."""
        waiting = list(ports)
        while not end.wait(LOOK):
            for at, process in enumerate(self.running):
                if process.poll() is not None and time.monotonic() - self._began[at] >= REST:
                    print(f"  A process ended ({process.returncode}) and is started again.", flush=True)
                    self.running[at] = subprocess.Popen(self.commands[at])
                    self._began[at] = time.monotonic()
            if waiting:
                waiting = [port for port in waiting if not _answers(health.format(port))]
                if not waiting:
                    ready()


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
