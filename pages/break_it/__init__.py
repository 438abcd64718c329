"""The page /break: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    name="break",
    section="advanced",
    place=40,
    settings="beside case look mistake show tour word",
)
