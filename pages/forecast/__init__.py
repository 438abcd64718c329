"""The page /forecast: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="advanced",
    place=60,
    settings="as at_head at_layer day epochs model rate seed_run series show shown start tour",
    sidebar="language",
    needs="nothing",
)
