"""Which questions are asked, with which numbers."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from model.checkpoint import catalogue
from model.quiz.posed_question import PosedQuestion, QuizMaterial, Share
from model.quiz.questions import QUESTIONS, TOPICS, offered, topics
from pages.quiz import attempts
from pages.quiz.attempts import Attempt
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.session.user_notes import note, noted
from pages.shared.text.words import all_texts, words
from pages.shared.ui import controls
from viz.numbers import percent

LIMIT = 100_000  # numbers of draws
NEXT = 7_919  # from one draw of a question to its next


@dataclass(frozen=True, eq=False)
class Instance:
    """A question with its numbers, put to this user."""

    name: str
    asked: PosedQuestion
    attempt: Attempt
    fixed: int  # the number that a link asks for, 0 for one's own

    @property
    def over(self) -> bool:
        """Whether it was answered rightly or told."""
        return bool(self.attempt.ended)

    def text(self, part: str, **more: object) -> str:
        """One of its texts in the user's language, with its numbers."""
        values = {**self.asked.values, **more}
        shares = {name: percent(value) for name, value in values.items() if isinstance(value, Share)}
        return words(f"quiz_{self.name}.{part}", **values | shares)

    def has(self, part: str) -> bool:
        """Whether it has such a text."""
        return f"quiz_{self.name}.{part}" in all_texts(view.language())

    def option(self, option: str) -> str:
        """Text of an option of a choice."""
        return self.asked.texts[option] if option in self.asked.texts else self.text(f"option_{option}")


def all_offered(current_run: CurrentRun, seed: int) -> dict[str, Instance]:
    """Every question for the model in view; `seed` is the number that a link asks for, 0 for one's own."""
    again = json.loads(noted("quiz_again") or "{}")
    first = seed or own_numbers()
    draws = tuple((name, (first + NEXT * again.get(counted(name, seed), 0)) % LIMIT) for name in QUESTIONS)
    questions = _offered(current_run.entry, current_run.sentence, draws)
    attempt_at = {attempts.key(attempt): attempt for attempt in attempts.attempts()}
    instances = {}
    for name, question in questions.items():
        live = QUESTIONS[name].live
        model, sentence = (current_run.entry.name, current_run.sentence) if live else ("", "")
        attempt = Attempt(name, dict(draws)[name], model, sentence)
        instances[name] = Instance(name, question, attempt_at.get(attempts.key(attempt), attempt), seed)
    return instances


@models.cached
def _offered(entry: catalogue.Entry, sentence: str, draws: tuple[tuple[str, int], ...]) -> dict[str, PosedQuestion]:
    trace, numbers = models.run(entry, sentence).trace, dict(draws)
    return offered(lambda name: QuizMaterial(entry.config, trace, numbers[name]))


def counted(name: str, seed: int) -> str:
    """The key under which a question's new draws are counted. The numbers of a link have a count of their own."""
    return f"{name} {seed}" if seed else name


def own_numbers() -> int:
    """This user's own number, drawn once: a reload asks the same questions."""
    number = str(random.randrange(1, LIMIT))
    note("quiz_own", lambda own: own or number)
    return int(noted("quiz_own") or 1)


def chosen(instances: dict[str, Instance], of_topics: Iterable[str], single: Iterable[str]) -> list[Instance]:
    """Questions to ask: the single ones, else those of the topics, else all."""
    names, asked = set(single), set(of_topics) or set(TOPICS)
    return [
        instance for name, instance in instances.items() if (name in names if names else QUESTIONS[name].topic in asked)
    ]


def of_topic(instances: list[Instance]) -> list[Instance]:
    """Those of the topic that the user chooses in a list, which says how many of each are done; at first all."""
    by_topic = topics({instance.name: instance for instance in instances})
    if len(by_topic) < 2:
        return instances
    done = {instance.name: instance.over for instance in instances}

    def title(text: str, names: Collection[str]) -> str:
        return f"{text} · {sum(done[name] for name in names)}/{len(names)}"

    titles = {"": title(words("quiz.all_topics"), done)}
    titles |= {topic: title(words(f"quiz_topics.{topic}"), names) for topic, names in by_topic.items()}
    topic = controls.select("topic", words("quiz.topic"), titles, "")
    return [instance for instance in instances if not topic or instance.name in by_topic[topic]]
