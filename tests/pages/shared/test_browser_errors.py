"""An error in a widget's callback, which nobody foresaw: one sentence on a page that can be used."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, has_address, idle
from tests.server import server


@pytest.fixture(scope="module")
def failing() -> Iterator[str]:
    with server(app="tests/pages/shared/failing_app.py") as address:
        yield address


@pytest.mark.thorough
@pytest.mark.parametrize(("where", "language"), [("page", "en"), ("part", "zh")])
def test_a_callback_that_fails_is_said_in_a_sentence(where: str, language: str, failing: str, visit: Visits) -> None:
    words = all_texts(language)
    page = visit("/position?base=1000", server=failing, locale=language)
    if where == "page":
        page.locator(".st-key-tour_start button").click()
    else:
        page.get_by_role("slider").first.press("ArrowLeft")
    notice = page.get_by_text(words["notice.unforeseen"])
    expect(notice).to_be_visible()
    idle(page)
    expect(notice).to_be_in_viewport()
    expect(page.locator("h1")).to_have_text(words["position.question"])
    # and the page goes on
    page.locator(".st-key-show").get_by_role("radio").nth(1).click()
    has_address(page, show="waves")
    idle(page)
    expect(notice).to_have_count(0)
