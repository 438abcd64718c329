"""The course in a browser: progress lasts over a reload, and the figure stands beside its question."""

from playwright.sync_api import expect

from pages.shared.text.words import catalogue
from tests.browser import Visits, has_address, idle, path
from tests.fixtures import BUCH

EN = catalogue("en")


def test_an_answer_is_kept_over_a_reload(visit: Visits) -> None:
    page = visit(path("course", sentence=BUCH, step="heads"))
    page.locator(".st-key-options").get_by_role("button", name="1.00").click()
    expect(page.locator(".st-key-right_answer")).to_be_visible()
    page.locator(".st-key-next button").click()
    expect(page.get_by_role("heading", name=EN["course_layers.title"])).to_be_visible()
    has_address(page, step="layers")
    idle(page)
    page.reload()
    expect(page.get_by_role("radio", name=f"✓ {EN['course_heads.short']}")).to_be_visible()
    idle(page)


def test_figure_and_question_stand_beside_each_other(visit: Visits) -> None:
    page = visit(path("course", sentence=BUCH), viewport={"width": 1280, "height": 800})
    box = page.locator(".st-key-figure_course").bounding_box()
    question = page.locator(".st-key-question").bounding_box()
    assert box
    assert question
    assert box["x"] > question["x"] + question["width"]
    assert box["y"] + box["height"] < 800
