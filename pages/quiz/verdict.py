"""Verdict on an answer: why it is right or wrong, and in the end the solution."""

from __future__ import annotations

import streamlit as st

from pages.quiz import picture
from pages.quiz.question_choice import Instance
from pages.shared.text import notices
from pages.shared.text.words import words


def verdict(instance: Instance) -> None:
    """Draw the verdict on the last answer."""
    attempt = instance.attempt
    if attempt.ended:
        _over(instance)
    elif attempt.answers:
        key = "quiz.wrong_typed" if instance.asked.typed else "quiz.wrong"
        notices.say("warning", words(key, answer=attempt.answers[-1], why=_wrong(instance)))


def _wrong(instance: Instance) -> str:
    answer = instance.attempt.tried[-1]
    measure = instance.asked.measured.get(answer, "")
    part = f"wrong_{answer}"
    return instance.text(part if instance.has(part) else "wrong", found=measure)


def _over(instance: Instance) -> None:
    attempt, question = instance.attempt, instance.asked
    answer = attempt.tried[-1] if attempt.ended == "right" else question.solution()
    measure = question.measured.get(answer, "")
    part = f"why_{question.key}"
    why = instance.text(part if instance.has(part) else "why", found=measure)
    if attempt.ended == "right":
        sentence = words("quiz.first", why=why) if attempt.first else words("quiz.right", why=why)
    else:
        sentence = words("quiz.told", answer=_solution(instance), why=why)
    notices.say("info", sentence)
    if len(attempt.answers) > 1:
        st.text(words("quiz.tried", answers=words("quiz.arrow").join(attempt.answers)))


def _solution(instance: Instance) -> str:
    """The answer as it is said to the user."""
    question, solution = instance.asked, instance.asked.solution()
    if question.kind == "choice":
        solution = instance.option(solution)
    elif question.kind == "head":
        kind, layer, head = solution.split("/")
        solution = words("quiz_figure.place", kind=picture.kind(kind), layer=layer, head=head)
    elif question.kind == "steps":
        solution = f"{question.key:,}"
    return solution
