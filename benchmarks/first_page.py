"""`streamlit run` started → first page usable: our start page ÷ a plain page with torch and eight plotly heatmaps.

A fresh server process and a fresh browser context for each; the browser itself is running already and
asks as soon as the server answers. Ours is usable when its attention figure is drawn, the plain page
when its eighth heatmap is.
"""

import time
from fractions import Fraction
from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.harness.browser import chromium, drawn, fresh_page
from benchmarks.harness.server import ROOT, streamlit
from benchmarks.harness.timing import Row, medians

PLAIN = Path(__file__).parent / "baselines" / "heatmaps_page.py"
TIMES = 3
_OURS = "clock.watch(() => clock.figure())"
_PLAIN = "clock.watch(() => document.querySelectorAll('.heatmaplayer image').length === 8)"


def first_page() -> list[Row]:
    """Both in turn."""
    with chromium() as browser:
        ours, other = medians(
            lambda: _usable(browser, ROOT / "app.py", _OURS), lambda: _usable(browser, PLAIN, _PLAIN), TIMES
        )
    name = "first page: start → usable ÷ torch, 8 plotly heatmaps"
    return [Row(name, ours, other, Fraction(7, 10))]


def _usable(browser: Browser, script: Path, watch: str) -> float:
    with fresh_page(browser, script=watch) as page:
        start = time.perf_counter()
        with streamlit(script) as address:
            page.goto(address, wait_until="commit")
            drawn(page)
            return time.perf_counter() - start
