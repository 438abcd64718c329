"""Choices made faster than the page answers: the last one counts, everywhere."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser import Visits, idle

CLICK = """
  async ([key, numbers, pause]) => {
    for (const number of numbers) {
      document.querySelectorAll(`.st-key-${key} [role=radio]`)[number].click();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
"""
PRESSED = "nodes => nodes.findIndex((node) => node.ariaChecked === 'true')"
ROUNDS = (  # numbers of options
    (5, 0, 5, 0), (3, 0, 3), (1, 5, 3, 4, 2, 4), (5, 0, 4, 1, 3, 0), (4, 1, 5, 4, 0, 3), (2, 3, 2, 0, 2, 1),
)  # fmt: skip
PAUSES = (5, 40)  # ms


@pytest.mark.parametrize(("name", "key"), [("position", "show"), ("masks", "show"), ("decoding", "view")])
def test_the_last_of_quick_choices_is_shown_pressed_and_in_the_link(visit: Visits, name: str, key: str) -> None:
    page = visit(f"/{name}")
    options = page.locator(f".st-key-{key}").get_by_role("radio")
    titles = page.get_by_test_id("stMain").locator("h2")
    links, shown = [], []
    for number in (5, 4, 3, 2, 1, 0):  # all that is large has been sent once before
        options.nth(number).click()
        idle(page)
        links.insert(0, parse_qs(urlsplit(page.url).query).get(key))
        shown.insert(0, titles.all_inner_texts())
    for numbers in ROUNDS:
        for pause in PAUSES:
            page.evaluate(CLICK, [key, numbers, pause])
            idle(page)
            last = numbers[-1]
            assert options.evaluate_all(PRESSED) == last, numbers
            assert parse_qs(urlsplit(page.url).query).get(key) == links[last], numbers
            assert titles.all_inner_texts() == shown[last], numbers
