"""The way into a class, and out of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from classroom import limits
from model.errors import InvalidInput
from pages.classroom import leaving, lesson_test_tab, teaching
from pages.shared.classroom import my_class
from pages.shared.classroom.class_bar import say_gone
from pages.shared.layout import page
from pages.shared.models.sentence import Ended
from pages.shared.session import address, script_run, view
from pages.shared.session.page_list import HOME
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

if TYPE_CHECKING:
    from classroom.classrooms import Membership


def show(seen: Membership | None) -> None:
    """The entrance, the way out, or the board; `seen` is the membership that the rest of the page was drawn for."""
    me = _membership()
    if me != seen:  # a teacher has let them back in, or they have joined in another tab: the line above is due, too
        script_run.rerun()
    if problem := view.kept("class_problem"):
        notices.say("warning", problem)
        view.keep(class_problem=None)
    if me is None:
        say_gone()  # the line of the class was drawn before this page looked again
        entrance()
    elif me.teacher:
        teaching.teaching(me)
    else:
        joined(me)


def title(tab: str) -> str:
    """The title of the page, by who looks at it and the tab."""
    me = my_class.membership()
    if me is not None and not me.teacher:
        return words("class.ended_title" if me.ended else "class.question_joined")
    if tab != "class":
        return words(f"class.question_{tab}")
    if me is not None:
        return words("class.question_over" if me.ended else "class.question_board")
    return words("class.question_join") if view.setting("room") else ""


def lead() -> str:
    """Say what a student can do here, once they have joined; "" for everybody else."""
    me = my_class.membership()
    return words("class.lead_student") if me and not me.teacher and not me.ended else ""


def _membership() -> Membership | None:
    """The class of this user; opens the database, and ends the page where it does not answer."""
    try:
        my_class.classrooms()
    except InvalidInput as error:
        notices.say("error", refusal(error))
        raise Ended from None
    my_class.forget()  # the teacher may just have gone on
    return my_class.membership()


def entrance() -> None:
    """Join a class, or start one."""
    code = view.setting("room") or ""
    left, right = st.columns(2)
    with left, page.card("figure_join", words("class.join_title"), words("class.join_about")):
        _join(code)
    with right, page.card("figure_start", words("class.start_title"), words("class.start_about")):
        _start()
    st.caption(words("class.stored"))


def joined(me: Membership) -> None:
    """Draw the page of a student who has joined: where they are, and the way out."""
    title, about = ("ended_title", "ended_about") if me.ended else ("joined_title", "joined_about")
    if me.test_kind and not me.ended:
        lesson_test_tab.taking(me)
    with page.card("figure_joined", words(f"class.{title}"), words(f"class.{about}")):
        if not me.ended:
            st.subheader(words("class.wait_title"), anchor=False)
            st.text(words("class.wait_about"))
        with st.container(horizontal=True, gap="small"):
            if st.button(words("class.alone"), key="alone"):
                address.open_page(HOME)
            st.button(words("class.leave"), key="leave", on_click=leaving.leave)
    st.caption(words("class.stored"))


def _join(code: str) -> None:
    with st.form("join", border=False):
        text = st.text_input(words("class.code"), value=code, max_chars=12, placeholder="K7Q-2MX", autocomplete="off")
        nickname = st.text_input(words("class.nickname"), max_chars=limits.NICKNAME, autocomplete="off")
        if st.form_submit_button(words("class.join"), type="primary"):
            _do(lambda: my_class.join(text, nickname))


def _start() -> None:
    with st.form("start", border=False):
        title = st.text_input(words("class.name"), max_chars=limits.TITLE, autocomplete="off")
        if st.form_submit_button(words("class.start"), type="primary" if not view.setting("room") else "secondary"):
            _do(lambda: my_class.start(title))


def _do(act: Callable[[], None]) -> None:
    try:
        act()
    except InvalidInput as error:
        notices.say("warning", refusal(error))
    else:
        script_run.rerun()
