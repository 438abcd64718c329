"""A class on two processes while something breaks: how long its students wait, and whether an answer is lost.

`python -m benchmarks.faults [FAULT …] [--students 12]`. Students speak Streamlit's protocol: every ten seconds each
types another sentence on /attention, and in the middle of the fault each answers the teacher's question as the line
of the class does, which asks again where nobody answers. The fault begins after ten seconds and lasts ten. A student
whose connection ends connects again; their times stand apart. Clients that flood are processes of the same machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from statistics import median, quantiles
from urllib.parse import urlsplit

from sqlalchemy import make_url
from websockets.exceptions import WebSocketException

from benchmarks.class_load import sentences, warm
from benchmarks.harness.server import ROOT, free_port
from benchmarks.harness.visitor import Visitor
from classroom import database, keys
from classroom.classrooms import Classrooms
from classroom.watch import Watch

STUDENTS, EVERY, ROUNDS = 12, 10.0, 4
BEGIN, LASTS = 10.0, 10.0  # seconds
FLOODERS = 40  # connections of one browser
AGAIN, TRIES = 1.5, 40  # as viz/frontend/classroom/class_client.js asks again
_GONE = (OSError, HTTPException, WebSocketException, TimeoutError)


@dataclass
class Server:
    """`python -m hosting` with two processes, its folder of temporary files, and its class."""

    port: int
    folder: Path
    process: subprocess.Popen[str]
    classrooms: Classrooms

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def processes(self, pattern: str) -> list[int]:
        """The numbers of the processes whose command has `pattern`."""
        output = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True, check=False).stdout
        return [int(number) for number in output.split()]

    def kill(self, pattern: str) -> None:
        for number in self.processes(pattern):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)


@dataclass
class Outcome:
    """All that the students saw: seconds, what was lost, and what they were told."""

    seconds: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)  # of those whose connection ended
    typed: int = 0
    errors: list[str] = field(default_factory=list)


def cookie(name: str) -> str:
    """The name of a browser, as its cookie has it."""
    return f"faults-{name}".ljust(22, "_")


class Student:
    """One student: a session, and a key for the class."""

    def __init__(self, server: Server, name: str, code: str):
        self.server, self.key = server, keys.key_of(cookie(name))
        self.cookies = f"glassformer_reader={cookie(name)}"
        server.classrooms.join(self.key, code, name)
        self.visitor = self._visitor()

    def _visitor(self) -> Visitor:
        return Visitor(self.server.address, "attention", cookies=self.cookies)

    async def type(self, text: str) -> tuple[float, bool]:
        """Type, and connect again where the connection has ended; seconds, and whether it had."""
        start, has_ended = time.monotonic(), False
        while True:
            try:
                await self.visitor.type(text)
            except _GONE:
                has_ended = True
                if time.monotonic() - start > 60:
                    raise
                await asyncio.sleep(0.5)
                self.visitor = self._visitor()
                with suppress(*_GONE):
                    await self.visitor.open()
                continue
            return time.monotonic() - start, has_ended

    def answer(self, task: int) -> None:
        """Answer as the browser does; raises RuntimeError where all tries failed."""
        for _ in range(TRIES):
            with suppress(*_GONE):
                connection = HTTPConnection("127.0.0.1", self.server.port, timeout=20)
                body = json.dumps({"do": "answer", "task": task, "text": "yes"})
                connection.request("POST", "/room", body, {"Authorization": f"Bearer {self.key}"})
                status = connection.getresponse().status
                connection.close()
                if status == 200:
                    return
                if status < 500:
                    raise RuntimeError(f"answer refused: {status}")
            time.sleep(AGAIN)
        raise RuntimeError("answer lost")


async def measure(server: Server, fault: Callable[[Server], None], students: int, number: int) -> str:
    """One class with one fault; the row of the table."""
    teacher = server.classrooms.create(keys.key_of(cookie(f"teacher-{number}")), "")
    task = server.classrooms.ask(teacher, "text", "Still here?")
    here = [Student(server, f"{number}-{each}", teacher.code) for each in range(students)]
    for at in range(0, students, 4):
        await asyncio.gather(*(student.visitor.open() for student in here[at : at + 4]))
    texts, chance, outcome = sentences_of(number), Random(number), Outcome()
    start = time.monotonic()

    async def visit(student: Student) -> None:
        for moment in [(turn + chance.random()) * EVERY for turn in range(ROUNDS)]:
            await asyncio.sleep(start + moment - time.monotonic())
            outcome.typed += 1
            try:
                seconds, has_ended = await student.type(next(texts))
                (outcome.again if has_ended else outcome.seconds).append(seconds)
            except Exception as error:
                outcome.errors.append(f"{type(error).__name__} {error}")

    async def answers(student: Student) -> None:
        await asyncio.sleep(BEGIN + chance.random() * LASTS)
        try:
            await asyncio.to_thread(student.answer, task)
        except Exception as error:
            outcome.errors.append(str(error))

    async def break_it() -> None:
        await asyncio.sleep(BEGIN)
        await asyncio.to_thread(fault, server)

    asyncio.get_running_loop().set_default_executor(_threads(students + 4))
    await asyncio.gather(break_it(), *map(visit, here), *map(answers, here))
    found = await board(server, teacher.classroom, outcome.typed, students)
    await asyncio.gather(*(student.visitor.close() for student in here), return_exceptions=True)
    slow = quantiles(outcome.seconds, n=20)[-1]
    wrong = f"  {len(outcome.errors)} failed: {outcome.errors[0][:90]}" if outcome.errors else ""
    told = {error for student in here for error in student.visitor.errors}
    again = f"  {len(outcome.again)} connected again within {max(outcome.again):.1f} s" if outcome.again else ""
    waits = f"{median(outcome.seconds):>8.2f}{slow:>8.2f}{max(outcome.seconds):>8.2f} s"
    return f"{waits}  {found}{again}{wrong}{told or ''}"


async def board(server: Server, classroom: int, typed: int, students: int) -> str:
    """What the teacher has in the end: answers and sentences; what is kept by a process comes within seconds."""
    end = time.monotonic() + 20
    while True:
        snapshot = Watch(server.classrooms).look(classroom)
        assert snapshot is not None
        answers = sum(int(str(count)) for _, count, _ in snapshot.board["asked"]["answers"])
        written = len(snapshot.board["sentences"])
        if (answers >= students and written >= typed) or time.monotonic() > end:
            return f"answers {answers}/{students}, sentences {written}/{typed}"
        await asyncio.sleep(0.5)


def sentences_of(number: int) -> Iterator[str]:
    """Sentences of this class alone."""
    for at, text in enumerate(sentences()):
        if at % len(FAULTS) == number:
            yield text


def _threads(count: int):  # type: ignore[no-untyped-def]
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(count)


# ---- what breaks


def nothing(server: Server) -> None:
    """Nothing breaks."""


def replica(server: Server) -> None:
    """One of the two processes is killed."""
    server.kill(f"server.port {server.port + 10_000} ")


def worker(server: Server) -> None:
    """The workers of the training queue are killed, and those that follow them once more."""
    for _ in range(2):
        server.kill("model.jobs.worker")
        time.sleep(LASTS / 2)


def locked(server: Server) -> None:
    """Another program holds the database's lock for ten seconds."""
    path = make_url(os.environ[database.VARIABLE]).database
    connection = sqlite3.connect(str(path), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    time.sleep(LASTS)
    connection.execute("ROLLBACK")
    connection.close()


def full(server: Server) -> None:
    """The disk with all temporary files, and the database, has no space left for ten seconds."""
    filler = server.folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"\0" * 65_536):
            pass
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while file.write(b"\0"):
            pass
    time.sleep(LASTS)
    filler.unlink()


def flood(kind: str) -> Callable[[Server], None]:
    """One browser asks for as much as it can, with `FLOODERS` connections."""

    def act(server: Server) -> None:
        process = multiprocessing.get_context("spawn").Process(target=_flood, args=(server.address, kind))
        process.start()
        process.join()

    return act


def _flood(address: str, kind: str) -> None:
    cookies = f"glassformer_reader={cookie('flood')}; glassformer_process=process1"
    work = {"sessions": _sessions, "routes": _routes, "downloads": _downloads}[kind]
    counts = asyncio.run(_until_end(lambda end: work(address, cookies, end)))
    print(f"    the flood: {counts}", file=sys.stderr, flush=True)


async def _until_end(work: Callable[[float], object]) -> object:
    return await work(time.monotonic() + LASTS)  # type: ignore[misc]


async def _sessions(address: str, cookies: str, end: float) -> int:
    """Open pages and type new sentences without a pause; how many runs were answered."""

    async def one(number: int) -> int:
        count = 0
        while time.monotonic() < end:
            with suppress(*_GONE, KeyError):
                visitor = Visitor(address, "attention", cookies=cookies)
                await visitor.open()
                while time.monotonic() < end:
                    await visitor.type(f"Ich sehe {number} Hunde und {count} Katzen.")
                    count += 1
            await asyncio.sleep(0.01)
        return count

    return sum(await asyncio.gather(*map(one, range(FLOODERS))))


async def _routes(address: str, cookies: str, end: float) -> dict[int, int]:
    paths = ["/", "/room", "/room?board=1", "/runs/x", "/sheet/x/overview", "/warm", "/admin/status", "/_stcore/health"]
    return await _asked(address, cookies, paths, end)


async def _downloads(address: str, cookies: str, end: float) -> dict[int, int]:
    visitor = Visitor(address, "attention", cookies=cookies)
    await visitor.open()
    return await _asked(address, cookies, list(dict.fromkeys(visitor.files)), end)


async def _asked(address: str, cookies: str, paths: list[str], end: float) -> dict[int, int]:
    """Ask for the paths with all connections until `end`; how often each status came."""
    counts: dict[int, int] = {}
    port = urlsplit(address).port

    async def one(number: int) -> None:
        count = number
        while time.monotonic() < end:
            with suppress(OSError, ValueError, IndexError, TimeoutError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                path = paths[count % len(paths)]
                count += 1
                head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\nAccept: text/html\r\n"
                writer.write(f"{head}Authorization: Bearer x\r\nConnection: close\r\n\r\n".encode())
                async with asyncio.timeout(max(0.1, end - time.monotonic())):
                    answer = await reader.read()
                status = int(answer.split(b" ", 2)[1])
                counts[status] = counts.get(status, 0) + 1
                writer.close()

    await asyncio.gather(*map(one, range(FLOODERS)))
    return counts


FAULTS: dict[str, Callable[[Server], None]] = {
    "nothing": nothing,
    "replica": replica,
    "worker": worker,
    "locked": locked,
    "full": full,
    "sessions": flood("sessions"),
    "routes": flood("routes"),
    "downloads": flood("downloads"),
}


@contextmanager
def hosted(folder: Path) -> Iterator[Server]:
    """The class's server, its temporary files and database in `folder`."""
    port = free_port() % 20_000 + 20_000
    os.environ[database.VARIABLE] = f"sqlite:///{folder / 'rooms.sqlite'}"
    process = subprocess.Popen(
        [sys.executable, "-m", "hosting", "--port", str(port), "--address", "127.0.0.1", "--processes", "2"],
        cwd=ROOT, env=os.environ | {"TMPDIR": str(folder)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if "A class of Glassformer" in line:
                break
        multiprocessing.get_context("fork").Process(target=_drain, args=(process.stdout,), daemon=True).start()
        for each in range(2):
            warm(f"http://127.0.0.1:{port + 10_000 + each}")
        time.sleep(30)  # the workers follow the models
        yield Server(port, folder, process, Classrooms(database.connect(make_url(os.environ[database.VARIABLE]))))
    finally:
        process.terminate()
        process.wait()


def _drain(lines: Iterator[str]) -> None:
    """Read on what the server writes, so that it never waits for a reader; show what failed."""
    for line in lines:
        if "Error" in line or "Traceback" in line:
            print(f"    {line.rstrip()[:160]}", file=sys.stderr, flush=True)


@contextmanager
def small_disk() -> Iterator[Path]:
    """A folder on a disk of its own with 64 MB; an ordinary one, which `full` must not fill, where nobody may mount."""
    with tempfile.TemporaryDirectory(prefix="gf-faults-") as folder:
        command = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder]
        mounted = subprocess.run(command, check=False).returncode == 0
        try:
            if not mounted:
                FAULTS.pop("full", None)
                print("full: left out, since this user may not mount a small disk")
            yield Path(folder)
        finally:
            if mounted:
                subprocess.run(["umount", "--lazy", folder], check=False)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("faults", nargs="*", metavar="FAULT", help=f"{', '.join(FAULTS)} (default: all)")
    parser.add_argument("--students", type=int, default=STUDENTS)
    options = parser.parse_args()
    numbers = {name: number for number, name in enumerate(FAULTS)}
    with small_disk() as folder, hosted(folder) as server:
        print(f"{'fault':<12}{'median':>8}{'p95':>8}{'longest':>8}", flush=True)
        for name in options.faults or list(FAULTS):
            row = asyncio.run(measure(server, FAULTS[name], options.students, numbers[name]))
            print(f"{name:<12}{row}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
