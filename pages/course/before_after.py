"""The test before the first step of the course and after the last one, offered to who takes the course alone."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from classroom.learning.takers import Taker
from pages.shared.classroom import lesson_questions, my_class
from pages.shared.classroom.lesson_test import OwnTest
from pages.shared.session import script_run
from pages.shared.session.state import visit_state
from pages.shared.text.words import words

TEST = OwnTest()


@dataclass
class Opened:
    """The phase whose questions are open, "" for none."""

    phase: str = ""


def offer(phase: str) -> None:
    """A button that opens the questions "before" or "after"; none where a class has its own test."""
    opened = visit_state(Opened)
    if not _has(phase, TEST.read()):
        return
    with st.container(key="course_test", border=opened.phase == phase, gap="small"):
        if opened.phase != phase:
            label = words(f"course_test.{phase}")
            st.button(label, key="test_open", type="tertiary", on_click=_open, args=(phase,))
            return
        lesson_questions.lesson_questions(TEST, phase, words("lesson_test.own_stored"), words("lesson_test.own_asked"))
        with st.container(horizontal=True, key="test_leave"):
            st.button(words("course_test.close"), key="test_close", type="tertiary", on_click=_open, args=("",))
            if TEST.read() is not None:
                st.button(words("course_test.delete"), key="test_delete", type="tertiary", on_click=_delete)


def _has(phase: str, taker: Taker | None) -> bool:
    """Whether there is something to offer: afterwards only to those who finished before."""
    me = my_class.membership()
    if me is not None and me.test_kind:
        return False
    return phase == "before" or (taker is not None and taker.has_finished("before"))


def _open(phase: str) -> None:
    visit_state(Opened).phase = phase
    script_run.touch()


def _delete() -> None:
    TEST.delete()
    lesson_questions.forget()
    _open("")
