"""Chromium for the measurements: a fresh context for each page, cut off from other hosts, with a clock inside."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
_CLOCK = (Path(__file__).parent / "clock.js").read_text(encoding="utf-8")
_PATIENCE = 60_000  # milliseconds
_LOCAL = ("127.0.0.1", "localhost", None, "")


def executable() -> str | None:
    """The system's Chromium, or None for Playwright's own."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without windows, ended on the way out."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def fresh_page(browser: Browser, *, height: int = 900, script: str = "") -> Iterator[Page]:
    """A page that has seen nothing yet, `clock.js` and `script` run in it first. Raises if it asked another host."""
    foreign: list[str] = []
    viewport: ViewportSize = {"width": 1280, "height": height}
    context = browser.new_context(viewport=viewport, locale="en-US", color_scheme="light")
    context.set_default_timeout(_PATIENCE)
    context.add_init_script(f"{_CLOCK}\n{script}")
    page = context.new_page()
    page.on("request", lambda request: foreign.extend(_foreign(request.url)))
    try:
        yield page
    finally:
        context.close()
    if foreign:
        raise RuntimeError(f"the page asked another host: {foreign[0]}")


def drawn(page: Page) -> float:
    """Seconds from the start of the clock to the picture that `clock.watch` was told to wait for."""
    return page.evaluate("clock.drawn") / 1000


def idle(page: Page) -> None:
    """Wait until Streamlit has nothing left to do for this page."""
    page.wait_for_selector(
        "[data-testid=stApp][data-test-script-state=notRunning][data-test-connection-state=CONNECTED]"
    )


def _foreign(url: str) -> list[str]:
    return [] if urlsplit(url).hostname in _LOCAL else [url[:100]]
