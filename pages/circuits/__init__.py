"""What the heads of a model do, and what removing a part of it does on average."""

from pages.shared.session.page_list import Page

PAGE = Page(
    section="advanced",
    place=10,
    settings="role show tour way",
)
