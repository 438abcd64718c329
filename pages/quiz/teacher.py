"""Choices of a teacher for a link: topics, single questions, and the number that all draws come from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from model.quiz.questions import QUESTIONS, TOPICS
from pages.quiz import question_choice
from pages.quiz.question_choice import Instance
from pages.shared.layout.tour import Stop
from pages.shared.text.words import words
from pages.shared.ui import controls


@dataclass(frozen=True)
class Chosen:
    """Choice of questions; `numbers` 0 stands for each user's own."""

    topics: list[str]
    single: list[str]
    numbers: int


def choose() -> Chosen:
    """The controls, for users as well; drawn below the question."""
    st.caption(words("quiz.teacher_about"))
    titles = {topic: words(f"quiz_topics.{topic}") for topic in TOPICS}
    of_topics = controls.several("set", words("quiz.topics"), titles, [])
    names = [name for name in QUESTIONS if not of_topics or QUESTIONS[name].topic in of_topics]
    with st.expander(words("quiz.single")):
        labels = {name: words(f"quiz_{name}.title") for name in names}
        single = controls.several("only", words("quiz.single"), labels, [])
    numbers = controls.number("numbers", words("quiz.numbers"), 0, question_choice.LIMIT - 1, 0, 1)
    return Chosen(of_topics, single, numbers)


def count(instances: Iterable[Instance]) -> None:
    """How many questions the link asks."""
    st.caption(words("quiz.asked", count=len(list(instances))))


def tour() -> tuple[Stop, ...]:
    """The question, a task, the score, the link."""
    return (
        Stop("quiz.tour_question", "figure_question", {"question": None}),
        Stop(
            "quiz.tour_live", "figure_question", {"question": "head_previous", "set": None, "only": None, "topic": None}
        ),
        Stop("quiz.tour_score", "figure_score"),
        Stop("quiz.tour_teacher", "figure_teacher"),
    )
