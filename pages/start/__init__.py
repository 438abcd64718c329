"""The page /start: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="",
    place=10,
    settings="norms paused pin tour words",
    sidebar="model",
)
