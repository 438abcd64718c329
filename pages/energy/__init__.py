"""The page /energy: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="advanced",
    place=30,
    settings="d_model show side tour unscaled",
)
