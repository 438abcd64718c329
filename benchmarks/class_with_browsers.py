"""A class of fifty on `python -m hosting`, five of them real browsers: how fast they follow; one process is killed.

`python -m benchmarks.class_with_browsers [--students 45] [--browsers 5] [--processes 2]`. Students who are no browsers
speak Streamlit's protocol and ask the routes of a class as a browser does. Times run from the teacher's click: until a
student hears of the view, and until the run of their page has ended; of browsers until their address is the view's.
They share the machine with the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

from playwright.async_api import Page, async_playwright
from sqlalchemy import make_url
from websockets.exceptions import ConnectionClosed

from benchmarks.harness.server import ROOT
from benchmarks.harness.visitor import Visitor
from classroom import database, keys, results
from classroom.classrooms import Classrooms
from tests.browser import ARGUMENTS, chromium

PORT = 8690
VIEWS = (  # each with a sentence that nobody has typed before
    ("attention", {"sentence": "Der alte Mann liest heute ein gutes Buch."}),
    ("layers", {"sentence": "Die Kinder spielen am Montag im Garten."}),
    ("masks", {"sentence": "Wir kaufen morgen zwei neue Stühle."}),
    ("decoding", {"sentence": "Ihr trinkt am Abend gern kalten Tee."}),
    ("", {"sentence": "Meine Schwester kocht jeden Tag eine Suppe."}),
)


@dataclass
class Class:
    """The teacher's side: the database, the server, the key of the teacher."""

    classrooms: Classrooms
    key: str
    code: str
    classroom: int

    def act(self, **content: object) -> None:
        status, _ = asked(self.key, "", content)
        assert status == 200, status


def asked(key: str, cookies: str, content: dict | None = None, **settings: object) -> tuple[int, dict]:
    """The status and the answer of the route of a class."""
    connection = HTTPConnection("127.0.0.1", PORT, timeout=30)
    headers = {"Authorization": f"Bearer {key}", "Cookie": cookies}
    body = None if content is None else json.dumps(content)
    connection.request("GET" if body is None else "POST", f"/room?{urlencode(settings)}", body, headers)
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    return answer.status, json.loads(read) if read[:1] == b"{" else {}


def new_browser() -> tuple[str, str]:
    """The cookies of a browser that opens the first page, and its name."""
    connection = HTTPConnection("127.0.0.1", PORT, timeout=30)
    connection.request("GET", "/", headers={"Accept": "text/html"})
    answer = connection.getresponse()
    answer.read()
    pairs = [value.split(";")[0] for name, value in answer.getheaders() if name.lower() == "set-cookie"]
    connection.close()
    name = next(pair.partition("=")[2] for pair in pairs if pair.startswith("glassformer_reader"))
    return "; ".join(pairs), name


class Student:
    """A student without a browser."""

    def __init__(self, lesson: Class):
        self.cookies, name = new_browser()
        self.key = keys.key_of(name)
        lesson.classrooms.join(self.key, lesson.code)
        self.visitor = Visitor(f"http://127.0.0.1:{PORT}", "", "", self.cookies)
        self.heard: dict[int, float] = {}  # when it learned of which view
        self.seen: dict[int, float] = {}  # when which view was drawn
        self.answered: set[int] = set()

    async def live(self, pool: ThreadPoolExecutor) -> None:
        """Follow and answer until cancelled; connect again where the server went away."""
        loop, since = asyncio.get_running_loop(), ""
        while True:
            try:
                status, content = await loop.run_in_executor(
                    pool, lambda s=since: asked(self.key, self.cookies, since=s)
                )
                if status != 200:
                    await asyncio.sleep(0.5)
                    continue
                since = str(content["since"])
                view, task = content["shown"], content["task"]
                if view and view not in self.seen:
                    self.heard[view] = time.monotonic()
                    page, _, query = content["view"].partition("?")
                    await self._go(page, query)
                    self.seen[view] = time.monotonic()
                if task and task["id"] not in self.answered and content["mine"] is None:
                    self.answered.add(task["id"])
                    answer = {"do": "answer", "task": task["id"], "text": task["options"][int(self.key[0], 16) % 2][0]}
                    await loop.run_in_executor(pool, partial(asked, self.key, self.cookies, answer))
            except OSError:
                await asyncio.sleep(0.5)

    async def _go(self, page: str, query: str) -> None:
        try:
            await self.visitor.go(page, query)
        except (ConnectionClosed, TimeoutError):
            self.visitor = Visitor(f"http://127.0.0.1:{PORT}", page, query, self.cookies)
            await self.visitor.open()


async def browsed(page: Page, lesson: Class, number: int) -> None:
    """A student with a browser joins."""
    await page.goto(f"http://127.0.0.1:{PORT}/class?room={lesson.code}&language=en")
    await page.get_by_label("Nickname").fill(f"Browser {number}")
    await page.get_by_role("button", name="Join", exact=True).click()
    await page.locator(".gf-class-bar[data-ready]").wait_for()


async def arrived(page: Page, name: str, sentence: str) -> float:
    """When the browser's address is that of the view."""
    address = [f"/{name}", urlencode({"sentence": sentence})]
    await page.wait_for_function(
        "([path, part]) => location.pathname === path && location.search.includes(part)", arg=address, timeout=60_000
    )
    return time.monotonic()


async def measure(lesson: Class, students: int, browsers: int) -> None:
    pool = ThreadPoolExecutor(students + 10)
    here = [Student(lesson) for _ in range(students)]
    for start in range(0, students, 5):
        await asyncio.gather(*(student.visitor.open() for student in here[start : start + 5]))
    living = [asyncio.create_task(student.live(pool)) for student in here]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        pages = [await (await browser.new_context()).new_page() for _ in range(browsers)]
        for number, page in enumerate(pages):
            await browsed(page, lesson, number)
        print(f"{students + browsers} students, {browsers} of them browsers; seconds: median, 95 %, longest, how many")
        for number, (name, settings) in enumerate(VIEWS, 1):
            await asyncio.sleep(3)
            if number == len(VIEWS):
                _kill()
                print("one process is killed")
            click_time = time.monotonic()
            lesson.act(do="show", view=f"/{name}?{urlencode({'checkpoint': 'de-en'} | settings)}")
            times = await asyncio.gather(*(arrived(page, name, settings["sentence"]) for page in pages))
            while any(number not in student.seen for student in here) and time.monotonic() < click_time + 60:
                await asyncio.sleep(0.1)
            print(f"/{name:<10} heard {_times([each.heard.get(number) for each in here], click_time)}  "
                  f"drawn {_times([each.seen.get(number) for each in here], click_time)}  "
                  f"browsers {_times(times, click_time)}", flush=True)  # fmt: skip
        for number, page in enumerate(pages):
            field = page.get_by_label("Sentence", exact=True).first
            await field.fill(f"Ich habe {number + 2} Katzen.")
            await field.press("Enter")
        click_time = time.monotonic()
        lesson.act(do="ask", question="Which?", options="one\ntwo")
        for page in pages:
            await page.locator(".gf-option").first.click()
        while time.monotonic() < click_time + 30:
            _, board = await asyncio.to_thread(asked, lesson.key, "", None, board=1)
            if sum(count for _, count, _ in board["asked"]["answers"]) == students + browsers:
                break
            await asyncio.sleep(0.1)
        counts = board["asked"]["answers"]
        print(f"answers {counts} after {time.monotonic() - click_time:.2f} s · sentences {len(board['sentences'])}")
        await browser.close()
    for task in living:
        task.cancel()
    pool.shutdown(wait=False, cancel_futures=True)


def _times(moments: Sequence[float | None], start: float) -> str:
    took = [moment - start for moment in moments if moment is not None]
    return f"{median(took):.2f} {quantiles(took, n=20)[-1]:.2f} {max(took):.2f} {len(took)}/{len(moments)}"


def _kill() -> None:
    output = subprocess.run(
        ["pgrep", "-f", f"server.port {PORT + 10_000} "], capture_output=True, text=True, check=True
    )
    for number in output.stdout.split():
        os.kill(int(number), signal.SIGKILL)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.class_with_browsers", description=__doc__)
    parser.add_argument("--students", type=int, default=45)
    parser.add_argument("--browsers", type=int, default=5)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder) / 'rooms.sqlite'}"
        command = [sys.executable, "-m", "hosting", "--port", str(PORT), "--processes", str(options.processes)]
        server = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | {database.VARIABLE: address, "TMPDIR": folder},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            for line in server.stdout:
                if "A class of Glassformer" in line:
                    break
            time.sleep(12)  # the models are loaded
            classrooms = Classrooms(database.connect(make_url(address)))
            teacher = classrooms.create(keys.key_of("teacher"), "Measured")
            lesson = Class(classrooms, keys.key_of("teacher"), teacher.code, teacher.classroom)
            asyncio.run(measure(lesson, options.students, options.browsers))
            lines = results.table(classrooms, teacher).decode("utf-8-sig").splitlines()
            print(f"the exported table has {len(lines) - 1} rows")
        finally:
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
