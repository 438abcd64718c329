"""The page /class: start or join a class, and the teacher's board."""

from pages.shared.session.page_list import Page

PAGE = Page(
    name="class",
    section="manage",
    place=20,
    settings="lesson room show",
    sidebar="language",
    needs="nothing",
    saves="nothing",
    steps=False,
    own_way=True,
)
