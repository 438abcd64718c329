"""What one of several processes makes for all."""

import fcntl
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pages.shared.load.made_once import VARIABLE, made_once

# another process of the server, which begins to make something and does not end
MAKES = """
import time
from pages.shared.load.made_once import made_once
made_once("page", lambda: (print("begun", flush=True), time.sleep(600)))
"""


def test_one_makes_and_the_others_wait(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    made: list[int] = []
    others_wait = threading.Barrier(4)

    def make() -> list[int]:
        made.append(1)
        return made

    def want() -> list[int]:
        others_wait.wait()
        return made_once("page", make)

    with ThreadPoolExecutor(4) as pool:
        assert [future.result() for future in [pool.submit(want) for _ in range(4)]] == [[1]] * 4
    assert made == [1]
    assert made_once("another page", lambda: 2) == 2


def test_a_process_alone_keeps_nothing_and_a_failure_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert [made_once("page", lambda each=each: each) for each in (1, 2)] == [1, 2]
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    with pytest.raises(ZeroDivisionError):
        made_once("page", lambda: 1 / 0)
    assert made_once("page", lambda: 3.0) == 3.0


def test_what_a_killed_process_was_making_is_made_by_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    other = subprocess.Popen([sys.executable, "-c", MAKES], stdout=subprocess.PIPE, text=True, env=os.environ.copy())
    assert other.stdout is not None
    assert other.stdout.readline() == "begun\n"
    with (tmp_path / "page.lock").open("wb") as lock, pytest.raises(BlockingIOError):  # who wants it waits
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with ThreadPoolExecutor(1) as pool:
        mine = pool.submit(made_once, "page", lambda: "mine")
        other.kill()
        assert mine.result() == "mine"
    other.communicate()
