"""Live pages for the tests of this folder, made once, and browsers that watch what a page does."""

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from live import pages
from model.checkpoint import catalogue


class _Bare(http.server.SimpleHTTPRequestHandler):
    """A server of files that knows nothing but their names."""

    headers_sent: dict[str, str] = {}  # noqa: RUF012  # a class for each server

    def end_headers(self) -> None:
        for name, value in self.headers_sent.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path, headers: dict[str, str] | None = None) -> Iterator[str]:
    """The address of a server of a folder; `headers` come with every file."""
    handler = type("Handler", (_Bare,), {"headers_sent": headers or {}})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def live_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of three models, one of each architecture: a folder, and `single/de-en.html`."""
    out = tmp_path_factory.mktemp("live")
    names = ("de-en", "gpt-char", "mini-encoder")
    list(pages.write_folder([catalogue.find(name) for name in names], out))
    list(pages.write_single([catalogue.find("de-en")], out / "single"))
    return out


@pytest.fixture(scope="session")
def live_host(live_folder: Path) -> Iterator[str]:
    with served(live_folder) as address:
        yield address


class Open:
    """Opens pages that must neither ask another host nor complain."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.kept: dict[str, Page] = {}
        self.contexts: list[BrowserContext] = []
        self.asked: list[str] = []
        self.said: list[str] = []

    def __call__(self, address: str, **settings: Any) -> Page:
        context = self.browser.new_context(**({"locale": "en", "reduced_motion": "reduce"} | settings))
        self.contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.goto(address)
        return page

    def again(self, address: str, by: str = "") -> Page:
        """Show a view in the page that an earlier test `by` the same name left, as a link does; else open it.

        To start the engine takes most of the time of a short test.
        """
        file, _, view = address.partition("#")
        if page := self.kept.get(file + by):
            page.evaluate("to => { history.pushState(null, '', to); dispatchEvent(new Event('popstate')) }", f"#{view}")
        else:
            page = self.kept[file + by] = self(address)
        return page

    def end(self) -> None:
        """Close all but the pages of `again`."""
        kept = [page.context for page in self.kept.values()]
        for context in self.contexts:
            if context not in kept:
                context.close()
        self.contexts = kept
        asked, self.asked = self.asked, []
        said, self.said = self.said, []
        assert not said
        assert not [url for url in asked if not url.startswith(("file:", "blob:", "data:", "http://127.0.0.1:"))]


@functools.cache
def _of(browser: Browser) -> Open:
    """One for all tests, also for those of other folders."""
    return Open(browser)


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens pages; a second try finds none that the first one left."""
    opening = _of(browser)
    if getattr(request.node, "execution_count", 1) > 1:
        opening.kept.clear()
    yield opening
    opening.end()
