"""Files to download, by a click in a browser: each kind from each page, and while other sessions come and go."""

import asyncio
import csv
import io
import json
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
import websockets
from playwright.sync_api import Locator, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.text.words import catalogue
from tests.browser import ADDRESSES, Visits, idle, path
from tests.fixtures import BUCH

ZH = catalogue("zh")
WITHOUT = ("train", "glossary")  # a run has files, and is downloaded in test_browser_train; terms are no files


def download(page: Page, link: Locator) -> bytes:
    with page.expect_download() as arriving:
        link.click()
    assert arriving.value.suggested_filename == link.get_attribute("download")
    return Path(arriving.value.path()).read_bytes()


def _lines(content: bytes) -> list[object]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def _marks(content: bytes) -> list[object]:
    return [node for node in ElementTree.fromstring(content).iter() if node.tag.endswith(("rect", "path", "text"))]


READ: dict[str, Callable[[bytes], list[object]]] = {
    "csv": _lines,
    "svg": _marks,
    "json": json.loads,
    "zip": lambda content: list(ZipFile(io.BytesIO(content)).namelist()),
}


@pytest.mark.parametrize("name", [name for name in ADDRESSES if name not in WITHOUT])
def test_each_kind_of_file_holds_something(name: str, visit: Visits) -> None:
    page = visit(path(name, language="zh", **({"question": "permute"} if name == "quiz" else {})))
    if name == "quiz":
        page.locator(".st-key-option_right button").click()
        expect(page.locator("[data-key=json_quiz]")).to_be_visible()
        idle(page)
    seen = set()
    for link in page.locator(".gf-file").all():
        kind = (link.get_attribute("download") or "").rpartition(".")[2]
        if kind not in seen:
            seen.add(kind)
            assert READ[kind](download(page, link)), kind
    assert seen == {"quiz": {"csv", "json"}, "checkpoints": {"zip"}}.get(name, {"svg", "csv"})


def test_a_quiz_s_files_hold_the_answer_in_the_reader_s_language(visit: Visits) -> None:
    page = visit("/quiz?question=permute&numbers=7&language=zh")
    page.locator(".st-key-option_right button").click()
    link = page.locator("[data-key=csv_quiz]")
    expect(link).to_be_visible()
    idle(page)
    [line] = _lines(download(page, link))
    assert line[ZH["quiz_columns.title"]] == ZH["quiz_permute.title"]  # type: ignore[index]
    assert line[ZH["quiz_columns.result"]] == ZH["quiz_columns.first"]  # type: ignore[index]
    assert json.loads(download(page, page.locator("[data-key=json_quiz]"))) == [line | {ZH["quiz_columns.numbers"]: 7}]  # type: ignore[operator]


def test_a_file_that_is_gone_is_said_in_a_sentence(visit: Visits) -> None:
    page = visit(path("attention", language="zh"))
    link = page.locator(".gf-file[data-key=csv]")
    link.evaluate("link => (link.href = link.href.replace(/csv$/, 'none'))")
    link.click()
    expect(page.get_by_role("alert")).to_have_text(ZH["notice.file_gone"])
    visit.watches[page].errors.clear()  # the browser writes every answer of this kind to its console


class Others(threading.Thread):
    """Sessions that connect, run a page once and leave, one after the other, until the test has ended."""

    def __init__(self, address: str, count: int):
        super().__init__(daemon=True)
        self.address, self.count, self.runs = f"ws://{urlsplit(address).netloc}/_stcore/stream", count, 0
        self.busy, self.ended = threading.Event(), threading.Event()  # busy: as many runs as sessions are done

    def run(self) -> None:
        asyncio.run(self._all())

    async def _all(self) -> None:
        await asyncio.gather(*(self._come_and_go() for _ in range(self.count)))

    async def _come_and_go(self) -> None:
        message = BackMsg()
        message.rerun_script.page_name = "attention"
        message.rerun_script.query_string = urlencode({"sentence": BUCH})
        while not self.ended.is_set():
            async with websockets.connect(self.address, max_size=None) as socket:
                await socket.send(message.SerializeToString())
                while ForwardMsg.FromString(await socket.recv()).WhichOneof("type") != "script_finished":  # type: ignore[arg-type]
                    pass
                self.runs += 1
                if self.runs >= self.count:
                    self.busy.set()


@pytest.mark.parametrize(
    ("sessions", "times"), [(4, 10), pytest.param(50, 100, marks=pytest.mark.full)], ids=["few", "class"]
)
def test_files_arrive_while_other_sessions_come_and_go(sessions: int, times: int, visit: Visits) -> None:
    page = visit(path("attention", sentence=BUCH))
    others = Others(visit.address, sessions)
    others.start()
    try:
        assert others.busy.wait(timeout=60)
        for number in range(times):
            if number % 10 == 9:  # Chromium saves ten files of a page within a second and drops the next without a word
                page.reload()
                idle(page)
            kind = ("csv", "svg")[number % 2]
            assert READ[kind](download(page, page.locator(f".gf-file[data-key={kind}]")))
    finally:
        others.ended.set()
        others.join()
