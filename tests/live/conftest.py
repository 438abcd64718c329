"""Live pages for the tests of this folder, made once, and browsers that watch what a page does."""

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from live import pages
from model.checkpoint import catalogue

Open = Callable[..., Page]


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


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Opens pages that must neither ask another host nor complain."""
    contexts = []
    asked: list[str] = []
    said: list[str] = []

    def watched(address: str, **settings: Any) -> Page:
        contexts.append(browser.new_context(**({"locale": "en", "reduced_motion": "reduce"} | settings)))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(address)
        return page

    yield watched
    for context in contexts:
        context.close()
    assert not said
    assert not [url for url in asked if not url.startswith(("file:", "blob:", "data:", "http://127.0.0.1:"))]
