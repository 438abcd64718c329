"""The test before and after a lesson: for students its questions, for the teacher how it runs and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from classroom.phases import CLOSED, PHASES
from model.errors import InvalidInput
from pages.classroom import lesson_test_results
from pages.shared.classroom import lesson_questions, my_class
from pages.shared.classroom.lesson_test import ClassTest
from pages.shared.layout import page
from pages.shared.session import script_run, view, widgets
from pages.shared.text import notices
from pages.shared.text.words import refusal, words

if TYPE_CHECKING:
    from classroom.classrooms import Membership

VIEW = "class?show=test"  # what a class is shown that has something to answer
KINDS = ("", "all", "two")


def show() -> None:
    """Whatever this user has to do with the test of their class."""
    my_class.forget()  # the teacher may just have gone on
    me = my_class.membership()
    if me is not None and me.teacher:
        _teacher(me)
        return
    if me is None:
        with page.card("figure_test", words("class_test.title")):
            st.text(words("class_test.none"))
    else:
        taking(me)


def taking(me: Membership) -> None:
    """What a student of a class with a test has to do."""
    with page.card("figure_test", words("class_test.title")):
        if me.test_phase == CLOSED and me.group:
            lesson_questions.lesson_questions(ClassTest(me), "after", "", closed=words("class_test.closed"))
        elif me.test_phase == CLOSED:
            st.text(words("class_test.closed"))
        elif me.test_phase == "lesson" and me.group:
            lesson_questions.lesson_questions(ClassTest(me), "before", words("lesson_test.class_stored"))
        elif me.test_phase == "lesson":
            st.text(words("class_test.lesson_now"))
        else:
            lesson_questions.lesson_questions(ClassTest(me), me.test_phase, words("lesson_test.class_stored"))


def _teacher(me: Membership) -> None:
    with page.card("figure_test", words("class_test.title"), words("class_test.about")):
        if problem := str(view.kept("test_problem") or ""):
            notices.say("warning", problem)
            view.keep(test_problem=None)
        if not me.ended:
            _run(me)
    if me.test_kind:
        with page.card("figure_test_results", words("class_test.results_title")):
            lesson_test_results.results(me, problem)


def _run(me: Membership) -> None:
    """How the test is run: one control to begin it, then one for what the class does now."""
    if not me.test_kind:
        kinds = {kind: words(f"class_test.kind_{kind or 'none'}") for kind in KINDS}
        st.segmented_control(
            words("class_test.kind"), KINDS, format_func=kinds.__getitem__, required=True,
            **widgets.held("test_kind", "", partial(_set_up, me)),
        )  # fmt: skip
        st.caption(words("class_test.kind_about", rule=lesson_test_results.rule()))
        return
    if me.test_phase == CLOSED:
        st.text(words("class_test.about_closed"))
        _popover("end", _set_up, me, "")
        return
    phases = {phase: words(f"class_test.phase_{phase}") for phase in PHASES}
    st.segmented_control(
        words("class_test.phase"), PHASES, format_func=phases.__getitem__, required=True,
        **widgets.held("test_phase", me.test_phase, partial(_go_to, me)),
    )  # fmt: skip
    about = "lesson_two" if (me.test_kind, me.test_phase) == ("two", "lesson") else me.test_phase
    st.caption(words(f"class_test.about_{about}"))
    with st.container(horizontal=True, gap="small"):
        _popover("close", _close, me)
        _popover("end", _set_up, me, "")


def _popover(name: str, act: Callable[..., None], *args: object) -> None:
    """A button that says what it does before it does it."""
    with st.popover(words(f"class_test.{name}")):
        st.text(words(f"class_test.{name}_about"))
        st.button(words(f"class_test.{name}_now"), key=f"test_{name}", type="primary", on_click=act, args=args)


def _close(me: Membership) -> None:
    from classroom.learning import participants

    _try(lambda: participants.close(my_class.classrooms(), me))


def _set_up(me: Membership, kind: str) -> None:
    from classroom.learning import participants

    _try(lambda: participants.set_up(my_class.classrooms(), me, kind, VIEW if kind else ""))


def _go_to(me: Membership, phase: str) -> None:
    """Go to a phase, and bring everyone who follows to the questions."""
    from classroom.learning import participants

    _try(lambda: participants.go_to(my_class.classrooms(), me, phase, VIEW if phase != "lesson" else ""))


def _try(act: Callable[[], None]) -> None:
    try:
        with my_class.answering():
            act()
        my_class.watch().renew(my_class.teacher().classroom)
    except InvalidInput as error:
        view.keep(test_problem=refusal(error))
    my_class.forget()
    script_run.redraw_page()
