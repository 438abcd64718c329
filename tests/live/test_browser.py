"""A live page in a real browser: from a file and from a bare server, without any other host."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from live import pages
from model.checkpoint import catalogue
from tests.browser import PATIENCE
from tests.fixtures import BUCH


class _Bare(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of two models: a folder, and `single/de-en.html`."""
    out = tmp_path_factory.mktemp("live")
    list(pages.write_folder([catalogue.find("de-en"), catalogue.find("gpt-char")], out))
    list(pages.write_single([catalogue.find("de-en")], out / "single"))
    return out


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    handler = functools.partial(_Bare, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that must neither ask another host nor complain."""
    context = browser.new_context()
    opened = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert not said
    assert not [url for url in asked if not url.startswith(("file:", "blob:", "data:", "http://127.0.0.1:"))]


def _ready(page: Page, model: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-ready", model, timeout=PATIENCE)


def _translates(page: Page, sentence: str, translation: str) -> None:
    page.get_by_label("Sentence").fill(sentence)
    page.get_by_label("Sentence").press("Enter")
    expect(page.locator("[data-output]")).to_have_attribute("data-output", translation)


def test_a_file_translates_without_a_server(page: Page, folder: Path) -> None:
    page.goto((folder / "single" / "de-en.html").as_uri())
    _ready(page, "de-en")
    _translates(page, BUCH, "Where is the book?")
    _translates(page, "Wir gehen heute ins Kino.", "We're going to the cinema today.")


def test_a_folder_loads_the_model_that_is_chosen(page: Page, host: str) -> None:
    page.goto(f"{host}/index.html")
    _ready(page, "de-en")
    _translates(page, BUCH, "Where is the book?")
    page.get_by_role("combobox", name="Model").select_option("gpt-char")
    _ready(page, "gpt-char")
    page.get_by_label("Sentence").fill("")
    page.get_by_label("Sentence").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("sentence_empty")
