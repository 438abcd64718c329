"""The masks page in a browser: a locked cell stands in the link."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser import Visits, idle


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
    again = visit.again(page.url.removeprefix(visit.address), by="another reader")
    expect(again.locator(".gf-matrices")).to_have_attribute("data-locked", locked)
    for each in (again, page):  # the one has it from the link alone
        each.locator(".gf-map[data-key=weights]").focus()
        each.keyboard.press("Escape")
        each.wait_for_url(lambda url: "masks_scores_cell" not in url)


def test_what_stands_above_a_wide_table_stays_in_view_on_a_phone(visit: Visits) -> None:
    table = visit("/masks?show=loss", viewport={"width": 390, "height": 844}).locator(".gf-batch:has(.decoder)").last
    ends = """table => {
        const ends = (node) => { const { left, right } = node.getBoundingClientRect(); return [left, right]; };
        table.scrollLeft = table.scrollWidth;
        return [table.scrollLeft, ...ends(table), ...ends(table.querySelector("caption span"))];
    }"""
    scrolled, left, right, begins, stops = table.evaluate(ends)
    assert scrolled > 0
    assert left <= begins < stops <= right
