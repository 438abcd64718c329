"""The way out of a class: buttons of students and of the teacher."""

from collections.abc import Callable

from model.errors import InvalidInput
from pages.shared.classroom import my_class
from pages.shared.session import script_run, view
from pages.shared.text.words import refusal


def leave() -> None:
    """Leave the class, or delete what is left of one that has ended."""
    _try(my_class.leave)


def end() -> None:
    """End the class."""
    _try(my_class.end)


def _try(act: Callable[[], None]) -> None:
    try:
        act()
    except InvalidInput as error:
        view.keep(class_problem=refusal(error))
    script_run.redraw_page()
