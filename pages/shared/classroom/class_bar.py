"""The line above every page of somebody in a class."""

from model.checkpoint import catalogue
from pages.shared.classroom import my_class
from pages.shared.links import LIVE
from pages.shared.load.component_code import component
from pages.shared.session import script_run, view
from pages.shared.session.base_path import base
from pages.shared.text import notices
from pages.shared.text.words import section, words
from viz.components.classroom.class_bar import FRONTEND, bar_data

_bar = component("class_bar", FRONTEND)


def class_bar() -> None:
    """Draw it where the user is in a class. The browser asks our routes for what is new (`class_routes.py`)."""
    me = my_class.membership()
    if me is None:
        say_gone()
        return
    model = live_model()
    data = bar_data(
        my_class.key(), teacher=me.teacher, base=base(), language=view.language(),
        live=f"{base()}{LIVE}/{model}/" if model else "",
        words=section("class_bar") | section("predict_line") | section("predict_sure"),
    )  # fmt: skip
    _bar(data=data, key="class_bar", on_changed_change=_changed)


def live_model() -> str:
    """The model that a reader of this language sees first, if there is a live page of it on this server; else ""."""
    entry = catalogue.default(entries, view.language()) if (entries := catalogue.entries()) else None
    return entry.name if entry and entry.reads_text else ""


def say_gone() -> None:
    """Tell somebody, once, that their class is gone or that they were removed."""
    if my_class.is_gone():
        notices.say("info", words("class.gone"))


def _changed() -> None:
    """The class has begun, ended or is gone: look again."""
    my_class.forget()
    script_run.touch()
