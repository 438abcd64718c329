"""Class: join one or start one, the teacher's board, and lessons."""

from pages.classroom import entrance, lesson_list
from pages.shared.layout import page

page.head("class", entrance.lead())
page.tabs("class", {"class": entrance.show, "lessons": lesson_list.show}, own={"lessons": "lesson"})
