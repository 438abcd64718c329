"""The course: ten steps from the look-up to learning."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="",
    place=20,
    settings="compared factor forced moment pin read step token without",
    steps=False,
    own_way=True,
)
