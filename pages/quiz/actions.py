"""What a click in the quiz does: an answer, a hint, other numbers, another question."""

from __future__ import annotations

import json

from pages.quiz import records
from pages.quiz.instances import Instance
from pages.shared.session import view
from pages.shared.session.user_notes import note


def answer(instance: Instance, option: str, shown: str) -> None:
    """Take an answer; `given` can be read."""
    record = instance.record
    if record.ended or option in record.tried:
        return
    right = instance.asked.is_right(option)
    answers, tried = [*record.answers, shown], [*record.tried, option]
    records.change(record, answers=answers, tried=tried, ended="right" if right else "")


def tell(instance: Instance) -> None:
    """Show the answer instead."""
    records.change(instance.record, ended="told")


def hint(instance: Instance) -> None:
    """Show the hint."""
    records.change(instance.record, hint=True)


def again(name: str) -> None:
    """The same question with other numbers."""

    def count_on(counts: str | None) -> str:
        counts_by_name = json.loads(counts or "{}")
        return json.dumps(counts_by_name | {name: counts_by_name.get(name, 0) + 1})

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
