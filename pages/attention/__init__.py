"""The page /attention: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=50,
    settings="by_feature factor key measure norms open_keys open_queries other pin query raw reach side stage term "
    "tested tour upto view without words",
    in_browser=True,
)
