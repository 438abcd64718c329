"""Trainings in a live page, one file opened without a network, on one thread: how long until each task is learned.

Two times are given for each: until the goal was reached, and the processor time of the browser until then, which other
work on the machine changes less. Frames and memory are those of the longest training.
"""

import tempfile
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import quantiles

import psutil
from playwright.sync_api import Browser, Page

from benchmarks.harness.browser import chromium
from benchmarks.harness.timing import Row
from live.pages import write_single
from model.checkpoint import catalogue

SHOWN = "reverse"  # the model of the page: a small one
PAGES, STEPS = 30, 30
PATIENCE = 600  # seconds
# a task, the curve that has to reach a share, and the seconds that it may take
GOALS = (
    ("reverse", "held-out words right", 0.99, 60),
    ("addition", "held-out sums right", 0.95, 180),
    ("repeat", "induction score", 0.5, 120),
)
FRAMES = """() => { const tick = (at) => { window.frameTimes.push(at); requestAnimationFrame(tick); };
  window.frameTimes = []; requestAnimationFrame(tick); }"""
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "locale": "en-US"}


def in_page() -> list[Row]:
    """Seconds to each goal, frames, memory, and what thirty pages ask for."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        [file] = write_single([catalogue.find(SHOWN)], Path(folder))
        rows = [row for goal in GOALS for row in _learned(browser, file, *goal)]
        return [*rows, _asked(browser, file)]


def _opened(browser: Browser, file: Path, task: str, asked: list[str]) -> Page:
    context = browser.new_context(**PHONE)  # type: ignore[arg-type]
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{file.as_uri()}#train?task={task}")
    context.set_offline(True)
    page.locator(".panel[data-done]").wait_for(state="attached")
    asked.clear()
    return page


def _learned(browser: Browser, file: Path, task: str, curve: str, goal: float, limit: float) -> list[Row]:
    page = _opened(browser, file, task, [])
    page.evaluate(FRAMES)
    begun, before = time.perf_counter(), _processor()
    page.locator(".panel button.main").first.click()
    reached = None
    while page.locator(".panel[data-state=finished]:not([data-busy])").count() == 0:
        page.wait_for_timeout(250)
        if reached is None and _share(page, curve) >= goal:
            reached = time.perf_counter() - begun, _processor() - before
        if time.perf_counter() - begun > PATIENCE:
            break
    processes = [each for each in psutil.Process().children(recursive=True) if "--type=renderer" in each.cmdline()]
    memory = max(each.memory_info().rss for each in processes)
    times = page.evaluate("() => window.frameTimes")
    frame = quantiles([b - a for a, b in pairwise(times)], n=20)[-1] / 1000
    step = page.locator(".panel").get_attribute("data-step")
    print(f"{task}: {curve} {_share(page, curve):.1%} at step {step}", flush=True)
    page.context.close()
    wall, processor = reached or (float("inf"), float("inf"))
    name = f"in page: {task}, {curve} {goal:.0%}"
    return [
        Row(f"{name} ÷ {limit} s", wall, limit, Fraction(1)),
        Row(f"{name}, processor ÷ {limit} s", processor, limit, None),
        Row(f"in page: {task}, frames at 95 % ÷ 50 ms", frame, 0.05, Fraction(1)),
        Row(f"in page: {task}, memory of the page ÷ 300 MB", memory, 300e6, Fraction(1), "bytes"),
    ]


def _share(page: Page, curve: str) -> float:
    """The last point of a curve, as its legend has it."""
    chart, line = ("copying", 1) if curve == "induction score" else ("right", 2)
    text = page.locator(f"[data-chart={chart}] .gf-keys li:nth-child({line}) .gf-value").text_content() or ""
    return float(text.rstrip("% ").replace(",", ".") or 0) / 100 if "%" in text else 0.0


def _asked(browser: Browser, file: Path) -> Row:
    """What pages ask for while all of them train."""
    asked: list[str] = []
    pages = [_opened(browser, file, "reverse", asked) for _ in range(PAGES)]
    asked.clear()
    for page in pages:
        page.locator(".panel button.main").first.click()
    for page in pages:
        page.locator(".gf-samples tbody tr").first.wait_for()  # what is written after some steps
        while int(page.locator(".panel").get_attribute("data-step") or 0) < STEPS:
            page.wait_for_timeout(250)
    foreign = [url for url in asked if not url.startswith(("blob:", "data:"))]
    for page in pages:
        page.context.close()
    return Row(f"in page: requests of {PAGES} pages that train ÷ 1", len(foreign), 1, Fraction(0), "bytes")


def _processor() -> float:
    return sum(sum(each.cpu_times()[:2]) for each in psutil.Process().children(recursive=True))
