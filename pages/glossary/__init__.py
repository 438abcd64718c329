"""The page /glossary: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="check",
    place=20,
    settings="find show term",
    needs="nothing",
    saves="page",
    steps=False,
)
