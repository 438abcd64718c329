"""The page of the whole model: every weight and value of one pass on one sheet."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=10,
    settings="camera cell changes film shown tour",
    saves="nothing",
)
