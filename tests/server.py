"""A server of the app for the tests."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from classroom.database import VARIABLE
from tests.samples import ROOT, SAMPLES


def until_it_says(process: subprocess.Popen[str], text: str, limit: float = 60) -> None:
    """Read until a line of a server has the text; fail with what it said if it ends before, or after `limit` s."""
    lines: list[str] = []

    def read() -> None:
        for line in process.stdout or ():  # ends when the process and its children do
            lines.append(line)
            if text in line:
                return

    reader = Thread(target=read, daemon=True)
    reader.start()
    reader.join(limit)
    if not lines or text not in lines[-1]:
        pytest.fail(f"the server has ended, or has not said {text!r} in {limit:g} s:\n{''.join(lines)}")


@contextmanager
def server(checkpoints: Path = SAMPLES, base: str = "", port: int | None = None, app: str = "app.py") -> Iterator[str]:
    """`streamlit run app.py`, or another `app`, on `port` or a free one, below the path `base`; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = port or probe.getsockname()[1]
    files = tempfile.mkdtemp(prefix="glassformer-server-")  # where it keeps its runs for the next of its port
    process = subprocess.Popen(
        [
            sys.executable, "-m", "streamlit", "run", app, "--server.port", str(port),
            "--server.address", "127.0.0.1", "--server.baseUrlPath", base,
        ],
        cwd=ROOT,
        env=os.environ
        | {"GLASSFORMER_CHECKPOINTS": str(checkpoints), "PYTHONUNBUFFERED": "1", "TMPDIR": files, VARIABLE: ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip
    try:
        until_it_says(process, f":{port}")
        yield f"http://127.0.0.1:{port}{base}"
    finally:
        process.terminate()
        process.communicate()
        shutil.rmtree(files, ignore_errors=True)
