"""Enter pressed → the last thing of each page that a new sentence changes ÷ a bare page that repeats the sentence.

Both sides are clocked by the same rule: from the key's own time stamp to the last change of the page before
it is still, which for a figure on a canvas is the mark that it is drawn.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.browser import chromium, fresh_page, idle
from benchmarks.enter import BARE, SENTENCES, WARM_UP
from benchmarks.server import ROOT, streamlit
from benchmarks.timing import Row, medians
from pages.shared.frame import CONTENTS

ADDRESSES = [name for name in CONTENTS["see"] if name != "primer"]  # which does not read the sentence
# a control of each page that changes its first figure
CONTROLS = {
    "primer": "similarity", "embedding": "token", "position": "show", "energy": "show", "masks": "row",
    "attention": "head", "layers": "token", "decoding": "head",
}  # fmt: skip
Act = Callable[[], float]  # does it once more and gives the seconds
_SCRIPT = (Path(__file__).parent / "stillness.js").read_text(encoding="utf-8")


def pages() -> list[Row]:
    """A row for each page that reads the sentence, as a link opens it."""
    return _rows({name: (f"enter on /{name}", _typist) for name in ADDRESSES}, None)


def controls() -> list[Row]:
    """A row for each page: another option of a control chosen ÷ a bare page run again."""
    acts = {name: (f"{key} on /{name}", partial(_chooser, key=key)) for name, key in CONTROLS.items()}
    return _rows(acts, Fraction(2))


def _rows(acts: Mapping[str, tuple[str, Callable[[Page], Act]]], goal: Fraction | None) -> list[Row]:
    """For each page by name: what is done there, in a word, and what does it, in turn with typing on the bare page."""
    rows = []
    with streamlit(ROOT / "app.py") as app, streamlit(BARE) as bare, chromium() as browser:
        for name, (said, actor) in acts.items():
            with fresh_page(browser, script=_SCRIPT) as ours, fresh_page(browser, script=_SCRIPT) as other:
                ours.goto(f"{app}/{name}")
                other.goto(bare)
                in_ours, in_other = actor(ours), _typist(other)
                medians(in_ours, in_other, WARM_UP)
                a, b = medians(in_ours, in_other, len(SENTENCES) - WARM_UP)
            rows.append(Row(f"{said}: last change ÷ page with one text", a, b, goal))
    return rows


def _chooser(page: Page, key: str) -> Act:
    """Each call clicks the next option and gives the seconds from the click to the last change of the page."""
    turns = count(1)

    def choose_next() -> float:
        page.bring_to_front()
        idle(page)
        options = page.locator(f".st-key-{key}").get_by_role("radio")
        options.first.wait_for()
        options.nth(next(turns) % options.count()).click()
        return page.evaluate("stillness.last()") / 1000

    return choose_next


def _typist(page: Page) -> Act:
    """Each call types the next sentence and gives the seconds from Enter to the last change of the page."""
    sentences = iter(SENTENCES)

    def type_next() -> float:
        page.bring_to_front()
        idle(page)
        field = page.get_by_label("Sentence", exact=True)
        field.fill(next(sentences))
        field.press("Enter")
        return page.evaluate("stillness.last()") / 1000

    return type_next
