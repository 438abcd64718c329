"""The test before and after a lesson on the page: consent on one screen, six questions one by one, the result."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st

from classroom.learning import bank
from classroom.learning.bank import Question
from classroom.learning.takers import Taker
from model.errors import InvalidInput
from pages.shared.classroom import lesson_test
from pages.shared.classroom.lesson_test import LessonTest, Taking
from pages.shared.session import script_run, widgets
from pages.shared.session.state import state
from pages.shared.text import learning, notices
from pages.shared.text.notices import plain
from pages.shared.text.words import refusal, words
from viz.html.quiz import strip_html


def lesson_questions(test: LessonTest, phase: str, stored: str, asked: str = "", closed: str = "") -> None:
    """What there is to do in this phase; `stored` says where answers are kept, and for how long, `asked` what for.

    `closed` says that nobody answers any more: who has answered everything still sees what was right.
    """
    try:
        taking = lesson_test.taking(test, phase)
    except InvalidInput as error:
        notices.say("warning", refusal(error))
        return
    if taking.problem:
        notices.say("warning", taking.problem)
    if closed and not (taking.taker and taking.taker.has_finished(phase)):
        st.text(closed)
    elif taking.taker is None:
        asked = asked or words("lesson_test.asked")
        _consent(test, phase, [asked, stored, words("lesson_test.free")], declined=test.name in taking.declined)
    elif taking.taker.has_finished(phase):
        _finished(taking.taker, phase)
    else:
        _question(test, taking, taking.taker)


def forget() -> None:
    """Forget how far this session is: the answers were deleted."""
    state(Taking).name = ""


def _consent(test: LessonTest, phase: str, texts: list[str], *, declined: bool) -> None:
    if phase != "before":
        st.text(words("lesson_test.late"))
        return
    for text in [words("lesson_test.declined")] if declined else texts:
        st.text(text)
    with st.container(horizontal=True, key="test_consent"):
        label = words("lesson_test.agree")
        st.button(label, key="test_agree", type="secondary" if declined else "primary", on_click=_agree, args=(test,))
        if not declined:
            st.button(words("lesson_test.decline"), key="test_decline", on_click=_decline, args=(test,))


def _agree(test: LessonTest) -> None:
    taking = state(Taking)
    try:
        lesson_test.agree(test)
        taking.problem = ""
    except InvalidInput as error:
        taking.problem = refusal(error)
    script_run.touch()


def _decline(test: LessonTest) -> None:
    state(Taking).declined.add(test.name)
    script_run.touch()


def _question(test: LessonTest, taking: Taking, taker: Taker) -> None:
    questions = bank.forms()[taker.form(taking.phase)]
    if taking.at is None:
        kept = taker.choices.get(taking.phase, {})
        _to(taking, next(at for at, question in enumerate(questions) if question.id not in kept))
    at = taking.at or 0
    question, count = questions[at], len(questions)
    choice = taking.chosen.get(question.id)
    item = learning.item(question)
    options = {**dict(enumerate(item.choices)), bank.UNKNOWN: learning.unknown()}
    st.caption(words("lesson_test.count", number=at + 1, count=count))
    st.html(strip_html(["told" if each.id in taking.chosen else "" for each in questions], at))
    st.text(item.text)

    def choose(option: int | None) -> None:
        if option is not None:
            taking.chosen[question.id] = option

    st.radio(
        plain(item.text), list(options), format_func=lambda option: plain(options[option]), index=None,
        label_visibility="collapsed", **widgets.held(f"test_{question.id}", choice, choose),
    )  # fmt: skip
    with st.container(horizontal=True, key="test_ways"):
        back = words("lesson_test.back")
        st.button(back, key="test_back", disabled=not at, on_click=_move, args=(test, taking, question, -1))
        st.button(
            words("lesson_test.finish" if at == count - 1 else "lesson_test.next"), key="test_next", type="primary",
            disabled=choice is None, on_click=_move, args=(test, taking, question, 1),
        )  # fmt: skip


def _move(test: LessonTest, taking: Taking, question: Question, by: int) -> None:
    """Keep the choice and go to another question; a user who goes back has not chosen in vain."""
    if question.id in taking.chosen:
        lesson_test.keep(test, question.id, time.monotonic() - taking.since)
    _to(taking, max(0, min((taking.at or 0) + by, len(bank.TOPICS) - 1)))
    script_run.touch()


def _to(taking: Taking, at: int) -> None:
    taking.at, taking.since = at, time.monotonic()


def _finished(taker: Taker, phase: str) -> None:
    """Thanks before the lesson, without saying what was right; after it the own result, question by question."""
    if phase == "before":
        st.text(words("lesson_test.thanks"))
        return
    right = {each: _right(taker, each) for each in ("before", "after")}
    count = len(bank.TOPICS)
    if taker.has_finished("before"):
        st.text(words("lesson_test.result", before=right["before"], after=right["after"], count=count))
    else:
        st.text(words("lesson_test.result_after", after=right["after"], count=count))
    st.caption(words("lesson_test.result_about"))
    for question in bank.forms()[taker.form("after")]:
        _answer(question, taker.choices["after"])
    with st.expander(words("lesson_test.earlier")):
        for question in bank.forms()[taker.form("before")]:
            _answer(question, taker.choices.get("before", {}))


def _right(taker: Taker, phase: str) -> int:
    questions = bank.by_id()
    return sum(questions[name].right == choice for name, choice in taker.choices.get(phase, {}).items())


def _answer(question: Question, choices: Mapping[str, int]) -> None:
    item, choice = learning.item(question), choices.get(question.id)
    st.markdown(plain(item.text))
    right = item.choices[question.right]
    if choice == question.right:
        st.caption(words("lesson_test.was_right", right=plain(right)))
        return
    if choice is None:
        own = words("lesson_test.nothing")
    else:
        own = learning.unknown() if choice == bank.UNKNOWN else item.choices[choice]
    st.caption(words("lesson_test.was_wrong", own=plain(own), right=plain(right)))
