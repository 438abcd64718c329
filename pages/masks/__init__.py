"""The page /masks: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=60,
    settings="added leak_at leak_word query row sentence_b sentence_c sentence_d show target tour",
    in_browser=True,
)
