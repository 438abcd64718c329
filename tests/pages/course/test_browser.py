"""The course in a browser: progress lasts over a reload, and the figure stands beside its question."""

from typing import Any

import pytest
from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, has_address, idle, path
from tests.samples import BUCH

EN = all_texts("en")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_an_answer_is_kept_over_a_reload(visit: Visits) -> None:
    page = visit(path("course", sentence=BUCH, step="mask"))
    page.locator(".st-key-options").get_by_role("button", name="1.00").click()
    expect(page.locator(".st-key-right_answer")).to_be_visible()
    page.locator(".st-key-next button").click()
    expect(page.get_by_role("heading", name=EN["course_layers.title"])).to_be_visible()
    has_address(page, step="layers")
    idle(page)
    page.reload()
    expect(page.get_by_role("radio", name=f"✓ {EN['course_mask.short']}")).to_be_visible()
    idle(page)


def test_the_verdict_is_in_view_and_the_right_answer_clear(visit: Visits) -> None:
    page = visit.again(path("course", sentence=BUCH, step="vectors"), viewport={"width": 1280, "height": 800})
    options = page.locator(".st-key-options").get_by_role("button")
    key = options.first.locator("kbd")
    assert key.evaluate("key => getComputedStyle(key).borderBottomWidth") == "2px"
    for number in range(options.count()):
        page.keyboard.press(str(number + 1))
        expect(page.locator(".st-key-verdict")).to_be_visible()
        idle(page)
        if page.locator(".st-key-right_answer").count():
            break
        expect(options.nth(number)).to_be_disabled()
    expect(page.locator(".st-key-right_answer")).to_be_in_viewport(ratio=1)
    choice = page.locator(".st-key-options button[kind=primary]")
    assert choice.evaluate("button => getComputedStyle(button).color") == "rgb(255, 255, 255)"


def test_on_a_phone_the_figure_comes_before_its_control_and_the_text(visit: Visits) -> None:
    page = visit.again(path("course", sentence=BUCH, step="writing"), **PHONE)
    expect(page.locator(".st-key-course-writing")).to_be_visible()
    parts = (".st-key-course_text", ".st-key-course-writing", ".st-key-token", ".st-key-question")
    tops = [page.locator(part).evaluate("part => part.getBoundingClientRect().top") for part in parts]
    assert tops == sorted(tops)
    assert not page.locator(".st-key-options kbd").first.is_visible()


@pytest.mark.thorough
def test_a_head_that_is_scrolled_below_a_resting_pointer_is_not_shown(visit: Visits) -> None:
    page = visit.again(path("course", sentence=BUCH, step="heads"), viewport={"width": 1280, "height": 600})
    figure = page.locator(".gf-attention[data-ready]")
    place = figure.get_attribute("data-layer"), figure.get_attribute("data-head")
    box = page.get_by_role("gridcell", name="layer 2 · head 3").bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] - 80)
    page.mouse.move(box["x"] + 6, box["y"] - 80)
    page.mouse.wheel(0, 85)
    page.wait_for_timeout(500)  # the browser tells what lies below a resting pointer a moment later
    assert (figure.get_attribute("data-layer"), figure.get_attribute("data-head")) == place
    page.mouse.move(box["x"] + 8, box["y"] - 79)
    expect(figure).to_have_attribute("data-head", "3")


def test_figure_and_question_stand_beside_each_other(visit: Visits) -> None:
    page = visit.again(path("course", sentence=BUCH), viewport={"width": 1280, "height": 800})
    box = page.locator(".st-key-figure_course").bounding_box()
    question = page.locator(".st-key-question").bounding_box()
    assert box
    assert question
    assert box["x"] > question["x"] + question["width"]
    assert box["y"] + box["height"] < 800
