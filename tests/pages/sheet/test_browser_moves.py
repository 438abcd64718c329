"""Moving over the sheet in a browser: what a click means, what closes, and a head that is switched off."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.shared.text.words import all_texts
from pages.sheet.source import Source, placed
from tests.browser import Visits, has_address, idle
from tests.pages.sheet.test_browser import camera, canvas, source
from viz.sheet.layout import Frame, layout

__all__ = ["source"]  # the fixture
EN = all_texts("en")
FOCUSED = "document.activeElement.shadowRoot?.activeElement?.className ?? document.activeElement.tagName"


def on_screen(page: Page, frame: Frame) -> tuple[float, float, float, float]:
    x, y, k = camera(page)
    return frame.x * k + x, frame.y * k + y, frame.width * k, frame.height * k


def fits(page: Page, frame: Frame) -> None:
    """It fills the picture, and nothing of it is outside."""
    idle(page)
    box = canvas(page).bounding_box()
    assert box
    x, y, width, height = on_screen(page, frame)
    assert x >= 0, frame.path
    assert y >= 0, frame.path
    assert x + width <= box["width"] + 1, frame.path
    assert y + height <= box["height"] + 1, frame.path
    assert max(width / box["width"], height / box["height"]) > 0.7, frame.path


@pytest.mark.thorough
def test_a_label_means_its_group_and_the_whole_is_whole(visit: Visits, source) -> None:
    frames = {frame.path: frame for frame in layout(placed(source.sheet)).frames}
    page = visit.again("/sheet")
    start = camera(page)
    cross = frames["decoder", "1", "cross_attention"]
    x, y, width, height = on_screen(page, cross)
    canvas(page).click(position={"x": x + width / 2, "y": y + height / 2})
    fits(page, cross)
    expect(page.locator(".gf-about")).to_be_hidden()  # no part that the block hid
    page.locator(".gf-search input").fill("cross-attention head 2")
    page.locator(".gf-search input").press("Enter")
    expect(page.locator(".gf-name")).to_have_text("Decoder › Layer 0 › Cross-attention › Head 2")
    page.get_by_role("button", name=EN["sheet_figure.whole"], exact=True).click()
    expect(page.locator(".gf-about")).to_be_hidden()
    idle(page)
    assert camera(page) == start
    layer = frames["decoder", "1"]
    x, y, _, _ = on_screen(page, layer)
    canvas(page).dblclick(position={"x": x + 20, "y": y + 13})
    fits(page, layer)
    expect(page.locator(".gf-about")).to_be_hidden()


@pytest.mark.thorough
def test_escape_and_a_click_elsewhere_close_what_is_open(visit: Visits) -> None:
    page = visit.again("/sheet?cell=encoder.0.self_attention.scores[0],1,1")
    menu = page.locator(".gf-save")
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.locator("h1").click()):
        menu.locator("summary").click()
        expect(menu).to_have_attribute("open", "")
        close()
        expect(menu).not_to_have_attribute("open", "")
        expect(page.locator(".gf-value")).to_be_visible()
    page.get_by_role("button", name=EN["sheet_figure.open"]).focus()
    page.keyboard.press("Escape")
    expect(page.locator(".gf-value")).to_have_count(0)
    assert page.evaluate(FOCUSED) == "gf-sheet-canvas", "Escape from the panel leaves the focus on the picture"
    page.keyboard.press("Escape")
    expect(page.locator(".gf-about")).to_be_hidden()
    canvas(page).hover(position={"x": 5, "y": 5})
    for _ in range(6):  # no gesture leads into emptiness
        page.mouse.down()
        page.mouse.move(1100, 600)
        page.mouse.up()
        page.mouse.move(360, 200)
    box = canvas(page).bounding_box()
    assert box
    assert camera(page)[0] <= box["width"] * 0.6


def test_a_head_is_switched_off_and_on_where_it_is_looked_at(visit: Visits) -> None:
    page = visit.again("/sheet?cell=decoder.1.cross_attention.head_outputs[2],3,4")
    page.get_by_role("button", name=EN["sheet_figure.head_off"], exact=True).click()
    has_address(page, changes="off:cross.1.2")
    expect(page.get_by_role("radio", name=EN["sheet_shown.difference"])).to_be_visible()
    expect(page.locator(".gf-value")).to_contain_text(": 0.000")
    page.get_by_role("button", name=EN["sheet_figure.head_on"], exact=True).click()
    expect(page.get_by_role("radio", name=EN["sheet_shown.difference"])).to_have_count(0)
    expect(page).not_to_have_url(re.compile("changes="))
    expect(page.locator(".gf-value")).not_to_contain_text(": 0.000")


PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def part_in_view(page: Page, source: Source) -> bool:
    """Whether a piece stands in the middle half of the picture."""
    box = canvas(page).bounding_box()
    assert box
    x, y, k = camera(page)
    return any(
        piece.x * k + x <= 0.75 * box["width"] + 1
        and (piece.x + piece.columns) * k + x >= 0.25 * box["width"] - 1
        and piece.y * k + y <= 0.75 * box["height"] + 1
        and (piece.y + piece.rows) * k + y >= 0.25 * box["height"] - 1
        for piece in layout(placed(source.sheet)).pieces
    )


@pytest.mark.thorough
def test_no_gesture_loses_the_model_in_a_gap(visit: Visits, source: Source) -> None:
    page = visit.again("/sheet")
    frames = {frame.path: frame for frame in layout(placed(source.sheet)).frames}
    x, y, width, _ = on_screen(page, frames["decoder", "0"])
    canvas(page).hover(position={"x": x + width * 0.3, "y": y + 8})  # between the title of a layer and its parts
    for _ in range(12):
        page.mouse.wheel(0, -500)
    idle(page)
    assert camera(page)[2] > 20
    assert part_in_view(page, source)
    canvas(page).focus()
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"):
        before = camera(page)
        page.keyboard.press(key)  # a gap that is wider than a step is no wall
        idle(page)
        assert camera(page) != before, key
        assert part_in_view(page, source), key


def test_a_phone_shows_the_model_first_and_the_way_back_to_all_of_it(visit: Visits) -> None:
    page = visit.again("/sheet", **PHONE)
    stage, bar, overview = (page.locator(name) for name in (".gf-stage", ".gf-sheet > .gf-bar", ".gf-sheet-map"))
    expect(stage).to_be_in_viewport(ratio=1)
    box, below = stage.bounding_box(), bar.bounding_box()
    assert box
    assert below
    assert box["height"] < box["width"]  # the model, which is wider than high, fills it
    assert below["y"] >= box["y"] + box["height"]
    whole = page.get_by_role("button", name=EN["sheet_figure.whole"], exact=True)
    expect(whole).to_be_in_viewport()
    expect(overview).to_be_hidden()  # all is in view
    page.get_by_role("button", name=EN["sheet_figure.closer"], exact=True).tap()
    idle(page)
    expect(overview).to_be_in_viewport(ratio=1)
    corner = overview.bounding_box()
    assert corner
    assert corner["y"] + corner["height"] <= box["y"] + box["height"]
    whole.tap()
    expect(overview).to_be_hidden()


def test_enter_that_takes_a_word_of_an_input_method_does_not_search(visit: Visits) -> None:
    page = visit.again("/sheet")
    field = page.locator(".gf-search input")
    field.fill("cross_attention.weights[1]")
    for how in ({"isComposing": True}, {"keyCode": 229}):
        field.dispatch_event("keydown", {"key": "Enter", "bubbles": True, "composed": True, **how})
    expect(page.locator(".gf-about")).to_be_hidden()
    field.press("Enter")
    expect(page.locator(".gf-about")).to_be_visible()
