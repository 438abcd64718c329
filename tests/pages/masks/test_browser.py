"""The masks page in a browser: a box that was emptied stays empty in the link, and a phone needs no sideways scroll."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, has_address, idle

EN = all_texts("en")


def rows(page: Page) -> Locator:
    """The sentences that the encoder reads."""
    return page.locator(".gf-batch").first.locator("tr")


@pytest.mark.thorough
def test_an_emptied_box_is_left_out_and_its_link_leaves_it_out_too(visit: Visits) -> None:
    page = visit.again("/masks")
    expect(rows(page)).to_have_count(4)
    box = page.get_by_label(EN["masks_batch.sentence"].format(number=3))
    box.fill("")
    box.press("Enter")
    expect(rows(page)).to_have_count(3)
    has_address(page, sentence_c="")
    again = visit(page.url.removeprefix(visit.address))
    expect(rows(again)).to_have_count(3)


@pytest.mark.thorough
def test_a_step_to_try_leaves_the_sentence_alone(visit: Visits) -> None:
    page = visit.again("/masks?show=leak")
    page.get_by_role("button", name=EN["masks.try_alone"]).click()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text(EN["masks_patterns.title"])).to_be_visible()
    expect(page.locator(".gf-batch td.pad")).to_have_count(0)


@pytest.mark.thorough
def test_a_locked_cell_stands_in_the_link_until_it_is_let_go(visit: Visits) -> None:
    page = visit.again("/masks?show=scores")
    weights = page.locator(".gf-map[data-key=weights]")
    weights.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(lambda url: "masks_scores_cell" in url)
    idle(page)
    locked = page.locator(".gf-matrices").get_attribute("data-locked")
    assert locked
    assert json.loads(locked)["key"] == "weights"
    again = visit(page.url.removeprefix(visit.address))
    expect(again.locator(".gf-matrices")).to_have_attribute("data-locked", locked)
    for each in (again, page):  # the one has it from the link alone
        each.locator(".gf-map[data-key=weights]").focus()
        each.keyboard.press("Escape")
        each.wait_for_url(lambda url: "masks_scores_cell" not in url)
