"""A user's own sentences in a browser: typed, judged, filtered, and on a phone without a fault."""

from typing import Any

from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, accessible, has_address, idle, path
from tests.samples import BUCH

EN = all_texts("en")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


def test_typed_lines_are_judged_filtered_and_lead_to_why(visit: Visits) -> None:
    page = visit.again(path("data"), **PHONE)
    box = page.locator(".st-key-lines textarea")
    box.fill(f"{BUCH}\nDer Zwerchfellkrampf quabbelt.")
    box.press("Control+Enter")
    sentences = page.locator(".gf-linked a")
    expect(sentences).to_have_text(["Der Zwerchfellkrampf quabbelt.", BUCH])
    idle(page)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    page.get_by_text(EN["data_lines.marked"]).click()
    has_address(page, marked="1")
    expect(sentences).to_have_text(["Der Zwerchfellkrampf quabbelt."])
    with page.expect_popup() as opened:
        sentences.first.click()
    expect(opened.value.locator(".st-key-sentence input")).to_have_value("Der Zwerchfellkrampf quabbelt.")
    opened.value.close()
