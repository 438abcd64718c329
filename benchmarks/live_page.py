"""A live page of `de-en`: its bytes and its times in Chromium, beside what was set as a limit or the app's own.

The best-known explainer says itself that it loads 627 MB before the first word.
"""

from __future__ import annotations

import tempfile
from fractions import Fraction
from functools import partial
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page

from benchmarks.harness.browser import chromium, fresh_page
from benchmarks.harness.timing import Row, seconds
from model.checkpoint import catalogue, checkpoints

EXPLAINER, FILE = 627_000_000, 12_000_000  # bytes
TIMES = 5
SENTENCES = ("Wir gehen heute ins Kino.", "Der Mann liest ein Buch.", "Am Montag habe ich Deutschkurs.")
OUTPUT = """() => document.querySelector("[data-output]")?.dataset.output"""
# Milliseconds from a slider's move to the numbers of the changed pass.
MOVE = """scale => new Promise((resolve) => {
  const slider = document.querySelector("input[type=range]");
  const told = document.querySelector("[data-changed]");
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    observer.disconnect();
    resolve(performance.now() - begun);
  }).observe(told, { attributes: true, attributeFilter: ["data-milliseconds"] });
  slider.value = scale;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def live() -> list[Row]:
    """Bytes, cold start, a translation, a slider, and the effects of all heads."""
    from live.pages import write_folder, write_single

    entry = catalogue.find("de-en")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        [page] = write_single([entry], out)
        files = list(write_folder([entry], out / "folder"))
        bytes_ = sum(file.stat().st_size for file in files if file.suffix != ".txt")
        with chromium() as browser:
            starts = [_cold_start(browser, page) for _ in range(TIMES)]
            warm = _warm(browser, page)
        size = page.stat().st_size
    own = _app(entry)
    first, second = (median(times) for times in zip(*starts, strict=True))
    return [
        Row("live: bytes of the folder ÷ 627 MB of the explainer", bytes_, EXPLAINER, Fraction(9, 627), "bytes"),
        Row("live: bytes of one file ÷ 12 MB", size, FILE, Fraction(1), "bytes"),
        Row("live: file opened → the example is shown ÷ 0.5 s", first, 0.5, Fraction(1)),
        Row("live: file opened → a typed sentence is translated ÷ 4 s", second, 4, Fraction(1)),
        Row("live: Enter → translation, all values ÷ translate() in Python", warm["enter"], own, Fraction(1)),
        Row("live: Enter → translation, all values ÷ 300 ms", warm["enter"], 0.3, Fraction(1)),
        Row("live: slider of a head → new output ÷ 100 ms", warm["slider"], 0.1, Fraction(1)),
        Row("live: effects of all heads on a word ÷ 1 s", warm["effects"], 1, Fraction(1)),
    ]


def _cold_start(browser: Browser, file: Path) -> tuple[float, float]:
    """Seconds until the recorded example is on screen, and until the first sentence that is typed is translated."""
    with fresh_page(browser) as page:

        def first() -> None:
            page.goto(file.as_uri())
            page.wait_for_selector(".gf-attention[data-ready]")

        time = seconds(first)
        return time, time + seconds(lambda: _type(page, SENTENCES[1]))


def _type(page: Page, sentence: str) -> None:
    before = page.evaluate(OUTPUT)
    field = page.get_by_label("Sentence", exact=True)
    field.fill(sentence)
    field.press("Enter")
    page.wait_for_function(
        "before => { const node = document.querySelector('[data-output]');"
        " return document.body.dataset.ready && node.dataset.output && node.dataset.output !== before; }",
        arg=before,
    )


def _warm(browser: Browser, file: Path) -> dict[str, float]:
    """Medians of what is done with a page that is ready, in seconds."""
    with fresh_page(browser) as page:
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        _type(page, SENTENCES[1])
        times = [seconds(partial(_type, page, sentence)) for sentence in (*SENTENCES, *SENTENCES)[:TIMES]]
        page.get_by_role("tab", name="Intervene").click()
        effects = page.wait_for_selector("[data-done=true][data-milliseconds]")
        assert effects
        effect_time = float(effects.get_attribute("data-milliseconds") or "nan") / 1000  # by the page itself
        slider_times = [page.evaluate(MOVE, 0.1 * step) for step in range(TIMES)]
    return {"enter": median(times), "slider": median(slider_times) / 1000, "effects": effect_time}


def _app(entry: catalogue.Entry) -> float:
    """Seconds of the same in Python: the output step by step, and a pass that records all values."""
    from model.decode.translate import translate

    checkpoint = checkpoints.load(entry)
    translate(checkpoint, SENTENCES[0])
    return median(seconds(partial(translate, checkpoint, sentence)) for sentence in (*SENTENCES, *SENTENCES)[:TIMES])
