"""Clicks in the quiz: an answer, a hint, other numbers, another question."""

from __future__ import annotations

import hashlib
import json
from urllib.parse import urlencode

from model.errors import InvalidInput
from pages.quiz import attempts
from pages.quiz.question_choice import Instance, counted
from pages.shared.classroom import my_class, questions
from pages.shared.session import view
from pages.shared.session.user_notes import note
from pages.shared.text.words import refusal, words


def answer(instance: Instance, option: str, visible_text: str) -> None:
    """Take an answer; `given` can be read."""
    attempt = instance.attempt
    if attempt.ended or option in attempt.tried:
        return
    right = instance.asked.is_right(option)
    answers, options = [*attempt.answers, visible_text], [*attempt.tried, option]
    attempts.change(attempt, answers=answers, tried=options, ended="right" if right else "")
    text = option if instance.asked.kind in ("choice", "head") else visible_text  # the same in every language
    my_class.answered(name_of(instance), text, right)


def ask_class(instance: Instance) -> None:
    """Put the question to the class that this user teaches, and show it to everyone."""
    attempt, question = instance.attempt, instance.asked
    options = [(option, instance.option(option)) for option in question.options] if question.kind == "choice" else []
    choices = {"question": attempt.question, "numbers": attempt.numbers}
    context = {"checkpoint": attempt.model, "sentence": attempt.sentence} if attempt.model else {}
    among = {
        key: value for key in ("set", "only", "topic") if (value := view.setting(key))
    }  # the same count for everyone
    link = f"quiz?{urlencode(context | choices | among)}"
    content = questions.posed(attempt.question, question.kind, question.values, link)
    try:
        me = my_class.teacher()
        with my_class.answering():
            my_class.classrooms().ask(
                me, "quiz", instance.text("question"), options, name=name_of(instance), posed=content
            )
            my_class.classrooms().show(me, link)
    except InvalidInput as error:
        view.keep(class_says=refusal(error))
    else:
        view.keep(class_says=words("class.asked"))


def name_of(instance: Instance) -> str:
    """The name of a question with its numbers, model and sentence, the same for all who are asked it."""
    return hashlib.sha256(repr(attempts.key(instance.attempt)).encode()).hexdigest()[:32]


def tell(instance: Instance) -> None:
    """Show the answer instead."""
    attempts.change(instance.attempt, ended="told")


def hint(instance: Instance) -> None:
    """Show the hint."""
    attempts.change(instance.attempt, hint=True)


def again(instance: Instance) -> None:
    """The same question with other numbers."""
    key = counted(instance.name, instance.fixed)

    def count_on(counts: str | None) -> str:
        counts_by_key = json.loads(counts or "{}")
        return json.dumps(counts_by_key | {key: counts_by_key.get(key, 0) + 1})

    note("quiz_again", count_on)
    view.keep(problem=None)


def start_over() -> None:
    """Forget all answers, and draw other numbers."""
    for key in ("quiz_records", "quiz_again", "quiz_own"):
        note(key, lambda _: None)
    view.keep(problem=None)


def go(name: str) -> None:
    """To another question."""
    view.keep(problem=None)
    view.choose(question=name)
