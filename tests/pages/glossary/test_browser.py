"""Definitions of marked terms in a real browser: by mouse, keyboard and finger; and the glossary itself."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import EN, Visits, accessible, focus_by_tab, has_address, idle, path
from viz.html.prose import MARK


def term(page: Page, name: str) -> Locator:
    """The first one on the page whose name ends so: `mask` is also the end of `padding-mask`."""
    return page.locator(f".gf-term[aria-describedby$='-{name}']").first


def opened(page: Page) -> Locator:
    return page.locator(".gf-definition:popover-open")


def text_of(name: str) -> str:
    """A definition, the terms that are marked in it as plain words."""
    return MARK.sub(lambda mark: mark[2] or EN[f"term_{mark[1]}.name"], EN[f"term_{name}.text"])


def defines(page: Page, name: str) -> None:
    expect(opened(page)).to_have_count(1)
    expect(opened(page)).to_contain_text(text_of(name))


def is_inside(page: Page) -> None:
    box = opened(page).bounding_box()
    size = page.viewport_size
    assert box
    assert size
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]


@pytest.mark.thorough
def test_a_mouse_shows_a_definition_and_can_go_into_it(visit: Visits) -> None:
    page = visit.again(path("primer"))
    expect(opened(page)).to_have_count(0)
    for name in ("attention", "query"):
        term(page, name).hover()
        defines(page, name)
        is_inside(page)
    opened(page).hover()
    defines(page, "query")
    accessible(page)
    page.keyboard.press("Escape")
    expect(opened(page)).to_have_count(0)
    term(page, "value").hover()
    defines(page, "value")
    page.locator("h1").hover()
    expect(opened(page)).to_have_count(0)
    term(page, "key").click()  # now it stays
    page.locator("h1").hover()
    defines(page, "key")
    page.locator("h1").click()
    expect(opened(page)).to_have_count(0)


@pytest.mark.thorough
def test_the_keyboard_shows_a_definition_and_more_of_it(visit: Visits) -> None:
    page = visit.again(path("primer", language="en", sentence="Das ist gut."))
    focus_by_tab(page, ".gf-term[aria-describedby$='-value']")
    defines(page, "value")
    expect(term(page, "value")).to_have_accessible_description(text_of("value"))
    page.keyboard.press("Escape")
    expect(opened(page)).to_have_count(0)
    expect(term(page, "value")).to_be_focused()
    page.keyboard.press("Enter")
    defines(page, "value")
    page.keyboard.press("Tab")
    expect(opened(page).get_by_role("link", name=EN["glossary.more"])).to_be_focused()
    page.keyboard.press("Tab")
    defines(page, "key")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-term h3")).to_contain_text("key")
    idle(page)
    has_address(page, term="key", sentence="Das ist gut.")
    page.go_back()
    expect(page.locator("h1")).to_have_text(EN["primer.question"])
    idle(page)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["mask", "pad"])
def test_a_tap_on_a_phone_shows_a_definition_inside_the_window(visit: Visits, name: str) -> None:
    page = visit.again(path("masks"), viewport={"width": 390, "height": 844}, has_touch=True)
    before = page.locator("h1").bounding_box()
    term(page, name).tap()
    defines(page, name)
    is_inside(page)
    assert page.locator("h1").bounding_box() == before
    page.locator("h1").tap()
    expect(opened(page)).to_have_count(0)


@pytest.mark.thorough
def test_a_definition_follows_its_term_and_turns_up_where_there_is_no_room_below(visit: Visits) -> None:
    page = visit.again(path("masks"), viewport={"width": 700, "height": 420})
    term(page, "pad").evaluate("term => { term.scrollIntoView({ block: 'end' }); term.focus(); }")
    page.keyboard.press("Enter")
    defines(page, "pad")
    is_inside(page)
    box, at = opened(page).bounding_box(), term(page, "pad").bounding_box()
    assert box
    assert at
    assert box["y"] + box["height"] <= at["y"]
    term(page, "pad").evaluate("term => term.scrollIntoView({ block: 'start' })")
    expect(opened(page)).to_be_in_viewport(ratio=1)
    is_inside(page)


def test_a_link_brings_its_term_into_view_and_a_search_finds_others(visit: Visits) -> None:
    page = visit.again(path("glossary", term="residual-stream"))
    expect(page.locator(".gf-chosen h3")).to_contain_text("residual stream")
    expect(page.locator(".gf-chosen")).to_be_in_viewport()
    field = page.get_by_label(EN["glossary.find"], exact=True)
    field.fill("模式补全")
    field.press("Enter")
    expect(page.locator(".gf-glossary h3")).to_have_count(1)
    expect(page.locator(".gf-glossary h3")).to_contain_text("induction head")
    idle(page)
    has_address(page, find="模式补全")
    accessible(page)
    page.locator(".gf-glossary").get_by_role("link", name=re.compile("Link to")).click()
    expect(page.locator(".gf-chosen h3")).to_contain_text("induction head")
    idle(page)
    has_address(page, term="induction-head")
