"""Roles of a model's heads, and the average effect of removing a part of it."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="advanced",
    place=10,
    settings="apart rare role show sought tour way",
)
