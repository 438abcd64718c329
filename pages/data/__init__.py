"""The page /data: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="check",
    place=15,
    settings="against below find marked show sort",
    steps=False,
)
