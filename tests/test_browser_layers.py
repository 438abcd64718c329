"""The page about layers in a browser: a cell that is clicked chooses its layer and token."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.shared.words import catalogue
from tests.browser import idle
from tests.test_browser import Visits, address, browser, visit  # noqa: F401 - fixtures

EN = catalogue("en")


def test_a_cell_of_the_zeros_chooses_layer_and_token(visit: Visits) -> None:  # noqa: F811
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


@pytest.mark.parametrize("view", ["stream", "norm", "feed_forward", "early"])
def test_nothing_is_wider_than_a_phone(view: str, visit: Visits) -> None:  # noqa: F811
    page = visit(f"/layers?language=en&show={view}", viewport={"width": 390, "height": 844})
    expect(page.locator("h2").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
