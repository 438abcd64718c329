"""The page about layers in a browser: a cell that is clicked chooses its layer and token."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, expect

from pages.shared.text.words import catalogue
from tests.browser import Visits, idle

EN = catalogue("en")


def test_a_cell_of_the_zeros_chooses_layer_and_token(visit: Visits) -> None:
    page = visit("/layers?language=en&show=feed_forward&side=encoder&token=4")
    grid = page.locator(".gf-map[data-key=silent]")
    expect(grid).to_have_attribute("aria-rowcount", "3")
    grid.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "depth=1" in url)
    idle(page)
    asked = {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}
    assert (asked["depth"], asked["token"]) == ("1", "5")
    chosen = page.locator(".st-key-depth button[aria-checked=true], .st-key-depth button[aria-pressed=true]")
    expect(chosen).to_have_text("1")


@pytest.mark.parametrize("view", ["stream", "residual", "norm", "feed_forward", "early"])
def test_nothing_is_wider_than_a_phone(view: str, visit: Visits) -> None:
    page = visit(f"/layers?language=en&show={view}", viewport={"width": 390, "height": 844})
    expect(page.locator("h2").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("path", ["/layers", "/layers?show=feed_forward", "/masks", "/masks?show=scores"])
def test_nothing_jumps_while_a_page_is_drawn(path: str, visit: Visits, browser: Browser) -> None:
    """The browser's own measure of it, 0.1 being its limit for a good page; without room it was 0.14 to 0.30."""
    script = (
        "window.jumps = 0; new PerformanceObserver((list) => { for (const e of list.getEntries()) jumps += e.value })"
    )
    page = browser.new_page(locale="en", viewport={"width": 1280, "height": 900})
    page.add_init_script(f"{script}.observe({{ type: 'layout-shift', buffered: true }});")
    page.goto(visit.address + path)
    expect(page.locator("h1")).to_be_visible()
    idle(page)
    assert page.evaluate("window.jumps") < 0.1
    page.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_room_kept_is_what_the_matrices_need(width: int, visit: Visits) -> None:
    for path in ("/masks", "/masks?show=scores", "/layers?show=feed_forward"):
        page = visit(path, viewport={"width": width, "height": 900})
        for drawn in page.locator("[class*=st-key-room-]:has([data-drawn])").all():
            name = drawn.get_attribute("class") or ""
            side = "w" if width == 1280 else "s"
            hundreds, tens = (int(re.search(rf"-{side}{digit}(\d+)-", name)[1]) for digit in "ht")  # type: ignore[index]
            box = drawn.bounding_box()
            assert box is not None
            assert abs(box["height"] - 100 * hundreds - 10 * tens) < 90, name
