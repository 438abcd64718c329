"""The line above every page of somebody in a class."""

import streamlit as st

from pages.shared.session import script_run, view
from pages.shared.session.base_path import base
from pages.shared.teaching import classes
from pages.shared.text.words import section
from viz.components.class_bar import FRONTEND, bar_data

_bar = st.components.v2.component("class_bar", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)


def class_bar() -> None:
    """Draw it where the user is in a class. The browser asks our routes for what is new (`server/room_routes.py`)."""
    me = classes.membership()
    if me is None:
        return
    data = bar_data(
        classes.key(), teacher=me.teacher, base=base(), language=view.language(), words=section("class_bar")
    )
    _bar(data=data, key="class_bar", on_changed_change=_changed)


def _changed() -> None:
    """The class has begun, ended or is gone: look again."""
    classes.forget()
    script_run.touch()
