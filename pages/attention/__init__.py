"""The page /attention: all that only it needs."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="see",
    place=50,
    settings="factor key measure norms other pin query reach side stage tour upto view words",
)
