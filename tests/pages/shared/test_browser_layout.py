"""Steps to try, the tour and the frame in a browser: where the page moves, and how much of a phone the frame takes."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.shared.text.words import all_texts
from tests.browser import MOTION, Visits, idle, path

EN, ZH = all_texts("en"), all_texts("zh")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# notes each scroll that a script asks for, with how and to what
NOTE = """
window.scrolls = [];
const scroll = Element.prototype.scrollIntoView;
Element.prototype.scrollIntoView = function (how) {
  window.scrolls.push([[...this.classList].find(name => name.startsWith("st-key-")) ?? "", how?.behavior]);
  return scroll.call(this, how);
};
"""


@pytest.fixture
def visit(visit: Visits) -> Visits:
    visit.script = NOTE
    return visit


def try_step(page: Page, number: int) -> None:
    page.locator(f".st-key-try_{number} button").click()


def scrolled(page: Page) -> list[list[str]]:
    return [scroll for scroll in page.evaluate("window.scrolls") if scroll[0].startswith("st-key-figure_")]


def test_a_name_that_does_not_fit_ends_in_an_ellipsis(visit: Visits) -> None:
    field = visit.again(path("energy", checkpoint="spread-one-head")).locator(".st-key-checkpoint input")
    assert field.evaluate("field => field.scrollWidth > field.clientWidth")
    expect(field).to_have_css("text-overflow", "ellipsis")


def test_a_step_brings_its_figure_into_view_once(visit: Visits) -> None:
    page = visit.again("/position", **MOTION)
    try_step(page, 2)
    figure = page.locator(".st-key-figure_rotation")
    page.wait_for_function("window.scrolls.length > 0")
    assert scrolled(page) == [["st-key-figure_rotation", "smooth"]]
    expect(figure.get_by_role("heading").first).to_be_in_viewport()
    expect(figure).to_have_css("outline-style", "solid")

    # a later run neither moves the page nor frames the figure
    idle(page)
    page.locator(".st-key-put_back button").click()
    expect(page.locator(".st-key-put_back")).to_have_count(0)
    idle(page)
    assert len(scrolled(page)) == 1
    expect(page).not_to_have_url(re.compile("shift="))


def test_who_asks_for_no_motion_gets_none(visit: Visits) -> None:
    page = visit.again("/energy")
    try_step(page, 1)
    page.wait_for_function("window.scrolls.length > 0")
    assert scrolled(page) == [["st-key-figure_vocabulary", "auto"]]
    expect(page.locator(".st-key-figure_vocabulary").get_by_role("heading").first).to_be_in_viewport()


@pytest.mark.thorough
def test_a_card_that_asks_to_click_an_example_leaves_them_in_view(visit: Visits) -> None:
    page = visit.again("/", viewport={"width": 390, "height": 844})
    page.locator(".st-key-tour_start button").click()
    examples = page.locator(".st-key-examples")
    expect(page.locator(".st-key-tour")).to_be_visible()
    idle(page)
    page.wait_for_function(
        """() => {
            const box = (key) => document.querySelector(key).getBoundingClientRect();
            return box(".st-key-tour").bottom <= box(".st-key-examples").top;
        }"""
    )
    expect(examples).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_frame_takes_less_than_a_third_of_the_first_screen(visit: Visits) -> None:
    page = visit.again("/masks?language=en", **PHONE)
    frame = page.get_by_test_id("stSidebar").bounding_box()
    assert frame
    assert frame["y"] + frame["height"] < 844 / 3
    link = page.get_by_test_id("stSidebar").get_by_role("link", name=EN["pages.energy"], exact=True)
    expect(link).to_be_hidden()
    menu = page.get_by_text(EN["frame.menu"].format(page=EN["pages.masks"]), exact=True)
    menu.focus()
    page.keyboard.press("Enter")  # a menu is for the keyboard too
    link.click()
    expect(page.locator("h1")).to_have_text(EN["energy.question"])
    idle(page)
    expect(link).to_be_hidden()  # the next page begins with its menu closed


def test_the_style_is_there_before_the_first_element(visit: Visits) -> None:
    """Nothing of it comes with a run of the script, which would shift what is drawn by then."""
    page = visit("/")
    early = page.evaluate(
        "[...document.body.children].filter(node => node.matches('style:not([media])')).map(node => node.textContent)"
    )
    assert len(early) == 1
    assert ".st-key-lead" in early[0]
    assert page.evaluate(
        "[...document.querySelectorAll('[data-testid=stApp] style')].every(s => !s.textContent.includes('st-key-lead'))"
    )


@pytest.mark.thorough
@pytest.mark.xfail(strict=True, reason="the list of pages begins at 171 px on Start, 243 on Attention, 269 on Primer")
def test_the_menu_stays_in_its_place_on_pages_without_model_or_sentence(visit: Visits) -> None:
    tops = {}
    for name in ("attention", "start", "checkpoints", "primer"):
        page = visit.again(path(name, language="en"), viewport={"width": 1280, "height": 800})
        menu = page.locator(".gf-contents [data-section=see]")
        expect(menu.get_by_role("link").last).to_be_visible()
        idle(page)
        tops[name] = menu.evaluate("menu => menu.getBoundingClientRect().top")
    assert max(tops.values()) - min(tops.values()) < 2, tops


@pytest.mark.thorough
def test_help_about_keys_is_for_those_who_have_them(visit: Visits) -> None:
    """Without a mouse there is most often no keyboard either."""
    for name, figure in (("start", ".gf-attention"), ("masks", ".gf-matrices"), ("decoding", ".gf-player")):
        for settings, count in (({}, 1), (PHONE, 0)):
            page = visit.again(path(name), **settings)
            help_ = page.locator(f"{figure} .gf-help").first
            expect(help_, name).to_be_visible()
            expect(help_.locator(".gf-keys:visible"), name).to_have_count(count)


def test_the_menu_of_a_figure_stays_on_the_screen_of_a_phone(visit: Visits) -> None:
    page = visit.again("/", viewport={"width": 390, "height": 844})
    page.locator(".gf-take:not(.gf-page) summary").first.click()
    expect(page.locator(".gf-take[open] > div")).to_be_in_viewport(ratio=1)
