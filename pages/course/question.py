"""A question of the course on the page: its options, and what is said to the answers so far."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from model.course.question import Question
from pages.course import progress
from pages.shared.session.state import state
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import components

_KEYS = "1234"  # keyboard shortcuts of the options


@dataclass
class Asked:
    """The question that was drawn last, and how many answers it had."""

    mark: str = ""
    answers: int = 0


def plain_values(question: Question) -> dict[str, str]:
    """What fills the texts of a question, as Markdown shows it: as text."""
    return {name: plain(str(value)) for name, value in question.values.items()}


def mark_of(step: str, question: Question) -> str:
    """Names a question as it is asked: another sentence, or another token, asks another one."""
    text = words(f"course_{step}.asks", **question.values)
    return json.dumps([step, text, question.options, question.right], ensure_ascii=False)


def ask(step: str, question: Question) -> None:
    """The question of a step, its options as buttons, and what is said to an answer."""
    values = plain_values(question)
    mark = mark_of(step, question)
    attempts = progress.tried(mark)
    over = question.right in attempts
    with st.container(key="question", gap="small"):
        st.markdown(words("course.asks", text=words(f"course_{step}.asks", **values)))
        with st.container(horizontal=True, key="options", gap="small"):
            for key, (number, option) in zip(_KEYS, enumerate(question.options), strict=False):
                right = over and number == question.right
                st.button(
                    ("✓ " if right else "✗ " if number in attempts else "") + plain(option),
                    key=f"option_{number}",
                    shortcut=key,
                    type="primary" if right else "secondary",
                    disabled=over or number in attempts,
                    on_click=partial(progress.answer, step, mark, number, number == question.right),
                )
        with st.container(key="verdict"):
            _verdict(step, question.why, values, over, bool(attempts))
    last = state(Asked)
    if mark == last.mark and len(attempts) > last.answers:
        components.point_at("question", nearest=True)
    last.mark, last.answers = mark, len(attempts)


def _verdict(step: str, why: str, values: Mapping[str, str], over: bool, tried: bool) -> None:
    """Draw the verdict on the answers so far, or say that this step was solved with another question."""
    if over:
        with st.container(key="right_answer"):
            st.markdown(words("course.right", text=words(f"course_{step}.{why}", **values)))
    elif tried:
        with st.container(key="wrong_answer"):
            st.markdown(words("course.wrong"))
    elif step in progress.solved():
        st.caption(words("course.solved"))
