"""The page /decoding: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=80,
    settings="alpha beam beside cell draw dropped forks given k leaf norms step temperature top_k top_p tour view way "
    "word",
    in_browser=True,
)
