"""The page /embedding: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=30,
    settings="also axes cut dimension frequency merges minus moment padding part plus rows show side step text token "
    "tour word",
    in_browser=True,
)
