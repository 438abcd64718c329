"""A Streamlit server of its own for each measurement, on a free port, gone afterwards."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PATIENCE = 120  # seconds until a server must answer
# both sides of every comparison are started with these; the app adds its own configuration, a bare page is as
# Streamlit ships it, which collects garbage after every run
_SETTINGS = {
    "server.address": "127.0.0.1",
    "server.headless": "true",
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
}


class Address(str):
    """Where a server answers, and its process."""

    process: subprocess.Popen


@contextmanager
def streamlit(script: Path, environment: Mapping[str, str] | None = None) -> Iterator[Address]:
    """`streamlit run script`: gives the address as soon as the server answers, and ends it on the way out."""
    port = free_port()
    settings = [f"--{name}={value}" for name, value in {**_SETTINGS, "server.port": port}.items()]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryDirectory() as files:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", script, *settings],
            cwd=script.parent,  # where Streamlit looks for the app's own configuration
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1", "TMPDIR": files, **(environment or {})},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(process, port)
            address = Address(f"http://127.0.0.1:{port}")
            address.process = process
            yield address
        except Exception as error:
            output.seek(0)
            last_lines = output.read().decode(errors="replace").strip().splitlines()[-3:]
            error.add_note("\n".join(last_lines))
            raise
        finally:
            _end(process)


def _wait(process: subprocess.Popen, port: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended at once, with status {process.returncode}")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.01)
    raise TimeoutError(f"the server did not answer within {_PATIENCE} s")


def _end(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
