"""The page /quiz: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="check",
    place=10,
    settings="factor numbers only pin predict question set show topic base tour",
    saves="nothing",
    steps=False,
)
