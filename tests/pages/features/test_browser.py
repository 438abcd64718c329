"""The features of a sentence in a browser: found with the keyboard, named, and used on a phone without a fault."""

from typing import Any

import pytest
from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, accessible, focus_by_tab, has_address, idle, path
from tests.samples import KINO

EN = all_texts("en")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_a_feature_is_chosen_and_named_with_the_keyboard_alone(visit: Visits) -> None:
    page = visit.again(path("features", sentence=KINO, show="sentence"))
    second = page.locator(".st-key-tile_1 b")
    number, name = second.inner_text().split(" · ", 1)
    focus_by_tab(page, ".st-key-pick_1 button")
    page.keyboard.press("Enter")
    has_address(page, feature=number)
    expect(page.locator(".st-key-tile_chosen b")).to_have_text(f"{number} · {name}")
    focus_by_tab(page, ".st-key-feature_name input")
    page.keyboard.type("mine")
    page.keyboard.press("Enter")
    has_address(page, names=f"{number}:mine:de-en/encoder.output")
    expect(page.locator(".st-key-tile_chosen b")).to_have_text(f"{number} · mine")
    idle(page)


@pytest.mark.thorough
def test_a_steered_translation_follows_on_a_phone(visit: Visits) -> None:
    page = visit.again(path("features", sentence=KINO, show="steer", steer="tomorrow"), **PHONE)
    changed = page.locator(".gf-outputs section").last
    expect(changed.locator("ins")).to_have_text("tomorrow")
    idle(page)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    slider = page.get_by_role("slider", name=EN["features_steer.factor"])
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    has_address(page, factor="0")
    expect(changed.locator("ins")).to_have_count(0)
    idle(page)
