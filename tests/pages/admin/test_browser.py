"""The administrator's page in a browser."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from pages.admin import access
from pages.shared.text.words import all_texts
from tests.browser import Visits, accessible
from tests.server import server

TOKEN = "0123456789abcdef-admin"


@pytest.fixture(scope="module")
def watched() -> Iterator[str]:
    """A server with a token, below a path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(access.VARIABLE, TOKEN)
        with server(base="/class/one") as address:
            yield address


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "colours"), [("en", "light"), ("zh", "dark")])
def test_the_numbers_come_with_the_token(watched: str, visit: Visits, language: str, colours: str) -> None:
    words = all_texts(language)
    student = visit("/masks", server=watched, locale=language, color_scheme=colours)
    page = student.context.new_page()
    page.goto(f"{watched}/admin")
    expect(page.locator("h1")).to_have_text(words["admin.title"])
    expect(page.locator("#numbers")).to_be_hidden()
    field, says = page.get_by_label(words["admin.token"], exact=True), page.get_by_role("status")
    expect(field).to_be_focused()
    for wrong in ("not the token", "令牌", "<b>"):
        field.fill(wrong)
        field.press("Enter")
        expect(says).to_have_text(words["admin.wrong"])
        expect(field).to_have_value("")
        expect(page.locator("#numbers")).to_be_hidden()
    field.fill(TOKEN)
    field.press("Enter")
    expect(says).to_have_text(words["admin.fresh"])
    pages = page.locator(".tile").filter(has_text=words["admin.pages"]).locator("b")
    expect(page.locator(".tile").filter(has_text=words["admin.sessions"]).locator("b")).to_have_text(
        re.compile("[1-9]")
    )
    before = int(pages.text_content() or "")
    assert before >= 1
    student.reload()
    expect(pages).not_to_have_text(str(before))
    expect(page.locator("#pages").get_by_role("cell", name="masks", exact=True)).to_be_visible()
    expect(page.locator("#errors")).to_have_text(words["admin.no_errors"])
    accessible(page)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.reload()  # the tab keeps the token until it is told to forget it
    expect(says).to_have_text(words["admin.fresh"])
    page.get_by_role("button", name=words["admin.forget"]).click()
    expect(field).to_be_visible()
    page.reload()
    expect(field).to_be_visible()
