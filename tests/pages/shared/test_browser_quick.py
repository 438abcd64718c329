"""Choices made faster than the page answers: the last one counts, everywhere."""

import itertools
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import EN, Visits, has_address, idle

VIEWS = {
    ("position", "show"): ("table", "waves", "one", "distance", "others", "worked"),
    ("masks", "show"): ("patterns", "scores", "leak", "fill", "padding", "loss"),
    ("decoding", "view"): ("attention", "cache", "inside", "sampling", "beam", "given"),
}
CLICK = """
  async ([key, numbers, pause]) => {
    for (const number of numbers) {
      document.querySelectorAll(`.st-key-${key} [role=radio]`)[number].click();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
"""
SHOWN = """
  () => [...document.querySelectorAll("[data-testid=stMain] :is(h2, [role=radio][aria-checked=true], input)")]
    .map((node) => node.value || node.textContent)
"""
ROUNDS = (  # numbers of views
    (5, 0, 5, 0), (3, 0, 3), (1, 5, 3, 4, 2, 4), (5, 0, 4, 1, 3, 0), (4, 1, 5, 4, 0, 3), (2, 3, 2, 0, 2, 1),
)  # fmt: skip
PAUSES = (5, 40)  # ms


@pytest.mark.sample(6)
@pytest.mark.parametrize(("name", "key"), VIEWS)
@pytest.mark.parametrize("rounds", [ROUNDS[:2], ROUNDS[2:]])
def test_the_last_of_quick_choices_is_shown_pressed_and_in_the_link(
    visit: Visits, name: str, key: str, rounds: tuple[tuple[int, ...], ...]
) -> None:
    page, views = visit.again(f"/{name}"), VIEWS[name, key]
    options = page.locator(f".st-key-{key}").get_by_role("radio")
    on_screen: dict[int, Any] = {}
    for number in (5, 4, 3, 2, 1, 0):  # all that is large has been sent once before
        options.nth(number).click()
        on_screen[number] = settled(page, key, views[number] if number else "")
    for numbers, pause in zip(rounds, itertools.cycle(PAUSES)):
        page.evaluate(CLICK, [key, numbers, pause])
        last = numbers[-1]
        assert settled(page, key, views[last] if last else "") == on_screen[last], (numbers, pause)
        expect(options.nth(last)).to_be_checked()


def settled(page: Page, key: str, named: str) -> Any:
    """The titles and the controls' values, once the page is idle and its link names that view."""
    idle(page)
    if named:
        has_address(page, **{key: named})
    else:
        expect(page).not_to_have_url(re.compile(rf"[?&]{key}="))
    idle(page)
    return page.evaluate(SHOWN)


def test_a_control_whose_script_comes_late_has_its_value(visit: Visits) -> None:
    """Drawn a second time before the browser can draw it at all."""
    page, routes = visit("/"), list[Route]()
    page.route("**/Slider.*.js", lambda route: routes.append(route))
    page.get_by_test_id("stSidebar").get_by_role("link", name=EN["pages.position"], exact=True).click()
    options = page.locator(".st-key-show").get_by_role("radio")
    for number, view in ((1, "waves"), (2, "one")):
        options.nth(number).click()
        has_address(page, show=view)
    assert routes
    for route in routes:
        route.continue_()
    idle(page)
    expect(page.locator(".st-key-base")).to_contain_text("10,000")
    expect(page.locator(".st-key-length")).to_contain_text("64")
    options.nth(3).click()
    has_address(page, show="distance")
    idle(page)
    assert parse_qs(urlsplit(page.url).query) == {"show": ["distance"]}
