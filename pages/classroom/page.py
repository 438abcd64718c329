"""Class: join one or start one, the teacher's board, lessons, and the test before and after a lesson."""

from pages.classroom import entrance, lesson_list, lesson_test_tab
from pages.shared.layout import page

page.head("class", entrance.lead())
tabs = {"class": entrance.show, "lessons": lesson_list.show, "test": lesson_test_tab.show}
page.tabs("class", tabs, own={"lessons": "lesson"})
