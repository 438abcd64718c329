"""The teacher's choice of pages, models and controls that students see, for the class and as a link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import streamlit as st

from model.errors import InvalidInput
from pages.shared.classroom import my_class, visible
from pages.shared.models import current, titles
from pages.shared.session import page_list, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

if TYPE_CHECKING:
    from classroom.classrooms import Membership

_PREFIX = "visible_"


def choose(me: Membership) -> None:
    """The controls; a change holds for the class at once."""
    visibility = visible.read(me.choice)
    link = replace(visibility, live="").spelled()
    with st.expander(words("class.visible"), expanded=bool(link)):
        st.caption(words("class.visible_about"))
        pages = {name: words(f"pages.{name}") for name in page_list.pages() if name != "class"}
        models = {name: titles.in_list(name, entry) for name, entry in current.models().items()}
        _several("pages", pages, visibility.pages, me)
        _several("models", models, visibility.models, me)
        _several("hide", {name: words(f"class_hide.{name}") for name in visible.HIDEABLE}, visibility.hide, me)
        if link:
            st.caption(words("class.visible_link"))
            st.code(f"/?{urlencode({'visible': link})}", language=None, wrap_lines=True)
        if problem := view.kept("visible_problem"):
            notices.say("warning", problem)


def change(me: Membership, **parts: Any) -> None:
    """Choose something else, for the class at once; `parts` are fields of `Visible`."""
    try:
        with my_class.answering():
            my_class.classrooms().choose(me, replace(visible.read(me.choice), **parts).spelled())
        view.keep(visible_problem=None)
    except InvalidInput as error:
        view.keep(visible_problem=refusal(error))
    my_class.forget()


def _several(part: str, options: Mapping[str, str], selection: tuple[str, ...], me: Membership) -> None:
    def take() -> None:
        change(me, **{name: tuple(widgets.sent(_PREFIX + name) or ()) for name in ("pages", "models", "hide")})

    st.multiselect(
        words(f"class.visible_{part}"), list(options), [name for name in selection if name in options],
        format_func=options.__getitem__, key=_PREFIX + part, on_change=take, placeholder=words(f"class.all_{part}"),
    )  # fmt: skip
