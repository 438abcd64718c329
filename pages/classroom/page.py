"""Class: join one or start one, the teacher's board, lessons, and the test before and after a lesson."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pages.classroom import entrance, lesson_list, lesson_test_tab
from pages.shared.classroom import my_class
from pages.shared.layout import page
from pages.shared.session import script_run, view
from pages.shared.session.state import visit_state


@dataclass
class Titled:
    """The tab that the title of the page is about."""

    tab: str = ""


def _draw(tab: str, draw: Callable[[], None]) -> None:
    if titled.tab != tab:  # only the tab was drawn anew
        titled.tab = tab
        script_run.rerun()
    draw()


me = my_class.membership()
tabs: dict[str, Callable[[], None]] = {
    "class": partial(entrance.show, me), "lessons": lesson_list.show, "test": lesson_test_tab.show
}  # fmt: skip
titled = visit_state(Titled)
titled.tab = titled.tab or view.setting("show") or "class"
page.head("class", entrance.lead(), question=entrance.title(titled.tab if titled.tab in tabs else "class"))
if me is not None and not me.teacher:
    page.fragment(tabs["class"])
else:
    page.tabs("class", {tab: partial(_draw, tab, draw) for tab, draw in tabs.items()}, own={"lessons": "lesson"})
