"""Files to download, by a click in a browser: their menu, one that is gone, and while other sessions come and go."""

import asyncio
import threading
from urllib.parse import urlencode, urlsplit

import pytest
import websockets
from playwright.sync_api import expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shared.text.words import all_texts
from tests.browser import Visits, idle, path
from tests.files import READ, download
from tests.samples import BUCH

ZH = all_texts("zh")


def test_the_menu_of_a_figure_opens_and_closes_by_mouse_and_keyboard(visit: Visits) -> None:
    page = visit.again(path("attention", language="en"))
    menu, link = page.locator(".gf-take:not(.gf-page) summary").first, page.locator(".gf-file[data-key=csv]")
    expect(link).to_be_hidden()
    menu.click()
    expect(link).to_be_visible()
    page.locator("h1").click()
    expect(link).to_be_hidden()
    menu.focus()
    page.keyboard.press("Enter")
    expect(link).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(menu).to_be_focused()


def test_a_file_that_is_gone_is_said_in_a_sentence(visit: Visits) -> None:
    page = visit.again(path("attention", language="zh"))
    link = page.locator(".gf-file[data-key=csv]")
    link.evaluate("link => (link.href = link.href.replace(/csv$/, 'none'))")
    page.locator(".gf-take:not(.gf-page) summary").first.click()
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


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sessions", "times"), [(4, 10), pytest.param(50, 100, marks=pytest.mark.full)], ids=["few", "class"]
)
def test_files_arrive_while_other_sessions_come_and_go(sessions: int, times: int, visit: Visits) -> None:
    page = visit.again(path("attention", sentence=BUCH))
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
