"""The page /layers: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=70,
    settings="batch context_a context_b depth every lens norm shared show side stack_norm step sublayer token tour",
    in_browser=True,
)
