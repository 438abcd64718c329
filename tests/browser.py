"""A server and a browser for the tests: start, find, wait for idle. Nothing here sleeps."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, WebSocket, expect

from tests.fixtures import ROOT, SAMPLES

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 45_000  # ms, for a busy machine; a passing test waits no longer than it needs


def chromium() -> str | None:
    """The system's Chromium; None stands for Playwright's own."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return next((path for path in found if path), None)


def launch(playwright: Playwright) -> Browser:
    expect.set_options(timeout=PATIENCE)
    return playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)


@contextmanager
def server(checkpoints: Path = SAMPLES) -> Iterator[str]:
    """`streamlit run app.py` on a free port; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    files = tempfile.mkdtemp(prefix="glassformer-server-")  # where it keeps its runs for the next of its port
    process = subprocess.Popen(
        [
            sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port),
            "--server.address", "127.0.0.1",
        ],
        cwd=ROOT,
        env=os.environ | {"GLASSFORMER_CHECKPOINTS": str(checkpoints), "PYTHONUNBUFFERED": "1", "TMPDIR": files},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = []
        for line in process.stdout:  # ends when the process does
            said.append(line)
            if f":{port}" in line:
                break
        assert process.poll() is None, "".join(said)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.communicate()
        shutil.rmtree(files, ignore_errors=True)


def idle(page: Page) -> Page:
    """Wait until the script has ended, nothing on the page is stale, and the figures are drawn."""
    app = page.locator("[data-testid=stApp]")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    for waiting in ("[data-stale=true]", "[data-testid=stSkeleton]", "[data-testid=stSpinner]"):
        expect(page.locator(waiting)).to_have_count(0)
    for figure in (".gf-attention", ".gf-architecture", ".gf-matrices"):
        expect(page.locator(f"{figure}:not([data-ready])")).to_have_count(0)
    return page


class Watch:
    """What a browser context must never do: ask another host, or write an error to its console."""

    def __init__(self, context: BrowserContext, address: str):
        self.host = urlsplit(address).netloc
        self.elsewhere: list[str] = []
        self.errors: list[str] = []
        self.sent: list[str | bytes] = []
        context.on("request", lambda request: self._asked(request.url))
        context.on("console", self._console)
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("page", lambda page: page.on("websocket", self._websocket))

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.netloc != self.host:
            self.elsewhere.append(url)

    def _console(self, message: ConsoleMessage) -> None:
        # On a deep link Streamlit looks for its server below the page's address first.
        probe = urlsplit(message.location["url"]).path.strip("/").split("/", 1)
        harmless = "404" in message.text and len(probe) == 2 and probe[1] in ("_stcore/health", "_stcore/host-config")
        if message.type == "error" and not harmless:
            self.errors.append(f"{message.text} ({message.location['url']})")

    def _websocket(self, websocket: WebSocket) -> None:
        self._asked(websocket.url)
        websocket.on("framesent", lambda frame: self.sent.append(frame))
