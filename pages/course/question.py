"""A question of the course: options, of which the model in view says which is right, and the answers so far."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from pages.course import progress
from pages.shared.session.state import state
from pages.shared.text.notices import plain
from pages.shared.text.words import words
from pages.shared.ui import components

_KEYS = "1234"  # keyboard shortcuts of the options


@dataclass(frozen=True)
class Question:
    """The options as shown, the index of the right one, and what fills the texts of the step."""

    options: tuple[str, ...]
    right: int
    values: Mapping[str, object] = field(default_factory=dict)
    why: str = "why"  # the text that explains the answer

    @property
    def plain_values(self) -> dict[str, str]:
        """The values as Markdown shows them: as text."""
        return {name: plain(str(value)) for name, value in self.values.items()}

    def mark(self, step: str) -> str:
        """Names this question as it is asked: another sentence, or another token, asks another one."""
        text = words(f"course_{step}.asks", **self.values)
        return json.dumps([step, text, self.options, self.right], ensure_ascii=False)


@dataclass
class Asked:
    """The question that was drawn last, and how many answers it had."""

    mark: str = ""
    answers: int = 0


def among(right: str, wrong: Sequence[str], **values: object) -> Question:
    """A question with the right option and up to three others, shuffled in the same order for the same options."""
    options = [right, *[option for option in dict.fromkeys(wrong) if option != right][:3]]
    random.Random("|".join(options)).shuffle(options)
    return Question(tuple(options), options.index(right), values)


def in_order(options: Sequence[str], right: int, **values: object) -> Question:
    """A question whose options keep their order: up to four, the right one among them."""
    first = max(0, min(right - 1, len(options) - 4))
    return Question(tuple(options[first : first + 4]), right - first, values)


def ask(step: str, question: Question) -> None:
    """The question of a step, its options as buttons, and what is said to an answer."""
    values = question.plain_values
    mark = question.mark(step)
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
