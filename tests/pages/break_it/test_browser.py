"""The page of mistakes in a browser: a card by its click, a riddle that its address does not give away."""

import re

import pytest
from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, has_address, idle

EN = all_texts("en")


@pytest.mark.thorough
def test_a_card_is_chosen_and_stands_in_the_link(visit: Visits) -> None:
    page = visit.again("/break")
    page.get_by_text(EN["break_does.softmax_axis"]).click(force=True)  # the label lies over its whole entry
    expect(page.get_by_text(EN["break_picture.softmax_axis"])).to_be_visible()
    has_address(page, mistake="softmax_axis")
    idle(page)
    expect(page.locator(".st-key-numbers")).to_contain_text(EN["break_numbers.row_error"])


@pytest.mark.thorough
def test_a_riddle_is_answered_and_its_address_says_nothing(visit: Visits) -> None:
    page = visit.again("/break?show=find&case=5")
    for guess in page.locator(".st-key-guesses button").all():
        if guess.is_enabled():
            guess.click()
            idle(page)
        if page.locator(".st-key-see").count():
            break
    expect(page.locator(".st-key-figure_answer")).to_contain_text(EN["break_find.right"].partition(":")[0])
    assert not re.search("mistake|guess", page.url)
    page.locator(".st-key-see button").click()
    expect(page.locator(".st-key-figure_symptom")).to_be_visible()
    expect(page.locator(".st-key-guesses")).to_have_count(0)


@pytest.mark.thorough
def test_more_is_to_be_seen_on_another_page(visit: Visits) -> None:
    page = visit.again("/break?mistake=no_padding_mask")
    page.locator(".st-key-door button").click()
    expect(page).to_have_url(re.compile("/masks.*show=padding"))
