"""A lesson as slides: figures of views that the user never opened, one slide for each, turned by keys and printed."""

import re
from pathlib import Path

from playwright.sync_api import expect

from pages.shared.classroom import lessons
from pages.shared.text.words import all_texts
from tests.browser import Visits
from tests.files import download
from tests.pages.shared.test_browser_saved import PAPER, opened

EN = all_texts("en")
LESSON = lessons.Lesson(
    {"en": "Two heads </script><b>"},
    parts=(
        lessons.Part("attention?checkpoint=de-en", says={"en": "Look at one head. <img src=x>"}),
        lessons.Part("masks?checkpoint=de-en", says={"en": "And at the masks."}),
        lessons.Part("train", says={"en": "Then train."}),
    ),
)


def test_a_lesson_is_a_file_of_slides(visit: Visits, tmp_path: Path) -> None:
    view_page = visit.again(f"/class?show=lessons&language=en&lesson={lessons.packed(LESSON)}")
    content = download(view_page, view_page.locator("[data-key=slides_sent]"))
    with opened(visit, content, tmp_path, viewport={"width": 1280, "height": 800}) as page:
        slides = page.locator(".slide")
        expect(slides).to_have_count(3)
        expect(slides.nth(0).locator("h1")).to_have_text(EN["attention.question"])
        expect(slides.nth(0).locator(".says")).to_have_text("Look at one head. <img src=x>")
        expect(slides.nth(0).locator(".gf-attention")).to_be_visible()
        expect(slides.nth(1)).not_to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(slides.nth(1).locator(".gf-matrices").first).to_be_visible()
        expect(slides.nth(1).get_by_role("link", name=EN["take.open"])).to_have_attribute(
            "href", re.compile(r"/masks\?checkpoint=de-en")
        )
        slides.nth(1).locator(".gf-map").first.focus()
        page.keyboard.press("ArrowRight")
        expect(slides.nth(1), "in a figure the arrow keys are the figure's").to_be_visible()
        page.get_by_role("button", name=EN["lessons.slide_next"]).click()
        expect(slides.nth(2)).to_contain_text(EN["lessons.no_figure"])
        assert len(PAPER.findall(page.pdf(prefer_css_page_size=True))) == 3, "a sheet for each slide"
