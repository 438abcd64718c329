"""Which questions are asked, with which numbers, and what the user answered."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from model.checkpoint import catalogue
from model.quiz.posed_question import PosedQuestion, QuizMaterial
from model.quiz.questions import QUESTIONS, TOPICS, offered, topics
from pages.shared.models import cache as models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.session.user_notes import note, noted
from pages.shared.text.words import catalogue as catalogue_of
from pages.shared.text.words import words

LIMIT = 100_000  # numbers of draws
MOST = 400  # answered questions that are kept
NEXT = 7_919  # from one draw of a question to its next


@dataclass(frozen=True)
class Record:
    """A question that the user has begun to answer. `ended`: "", "right" or "told"."""

    question: str
    numbers: int
    model: str
    sentence: str
    answers: list[str] = field(default_factory=list)  # as shown, in the user's language
    tried: list[str] = field(default_factory=list)  # as checked
    ended: str = ""
    hint: bool = False

    @property
    def first(self) -> bool:
        """Whether the first answer was right."""
        return self.ended == "right" and len(self.answers) == 1

    @property
    def counts(self) -> bool:
        """Whether it counts in the score: with a first answer, right or wrong, or the answer shown."""
        return bool(self.ended or self.answers)

    @property
    def state(self) -> str:
        """ "first", "later", "told", or "" while it is open."""
        return "first" if self.first else {"right": "later"}.get(self.ended, self.ended)


@dataclass(frozen=True, eq=False)
class Instance:
    """A question with its numbers, put to this user."""

    name: str
    asked: PosedQuestion
    record: Record

    @property
    def over(self) -> bool:
        """Whether it was answered rightly or told."""
        return bool(self.record.ended)

    def text(self, part: str, **more: object) -> str:
        """One of its texts in the user's language, with its numbers."""
        return words(f"quiz_{self.name}.{part}", **{**self.asked.values, **more})

    def has(self, part: str) -> bool:
        """Whether it has such a text."""
        return f"quiz_{self.name}.{part}" in catalogue_of(view.language())

    def option(self, option: str) -> str:
        """What an option of a choice says."""
        return self.asked.texts[option] if option in self.asked.texts else self.text(f"option_{option}")


def all_offered(current_run: CurrentRun, fixed: int) -> dict[str, Instance]:
    """Every question for the model in view; `fixed` is the number that a link asks for, 0 for one's own."""
    again = json.loads(noted("quiz_again") or "{}")
    draws = tuple((name, _draw(fixed, again.get(name, 0))) for name in QUESTIONS)
    asked = _offered(current_run.entry, current_run.sentence, draws)
    known = {_key(record): record for record in records()}
    found = {}
    for name, one in asked.items():
        live = QUESTIONS[name].live
        model, sentence = (current_run.entry.name, current_run.sentence) if live else ("", "")
        record = Record(name, dict(draws)[name], model, sentence)
        found[name] = Instance(name, one, known.get(_key(record), record))
    return found


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=models.BY_CONTENT)
def _offered(entry: catalogue.Entry, sentence: str, draws: tuple[tuple[str, int], ...]) -> dict[str, PosedQuestion]:
    trace, numbers = models.run(entry, sentence).trace, dict(draws)
    return offered(lambda name: QuizMaterial(entry.config, trace, numbers[name]))


def _draw(fixed: int, again: int) -> int:
    return ((fixed or own_numbers()) + NEXT * again) % LIMIT


def own_numbers() -> int:
    """This user's own number, drawn once: a reload asks the same questions."""
    note("quiz_own", lambda own: own or str(random.randrange(1, LIMIT)))
    return int(noted("quiz_own") or 1)


def chosen(known: dict[str, Instance], of_topics: Iterable[str], single: Iterable[str]) -> list[Instance]:
    """What is asked: the single questions, else those of the topics, else all."""
    names, wanted = set(single), set(of_topics) or set(TOPICS)
    return [one for name, one in known.items() if (name in names if names else QUESTIONS[name].topic in wanted)]


def by_topic(names: Iterable[str]) -> dict[str, list[str]]:
    """Questions by topic."""
    return topics(dict.fromkeys(names))


def records() -> list[Record]:
    """Everything that was answered, in the order of beginning."""
    return _read(noted("quiz_records"))


def _read(text: str | None) -> list[Record]:
    return [Record(**record) for record in json.loads(text or "[]")]


def latest() -> dict[str, Record]:
    """The last record of each question that counts."""
    return {record.question: record for record in records() if record.counts}


def answer(instance: Instance, given: str, shown: str) -> None:
    """Take an answer; `given` can be read."""
    record = instance.record
    if record.ended or given in record.tried:
        return
    right = instance.asked.is_right(given)
    answers, tried = [*record.answers, shown], [*record.tried, given]
    _note(record, answers=answers, tried=tried, ended="right" if right else "")


def tell(instance: Instance) -> None:
    """Show the answer instead."""
    _note(instance.record, ended="told")


def hint(instance: Instance) -> None:
    """Show the hint."""
    _note(instance.record, hint=True)


def again(name: str) -> None:
    """The same question with other numbers."""

    def count_on(counts: str | None) -> str:
        known = json.loads(counts or "{}")
        return json.dumps(known | {name: known.get(name, 0) + 1})

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


def _note(record: Record, **changes: object) -> None:
    changed = Record(**(vars(record) | changes))  # type: ignore[arg-type]

    def with_it(text: str | None) -> str:
        known = [other if _key(other) != _key(record) else changed for other in _read(text)]
        if changed not in known:
            known.append(changed)
        return json.dumps([vars(one) for one in known[-MOST:]], ensure_ascii=False)

    note("quiz_records", with_it)
    view.keep(problem=None)


def _key(record: Record) -> tuple[str, int, str, str]:
    return record.question, record.numbers, record.model, record.sentence
