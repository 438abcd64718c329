"""The line above every page of somebody in a class."""

import streamlit as st

from pages.shared.classroom import my_class
from pages.shared.session import script_run, view
from pages.shared.session.base_path import base
from pages.shared.text import notices
from pages.shared.text.words import section, words
from viz.components.classroom.class_bar import FRONTEND, bar_data

_bar = st.components.v2.component("class_bar", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)


def class_bar() -> None:
    """Draw it where the user is in a class. The browser asks our routes for what is new (`class_routes.py`)."""
    me = my_class.membership()
    if me is None:
        say_gone()
        return
    data = bar_data(
        my_class.key(), teacher=me.teacher, base=base(), language=view.language(), words=section("class_bar")
    )
    _bar(data=data, key="class_bar", on_changed_change=_changed)


def say_gone() -> None:
    """Tell somebody, once, that their class is gone or that they were removed."""
    if my_class.is_gone():
        notices.say("info", words("class.gone"))


def _changed() -> None:
    """The class has begun, ended or is gone: look again."""
    my_class.forget()
    script_run.touch()
