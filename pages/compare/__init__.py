"""The page /compare: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="advanced",
    place=50,
    settings="follow measure moment norms of_head only other other_changes other_head other_moment pin reads runs "
    "show tour",
)
