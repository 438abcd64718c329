"""Answers of a class whose server is killed, or whose database is locked: each arrives once.

Node runs the client of the line of the class. The server is a process of its own, with a database that it shares.
"""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

from classroom import keys
from classroom.classrooms import Classrooms, Membership
from classroom.snapshot import take
from tests.node import NODE
from tests.pages.classroom.test_class_faults import locked
from tests.samples import ROOT

pytestmark = pytest.mark.thorough  # a server starts in a second or two
HERE = Path(__file__).parent
STUDENTS = 12
WAIT = "0.2"  # seconds that the server waits for the lock


@pytest.fixture
def port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        number: int = listening.getsockname()[1]
        return number


@pytest.fixture
def start(port: int, store: Classrooms) -> Iterator[Callable[..., subprocess.Popen]]:
    """Starts the server, which `dies` with an answer; it is there when the function returns."""
    started: list[subprocess.Popen] = []

    def begin(dies: int = 0) -> subprocess.Popen:
        command = [sys.executable, "-m", "tests.pages.classroom.server.class_server", str(port), WAIT, str(dies)]
        started.append(subprocess.Popen(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}))
        while True:
            assert started[-1].poll() is None, "the server has ended"
            try:
                urlopen(f"http://127.0.0.1:{port}/room", timeout=30).close()
            except HTTPError:  # it does not know us
                return started[-1]
            except (URLError, OSError):
                continue

    yield begin
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def teacher(store: Classrooms) -> Membership:
    return store.create(keys.key_of("teacher"), "")


@contextmanager
def students(
    store: Classrooms, teacher: Membership, port: int, before: Callable[[], object] = lambda: None
) -> Iterator[Callable[[str, int], None]]:
    """Students who answer at once, after `before`; gives a function that waits until a line was said so many times."""
    owned = [keys.key_of(f"student {number}") for number in range(STUDENTS)]
    for key in owned:
        store.join(key, teacher.code)
    task = store.ask(teacher, "text", "Why?")
    before()
    asked = json.dumps({"base": f"http://127.0.0.1:{port}", "keys": owned, "task": task})
    process = subprocess.Popen([NODE, HERE / "students.mjs", asked], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said: list[str] = []

    def until(line: str, count: int) -> None:
        assert process.stdout is not None
        while sum(each.startswith(line) for each in said) < count:
            more = process.stdout.readline()
            assert more, said
            said.append(more.strip())

    yield until
    until("sent", STUDENTS)
    assert {each for each in said if each.startswith("sent")} == {"sent"}  # nothing was refused
    process.wait()


def answers(store: Classrooms, teacher: Membership) -> list[list]:
    with store.reading() as session:
        snapshot = take(session, teacher.classroom)
    assert snapshot is not None
    return sorted(snapshot.board["asked"]["answers"])


EACH_ONCE = sorted([f"answer {number}", 1, None] for number in range(STUDENTS))


def test_no_answer_is_lost_when_the_server_is_killed(
    store: Classrooms, teacher: Membership, port: int, start: Callable[..., subprocess.Popen]
) -> None:
    """Of one it has kept the answer and not said so: this one arrives twice."""
    server = start(STUDENTS // 3)
    with students(store, teacher, port) as until:
        until("lost", 1)
        assert server.wait() == -signal.SIGKILL
        assert STUDENTS // 3 <= len(answers(store, teacher)) < STUDENTS
        start()
    assert answers(store, teacher) == EACH_ONCE


def test_no_answer_is_lost_while_another_program_locks_the_database(
    store: Classrooms, teacher: Membership, port: int, start: Callable[..., subprocess.Popen]
) -> None:
    start()
    lock = ExitStack()
    with students(store, teacher, port, before=lambda: lock.enter_context(locked(store))) as until:
        until("waiting", STUDENTS)
        assert answers(store, teacher) == []
        lock.close()
    assert answers(store, teacher) == EACH_ONCE
