"""The page about layers in a browser: a cell that is clicked chooses its layer and token."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, idle

EN = all_texts("en")


@pytest.mark.thorough
def test_a_cell_of_the_zeros_chooses_layer_and_token(visit: Visits) -> None:
    page = visit.again("/layers?language=en&show=feed_forward&side=encoder&token=4")
    grid = page.locator(".gf-map[data-key=silent]")
    expect(grid).to_have_attribute("aria-rowcount", "3")
    grid.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "depth=1" in url)
    idle(page)
    settings = {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}
    assert (settings["depth"], settings["token"]) == ("1", "5")
    choice = page.locator(".st-key-depth button[aria-checked=true], .st-key-depth button[aria-pressed=true]")
    expect(choice).to_have_text("1")


SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => { for (const e of list.getEntries()) shifts += e.value; })
        .observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.sample(11)
@pytest.mark.parametrize(
    ("width", "limit", "path"),
    [
        *((1280, 0.05, path) for path in ("/", "/layers", "/masks", "/course", "/primer", "/intervene")),
        (1280, 0.05, "/checkpoints"),
        *((1280, 0.1, path) for path in ("/compare", "/train", "/masks?show=scores", "/layers?show=feed_forward")),
        *((390, 0.05, path) for path in ("/", "/llm", "/course", "/masks", "/glossary")),
    ],
)
def test_nothing_moves_while_a_page_is_drawn(width: int, limit: float, path: str, visit: Visits) -> None:
    """The browser's own measure of layout shift; without the heights of `placeholders.css` it is 0.06 to 0.55."""
    visit.script = SHIFTS
    page = visit(path, viewport={"width": width, "height": 844})
    assert page.evaluate("window.shifts") < limit


def unfit(page: Page, side: str) -> dict[str, float]:
    """Where matrices need more or less height than was kept for them, and by how much."""
    result = {}
    for space in page.locator("[class*=st-key-room-]:has([data-drawn])").all():
        name = space.get_attribute("class") or ""
        hundreds, tens, ones = (int(re.search(rf"-{side}{digit}(\d+)-", name)[1]) for digit in "hto")  # type: ignore[index]
        box = space.bounding_box()
        assert box is not None
        result[name] = box["height"] - 100 * hundreds - 10 * tens - ones
    return {name: height for name, height in result.items() if abs(height) >= 90}


@pytest.mark.thorough
@pytest.mark.parametrize(("side", "width"), [("w", 1280), ("s", 390)])
@pytest.mark.parametrize("path", ["/masks", "/masks?show=scores", "/layers?show=feed_forward"])
def test_the_space_kept_is_what_the_matrices_need(path: str, side: str, width: int, visit: Visits) -> None:
    page = visit(path, viewport={"width": width, "height": 900})
    assert page.locator("[class*=st-key-room-]:has([data-drawn])").count()
    assert unfit(page, side) == {}
