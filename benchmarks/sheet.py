"""The sheet: open → overview complete, its bytes, a frame while zooming, and a tile on the server.

The overview is compared with a bare page of one text, frames with an empty canvas of the same size, both in the same
browser. A frame is the time from one animation frame to the next while each of them asks for another zoom.
"""

import time
from fractions import Fraction
from itertools import count
from statistics import median, quantiles

from playwright.sync_api import Browser, Page

from benchmarks.attention_update_speed import BARE, SENTENCES
from benchmarks.harness.browser import chromium, drawn, fresh_page, idle
from benchmarks.harness.server import ROOT, streamlit
from benchmarks.harness.timing import Row, medians
from benchmarks.wall.measure import answers, size
from model.checkpoint import catalogue
from pages.sheet import source
from viz.sheet import tiles

TIMES = 5
FRAMES = 240
BUDGET = 400_000  # bytes until the overview is complete
_FIGURE = (
    "[...document.querySelectorAll('*')].map((n) => n.shadowRoot?.querySelector('.gf-sheet[data-ready]')).find(Boolean)"
)
_OURS = f"clock.watch(() => {_FIGURE}, 2)"
_BARE = "clock.watch(() => document.querySelector('[data-testid=stText]'), 2)"
_ZOOM = """async ([frames, empty]) => {
  const own = FIGURE?.querySelector(".gf-sheet-canvas");
  const canvas = empty ? document.body.appendChild(document.createElement("canvas")) : own;
  if (empty) Object.assign(canvas, { width: 910, height: 594, style: "position: fixed; inset: 0" });
  const box = canvas.getBoundingClientRect();
  const act = (turn) => {
    if (empty) return canvas.getContext("2d").fillRect(turn % 9, 0, 9, 9);
    const inward = Math.floor(turn / 60) % 2 === 0;
    const place = { clientX: box.x + box.width / 3, clientY: box.y + box.height / 4 };
    const deltaY = inward ? -40 : 40;
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, bubbles: true, cancelable: true, ...place }));
  };
  const times = [];
  for (let turn = 0; turn < frames; turn++) {
    const started = performance.now();
    act(turn);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - started);
  }
  return times;
}""".replace("FIGURE", _FIGURE)


def sheet() -> list[Row]:
    """Four rows."""
    with streamlit(ROOT / "app.py") as app, streamlit(BARE) as bare, chromium() as browser:
        _open(browser, f"{app}/sheet", _OURS)  # the server loads the model with its first page
        sentences = count()

        def ours() -> float:
            sentence = SENTENCES[next(sentences)]
            return _open(browser, f"{app}/sheet?sentence={sentence}", _OURS)

        times = medians(ours, lambda: _open(browser, bare, _BARE), TIMES)
        bytes_ = _bytes(browser, app)
        frames = tuple(_frame(browser, app, empty=empty) for empty in (False, True))
    return [
        Row("sheet: open → overview complete ÷ page with one text", *times, Fraction(2)),
        Row("sheet: bytes until then ÷ 400 kB", bytes_, BUDGET, Fraction(1), "bytes"),
        Row("sheet: frame while zooming, p95 ÷ empty canvas", *frames, None),
        Row("sheet: a tile on the server ÷ 20 ms", _tile(), 0.020, Fraction(1)),
    ]


def _open(browser: Browser, address: str, watch: str) -> float:
    with fresh_page(browser, script=watch) as page:
        page.goto(address, wait_until="commit")
        return drawn(page)


def _bytes(browser: Browser, app: str) -> float:
    with fresh_page(browser, script=_OURS) as page:
        sizes: list[int] = []
        page.on("websocket", lambda socket: socket.on("framereceived", lambda payload: sizes.append(len(payload))))
        responses = answers(page)
        page.goto(f"{app}/sheet")
        drawn(page)
        return sum(sizes) + size(responses, app)


def _frame(browser: Browser, app: str, *, empty: bool) -> float:
    with fresh_page(browser, script=_OURS) as page:
        page.goto(f"{app}/sheet")
        drawn(page)
        idle(page)
        _zoomed(page, empty)  # the tiles come with the first zoom
        return quantiles(_zoomed(page, empty), n=20)[-1] / 1000


def _zoomed(page: Page, empty: bool) -> list[float]:
    return page.evaluate(_ZOOM, [FRAMES, empty])


def _tile() -> float:
    """Processor seconds of a full tile of weights, as `route.tiles` makes it."""
    entry = catalogue.default(catalogue.sentence_models())
    its_source = source.source(entry, entry.card["examples"][0], "", "original")
    number = its_source.keys.index("source_embedding.weight")
    times = []
    for turn in range(50):
        start = time.process_time()
        its_source.tile(number, turn % 2, turn % 4, 0)
        times.append(time.process_time() - start)
    assert len(its_source.tile(number, 0, 0, 0)) == tiles.SIZE**2
    return median(times)
