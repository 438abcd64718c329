"""Enter pressed → the last thing of each page that a new sentence changes ÷ a bare page that repeats the sentence.

Both sides are clocked by the same rule: from the key's own time stamp to the last change of the page before
it is still, which for a figure on a canvas is the mark that it is drawn. Of a control, what changes below the
window does not count, nor what cannot be seen, as buttons that wait for the mouse: it is not on screen.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.attention_update_speed import BARE, SENTENCES, WARM_UP
from benchmarks.harness.browser import chromium, fresh_page, idle
from benchmarks.harness.server import ROOT, streamlit
from benchmarks.harness.timing import Row, medians
from pages.shared.session import page_list

ADDRESSES = [name for name in page_list.contents()["see"] if page_list.pages()[name].needs == "sentence"]
# on each page a control of its first figure, and what brings another view
CONTROLS = (
    ("primer", "asked"), ("embedding", "token"), ("position", "base"), ("position", "show"),
    ("energy", "unscaled"), ("energy", "show"), ("masks", "row"), ("attention", "head"), ("layers", "token"),
    ("decoding", "head"), ("why", "step"), ("why", "show"), ("circuits", "role"),
)  # fmt: skip
Act = Callable[[], float]  # does it once more and gives the seconds
_SCRIPT = (Path(__file__).parent / "harness" / "stillness.js").read_text(encoding="utf-8")


def pages() -> list[Row]:
    """A row for each page that reads the sentence, as a link opens it."""
    return _rows([(name, "enter", _typist) for name in ADDRESSES], "last change", None)


def controls() -> list[Row]:
    """A row for each control: changed once more ÷ a bare page run again."""
    acts = [(name, key, partial(_changer, key=key)) for name, key in CONTROLS]
    return _rows(acts, "last change in view", Fraction(2))


def _rows(acts: Sequence[tuple[str, str, Callable[[Page], Act]]], until: str, goal: Fraction | None) -> list[Row]:
    """For each page's name: what is done there, in a word, and what does it, in turn with typing on the bare page."""
    rows = []
    with streamlit(ROOT / "app.py") as app, streamlit(BARE) as bare, chromium() as browser:
        with fresh_page(browser) as first:  # what the server loads after its first page is not the page's time
            first.goto(f"{app}/attention")
            first.wait_for_function("clock.figure()")
        for name, verb, actor in acts:
            with fresh_page(browser, script=_SCRIPT) as ours, fresh_page(browser, script=_SCRIPT) as other:
                ours.goto(f"{app}/{name}")
                other.goto(bare)
                in_ours, in_other = actor(ours), _typist(other)
                medians(in_ours, in_other, WARM_UP)
                a, b = medians(in_ours, in_other, len(SENTENCES) - WARM_UP)
            rows.append(Row(f"{verb} on /{name}: {until} ÷ page with one text", a, b, goal))
    return rows


def _changer(page: Page, key: str) -> Act:
    """Each call changes the control and gives the seconds from the click or key to the last change in the window."""
    turns = count(1)

    def change() -> float:
        page.bring_to_front()
        idle(page)
        control = page.locator(f".st-key-{key}")
        control.locator("[role=slider], [role=radio], input").first.wait_for(state="attached")
        turn = next(turns)
        if slider := control.get_by_role("slider").all():
            slider[0].press("ArrowLeft" if turn % 2 else "ArrowRight")
        elif options := control.get_by_role("radio").all():
            options[turn % len(options)].click()
        else:
            control.locator("label").click()
        return page.evaluate("stillness.last(true)") / 1000

    return change


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
