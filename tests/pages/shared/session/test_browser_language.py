"""The language that a user chooses: in this browser it is the one of every address that names none."""

from playwright.sync_api import Page, expect

from pages.shared.session import language_choice
from pages.shared.text.words import all_texts
from tests.browser import PATIENCE, Visits, idle, speak


def choose(page: Page, language: str) -> None:
    speak(page, language)
    expect(page.locator("html")).to_have_attribute("lang", language_choice.tag(language))
    page.wait_for_function(f"document.cookie.includes('{language_choice.COOKIE}={language}')", timeout=PATIENCE)


def begins_in(html: str, language: str) -> bool:
    return f'<html lang="{language_choice.tag(language)}"' in html


def opened(page: Page, path: str, language: str, title: str = "pages.masks") -> None:
    """Type an address; its HTML is in that language before any script has run."""
    with page.expect_response(lambda response: path.partition("?")[0] in response.url) as answer:
        page.goto(path)
    assert begins_in(answer.value.text(), language)
    expect(page).to_have_title(f"{all_texts(language)[title]} · Glassformer")
    idle(page)


def test_a_typed_address_is_in_the_language_that_was_chosen_last(visit: Visits) -> None:
    page = visit("/masks")
    address = page.url.partition("/masks")[0]
    choose(page, "zh")
    opened(page, f"{address}/masks", "zh")
    expect(page.locator(".st-key-checkpoint input")).to_have_value("zh-en · 中文 → 英语 翻译")
    opened(page.context.new_page(), f"{address}/masks?show=patterns", "zh")
    opened(page, f"{address}/masks?language=en", "en")  # what a link names
    opened(page, f"{address}/masks", "zh")  # which nobody chose here
    choose(page, "en")
    assert begins_in(page.request.get(f"{address}/masks").text(), "en")
