"""Five hundred students on live pages: what the server passes on, how fast, and at what cost.

`python -m benchmarks.class_on_devices [--students 500] [--classes 1] [--browsers 3]`. Students who are no browsers ask
the routes as a live page does: one question at a time, which the server answers when something has changed. The teacher
shows five views, then asks; everybody answers at once. Seconds from the teacher's click until a student has heard of a
view, and from the question until all answers are on the board. With `--browsers` some are real ones, the first a phone:
seconds until their page shows the view. At the end everybody trains: the curve of each student goes to the board every
`CURVE_EVERY` seconds, longer each time. Students and server share the machine; their own processor time is told apart.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode, urlsplit

from playwright.async_api import Page, async_playwright
from sqlalchemy import make_url

from benchmarks.class_load import memory_of, physical_memory_of, processor, settled, warm
from benchmarks.harness.server import ROOT, Address, streamlit
from classroom import database, keys
from classroom.classrooms import Classrooms, Membership
from pages.shared.session.user import NAME
from tests.browser import ARGUMENTS, chromium

SENTENCES = ("abc", "bcd", "cde", "def", "efg")
PAUSE = 3.0  # seconds between two views
QUIET = 20.0  # seconds in which nothing happens
CURVE_EVERY, CURVES = 8.0, 5  # seconds between two messages of a student who trains, and how many; class_curve.js
CURVE_POINTS = 4  # more in each message: a training of 600 steps is measured every 30
PATIENCE = 60.0
PAGE = "/live/reverse/"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


class Connection:
    """A connection that stays open, as a browser's; made anew where the server has closed it."""

    def __init__(self, address: str):
        self.address = urlsplit(address)
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, headers: dict[str, str], content: object = None) -> tuple[int, dict]:
        """Status and answer. Raises OSError or EOFError where no server answers."""
        try:
            if self.streams is None:
                self.streams = await asyncio.open_connection(self.address.hostname, self.address.port)
            reader, writer = self.streams
            body = b"" if content is None else json.dumps(content).encode()
            lines = {"Host": self.address.netloc, "Content-Length": len(body), **headers}
            head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            first, *told = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            length = next(int(line.split(":")[1]) for line in told if line.lower().startswith("content-length"))
            answer = await reader.readexactly(length)
        except BaseException:
            self.streams = None
            raise
        return int(first.split()[1]), json.loads(answer) if answer[:1] == b"{" else {}


class Student:
    """A student on a live page, without a browser."""

    def __init__(self, address: str, code: str):
        self.cookie = {"Cookie": f"{NAME}={secrets.token_urlsafe(16)}"}
        self.code, self.key, self.since = code, "", ""
        self.polls, self.acts = Connection(address), Connection(address)
        self.heard: dict[int, float] = {}  # when it learned of which view
        self.answered: set[int] = set()

    async def join(self) -> None:
        headers = self.cookie | {"Content-Type": "application/json"}
        status, answer = await self.acts.ask("POST", "/room/own", headers, {"code": self.code, "nickname": ""})
        assert status == 200, answer
        self.key = answer["key"]

    @property
    def headers(self) -> dict[str, str]:
        return self.cookie | {"Authorization": f"Bearer {self.key}"}

    async def live(self) -> None:
        """Listen and answer until cancelled."""
        while True:
            try:
                status, content = await self.polls.ask("GET", f"/room?{urlencode({'since': self.since})}", self.headers)
            except (OSError, EOFError):
                await asyncio.sleep(1.5)
                continue
            if status == 200:
                self.since = content["since"]
                self.heard.setdefault(content["shown"], time.monotonic())
                task = content["task"]
                if task and content["mine"] is None and task["id"] not in self.answered:
                    self.answered.add(task["id"])
                    await self.answer(task["id"])
                    self.since = ""  # to see what it has done
                    continue
            await asyncio.sleep(0.3 if status == 200 else 1.5)

    async def answer(self, task: int) -> None:
        """Send an answer until it has arrived."""
        await self.act({"do": "answer", "task": task, "text": "yes"}, 1.5)

    async def act(self, content: dict[str, object], again: float) -> None:
        """Do something until it has arrived."""
        while True:
            with suppress(OSError, EOFError):
                status, _ = await self.acts.ask("POST", "/room", self.headers, content)
                if status == 200:
                    return
            await asyncio.sleep(again)

    async def train(self, start: float) -> list[float]:
        """Train from a moment in the next seconds on: how long each message of the curve took."""
        times = []
        for number in range(1, CURVES + 1):
            await asyncio.sleep(max(0.0, start + CURVE_EVERY * number - time.monotonic()))
            points = [[30 * at, round(3.3 / (1 + at), 4), 0.125] for at in range(CURVE_POINTS * number)]
            content = {"do": "train", "task": "reverse", "step": points[-1][0], "steps": 600, "changed": False}
            sent = time.monotonic()
            await self.act(content | {"points": points}, 0)  # a connection that was idle may have been closed
            times.append(time.monotonic() - sent)
        return times


class Class:
    """A class, its teacher and its students."""

    def __init__(self, address: str, classrooms: Classrooms, number: int, students: int):
        self.key = keys.key_of(f"teacher {number}")
        self.me: Membership = classrooms.create(self.key, f"Class {number}")
        self.students = [Student(address, self.me.code) for _ in range(students)]
        self.connection = Connection(address)

    async def act(self, **content: object) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        status, answer = await self.connection.ask("POST", "/room", headers, content)
        assert status == 200, answer

    async def answers(self) -> int:
        """How many are on the board."""
        with suppress(OSError, EOFError):
            _, board = await self.connection.ask("GET", "/room?board=1", {"Authorization": f"Bearer {self.key}"})
            asked = board["asked"]  # None in the moment before the question is there
            return sum(count for _, count, _ in asked["answers"]) if asked else 0
        return 0

    async def watch(self) -> None:
        """Watch the board as a teacher's browser does, until every curve is there as a whole."""
        since, whole = "", CURVE_POINTS * CURVES
        while True:
            path = f"/room?{urlencode({'board': 1, 'since': since})}"
            _, board = await self.connection.ask("GET", path, {"Authorization": f"Bearer {self.key}"})
            since = board["since"]
            if sum(len(curve["points"]) == whole for curve in board["trainings"]) == len(self.students):
                return
            await asyncio.sleep(0.3)


@asynccontextmanager
async def browsers(address: str, code: str, count: int) -> AsyncIterator[list[Page]]:
    """Real ones on the live page of the class, the first a phone."""
    if not count:
        yield []
        return
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        pages = []
        for number in range(count):
            page = await browser.new_page(locale="en", **(PHONE if number == 0 else {}))
            await page.goto(f"{address}{PAGE}?class={code}")
            await page.locator(".class-panel button[type=submit]").click(timeout=5000 * PATIENCE)  # once it is made
            await page.locator("body[data-ready]").wait_for(timeout=1000 * PATIENCE)
            pages.append(page)
        yield pages
        await browser.close()


async def seen(page: Page, sentence: str, clicked: float) -> float:
    """Seconds from the click until the page shows the output of a sentence."""
    await page.locator(f"[data-output='{sentence[::-1]}']").wait_for(timeout=1000 * PATIENCE)
    return round(time.monotonic() - clicked, 2)


async def measure(server: Address, classrooms: Classrooms, options: argparse.Namespace) -> None:
    classes = [
        Class(server, classrooms, number, options.students // options.classes) for number in range(options.classes)
    ]
    students = [student for each in classes for student in each.students]
    print(f"memory before: {told_memory(server)}", flush=True)
    start = time.monotonic()
    for some in (students[at : at + 50] for at in range(0, len(students), 50)):
        await asyncio.gather(*(student.join() for student in some))
    print(f"{len(students)} students have joined in {time.monotonic() - start:.1f} s", flush=True)
    async with browsers(server, classes[0].me.code, options.browsers) as pages:
        living = [asyncio.create_task(student.live()) for student in students]
        await asyncio.sleep(PAUSE)
        await costs("nothing happens", server, asyncio.sleep(QUIET))
        await costs("five views", server, views(classes, pages))
        await costs("a question", server, question(classes))
        await costs("everybody trains", server, trainings(classes))
        print(f"memory: {told_memory(server)}", flush=True)
        for task in living:
            task.cancel()
        failed = [each for each in await asyncio.gather(*living, return_exceptions=True) if isinstance(each, Exception)]
        print(f"students who failed: {len(failed)} {failed[:1]}")


async def costs(name: str, server: Address, work) -> None:  # type: ignore[no-untyped-def]
    """Do it, and say which share of a core the server and the students needed meanwhile."""
    before, own, start = processor(server), time.process_time(), time.monotonic()
    await work
    took = time.monotonic() - start
    used = (processor(server) or 0) - (before or 0)
    print(
        f"{name}: {took:.1f} s, server {used / took:.2f} cores, students {(time.process_time() - own) / took:.2f}",
        flush=True,
    )


def told_memory(server: Address) -> str:
    """Memory of the process that answers, and of all that it has started."""
    own = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4096 / 1e6
    together = f"{physical_memory_of(server):.0f} MB, {memory_of(server):.0f} MB if what they share is counted for each"
    return f"{own:.0f} MB, with its helpers {together}"


async def views(classes: list[Class], pages: list[Page]) -> None:
    for number, sentence in enumerate(SENTENCES, start=1):
        clicked = time.monotonic()
        for each in classes:
            await each.act(do="show", view=f"/attention?checkpoint=reverse&sentence={sentence}")
        shown = asyncio.gather(*(seen(page, sentence, clicked) for page in pages))
        await asyncio.sleep(PAUSE)
        heard = [student.heard[number] for each in classes for student in each.students if number in student.heard]
        took = [when - clicked for when in heard]
        told = f"median {median(took):.2f}, 95 % {quantiles(took, n=20)[-1]:.2f}, last {max(took):.2f} s"
        print(
            f"  view {number} heard by {len(took)}: {told}; browsers {[round(s, 2) for s in await shown]}", flush=True
        )


async def question(classes: list[Class]) -> None:
    asked = time.monotonic()
    for each in classes:
        await each.act(do="ask", question="Do you see it?", options="yes\nno")
    most, end = sum(len(each.students) for each in classes), asked + PATIENCE
    count = 0
    while count < most and time.monotonic() < end:
        count = sum([await each.answers() for each in classes])
        await asyncio.sleep(0.1)
    print(f"  {count} of {most} answers are on the board after {time.monotonic() - asked:.1f} s", flush=True)


async def trainings(classes: list[Class]) -> None:
    began, students = time.monotonic(), [student for each in classes for student in each.students]
    boards = asyncio.gather(*(each.watch() for each in classes))
    starts = [began + CURVE_EVERY * number / len(students) for number in range(len(students))]
    times = await asyncio.gather(*map(Student.train, students, starts))
    took = [each for some in times for each in some]
    sent = time.monotonic()
    await asyncio.wait_for(boards, PATIENCE)
    told = f"median {median(took):.2f}, 95 % {quantiles(took, n=20)[-1]:.2f}, last {max(took):.2f} s"
    print(
        f"  a curve is taken: {told}; all are on the board {time.monotonic() - sent:.1f} s after the last", flush=True
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.class_on_devices", description=__doc__)
    parser.add_argument("--students", type=int, default=500)
    parser.add_argument("--classes", type=int, default=1, help="a class holds 600")
    parser.add_argument("--browsers", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'rooms.sqlite'}"
        with streamlit(ROOT / "app.py", os.environ | {database.VARIABLE: address}) as server:
            warm(server)
            asyncio.run(settled(server))
            asyncio.run(measure(server, Classrooms(database.connect(make_url(address))), options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
