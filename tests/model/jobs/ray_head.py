"""A Ray cluster of this machine alone, for the tests: bound to loopback, with a token."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from model.jobs.choose_backend import backend as open_jobs
from model.jobs.types import Backend
from model.train.job import TrainingTask

ATTEMPTS = 3  # Ray gives a head 15 seconds to start, which a busy machine may need for the first of its processes


@contextmanager
def backend(cores: int = 2, **options: Any) -> Iterator[Backend]:
    """Jobs on a head node of its own, which this process and its children know of while it stands."""
    with pytest.MonkeyPatch.context() as patch:
        for attempt in range(ATTEMPTS):
            with _head(patch, cores):
                try:
                    jobs = open_jobs(TrainingTask, **options)
                except (ConnectionError, RuntimeError):
                    if attempt == ATTEMPTS - 1:
                        raise
                    continue
                yield jobs
                jobs.close()  # type: ignore[attr-defined]
                return


@contextmanager
def _head(patch: pytest.MonkeyPatch, cores: int) -> Iterator[None]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        "RAY_ADDRESS": f"127.0.0.1:{port}",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_USAGE_STATS_ENABLED": "0",
        # else Ray listens on all addresses of the machine, whatever it is told; read when ray is imported
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        # what is started beside the head takes time from it
        "RAY_enable_worker_prestart": "0",
        "RAY_prestart_worker_first_driver": "0",
    }
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # its sockets need short paths
    for name, value in environment.items():
        patch.setenv(name, value)
    process = subprocess.Popen(
        [
            Path(sys.executable).parent / "ray", "start", "--head", "--block", "--node-ip-address=127.0.0.1",
            f"--port={port}", f"--num-cpus={cores}", f"--temp-dir={folder}", "--include-dashboard=false",
            "--include-log-monitor=false", "--no-monitor", "--object-store-memory=100000000", "--disable-usage-stats",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        for line in process.stdout:  # ends with the process if that cannot start
            if "Ray runtime started" in line:
                break
        yield
    finally:
        import ray

        ray.shutdown()
        _end(process)
        shutil.rmtree(folder, ignore_errors=True)


def _end(process: subprocess.Popen) -> None:
    """The head and everything that it has started."""
    process.send_signal(signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=20)
    for _ in range(100):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        time.sleep(0.05)
