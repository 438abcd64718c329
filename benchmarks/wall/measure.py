"""48 attention maps on the screen: our component ÷ BertViz's model view, the same weights, the same browser.

Bytes: everything sent for the figure, before any compression by the transport. Ours: all that the open
page receives from pressing the button until it rests again: data, component code, and the messages of
the run; Streamlit's own front end (`/static/`) is left out. BertViz: its page with the data in it, d3
and jQuery; the notebook's front end, in which it usually stands, is left out.

Drawn: all 48 maps painted, in a window so tall that none of them lies outside. Ours starts with the
press of the button and includes the run of the script, the packing of the weights and the loading of
the front end's part for components; BertViz's starts with the request for a page that lies ready.
Both stop two frames after the one with the picture, when the compositor is through with it.
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, Response

from benchmarks.baselines.bertviz_site import bertviz_site
from benchmarks.harness.browser import chromium, drawn, fresh_page, idle
from benchmarks.harness.server import streamlit
from benchmarks.harness.timing import Row, in_turn
from benchmarks.wall.weights import HEADS, LABELS, LAYERS, weights

PAGE = Path(__file__).parent / "page.py"
HEIGHT = 4300  # BertViz needs 4100 pixels for six layers of 64 words
TIMES = 3
MAPS = f"{LAYERS} × {HEADS} maps of {len(LABELS)} × {len(LABELS)}"
_OURS = "clock.watch(() => clock.figure(), 2)"
# each map has two rectangles, the last of them drawn after its lines
_THEIRS = f"clock.watch(() => document.querySelectorAll('#vis rect').length === {2 * LAYERS * HEADS}, 2)"


@dataclass(frozen=True)
class Shown:
    """Cost of one drawing."""

    bytes: int
    seconds: float


def wall() -> list[Row]:
    """Bytes sent and time to drawn."""
    with bertviz_site(weights(), LABELS) as theirs, streamlit(PAGE) as ours, chromium() as browser:
        _ours(browser, ours)  # the server imports the figure with its first page
        a, b = in_turn(lambda: _ours(browser, ours), lambda: _theirs(browser, theirs), TIMES)
    bytes_ = median(drawing.bytes for drawing in a), median(drawing.bytes for drawing in b)
    time = median(drawing.seconds for drawing in a), median(drawing.seconds for drawing in b)
    return [
        Row(f"wall: bytes, {MAPS} ÷ BertViz", *bytes_, Fraction(1, 30), "bytes"),
        Row(f"wall: time, {MAPS} ÷ BertViz", *time, Fraction(1, 15)),
    ]


def _ours(browser: Browser, address: str) -> Shown:
    with fresh_page(browser, height=HEIGHT) as page:
        sizes: list[int] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda sent: sizes.append(len(sent))))
        page.goto(address)
        button = page.get_by_role("button", name="Draw")
        button.wait_for()
        idle(page)
        sizes.clear()
        responses = answers(page)
        page.evaluate(_OURS)
        button.click()
        time = drawn(page)
        idle(page)
        return Shown(sum(sizes) + size(responses, address), time)


def _theirs(browser: Browser, address: str) -> Shown:
    with fresh_page(browser, height=HEIGHT, script=_THEIRS) as page:
        responses = answers(page)
        page.goto(address, wait_until="commit")
        time = drawn(page)
        return Shown(size(responses, address), time)


def answers(page: Page) -> list[Response]:
    """A list to which every response of the page is added."""
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    return responses


def size(responses: list[Response], address: str) -> int:
    """Bytes from the server, apart from Streamlit's front end; a blob: address never left the browser."""
    responses_of_server = (response for response in responses if response.ok and response.url.startswith(address))
    return sum(len(response.body()) for response in responses_of_server if "/static/" not in response.url)
