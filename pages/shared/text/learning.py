"""The texts of the test before and after a lesson, and sentences about its result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from classroom.learning import export
from classroom.learning.analysis import ASKED, MINIMUM, Gain, Result
from classroom.learning.answers import GROUPS, Row
from classroom.learning.bank import CHOICES, Question, by_id
from model.intervals import Estimate
from pages.shared.session import language_choice
from pages.shared.text.words import section, sentences, words
from viz.numbers import percent, signed


class Item(NamedTuple):
    """A question in the user's language: its text, and the four choices in the order of their numbers."""

    text: str
    choices: tuple[str, ...]


def item(question: Question) -> Item:
    """The texts of a question in the user's language."""
    choices = tuple(words(f"learning_items.{question.id}_{number}") for number in range(CHOICES))
    return Item(words(f"learning_items.{question.id}_text"), choices)


def unknown() -> str:
    """The fifth choice, "I do not know"."""
    return words("learning.unknown")


def result_sentences(result: Result) -> list[str]:
    """What a result says, whether it could be chance, and what it does not show."""
    compared = bool(set(result.sizes) & set(GROUPS[1:]))
    return [
        words("learning_result.counts", count=result.gain.count, started=result.started),
        gain_sentences(result.gain),
        *([_compared(result)] if compared else []),
        words("learning_result.both" if compared else "learning_result.alone"),
        words("learning_result.limits", asked=ASKED),
    ]


def gain_sentences(gain: Gain) -> str:
    """The gain of everybody or of a group, and whether it could be chance."""
    means = words(
        "learning_result.means", before=f"{gain.before:.1f}", after=f"{gain.after:.1f}", asked=ASKED,
        gain=signed(gain.gain.mean, 1), **_ends(gain.gain),
    )  # fmt: skip
    verdict = "open" if not gain.gain.is_certain else "up" if gain.gain.mean > 0 else "down"
    return sentences(means, words(f"learning_result.{verdict}"), _normalised(gain.normalised))


def _normalised(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    low, high = percent(estimate.low), percent(estimate.high)
    return words("learning_result.normalised", share=percent(estimate.mean), low=low, high=high)


def _ends(estimate: Estimate) -> dict[str, str]:
    return {"low": signed(estimate.low, 1), "high": signed(estimate.high, 1)}


def _compared(result: Result) -> str:
    if result.difference is None:
        sizes = {group: result.sizes.get(group, 0) for group in GROUPS[1:]}
        return words("learning_result.few", minimum=MINIMUM, **sizes)
    difference = signed(result.difference.mean, 1)
    verdict = "difference_certain" if result.difference.is_certain else "difference_open"
    return sentences(
        words("learning_result.difference", difference=difference, **_ends(result.difference)),
        words(f"learning_result.{verdict}"),
    )


Named = tuple[str, Estimate]


def gain_chart(result: Result) -> tuple[list[Named], dict[str, str]]:
    """The gains to draw, everyone's first, by name, and the texts of their chart."""
    texts = section("class_test_chart")
    gains = {"everyone": result.gain, **result.groups}
    rows = [(texts["group"].format(group=texts[name], count=gain.count), gain.gain) for name, gain in gains.items()]
    said = [texts["said_gain"].format(group=group, gain=signed(gain.mean, 1), **_ends(gain)) for group, gain in rows]
    texts |= {"gain": texts["gain"].format(asked=ASKED)}
    return rows, texts | {"gain_description": sentences(texts["gain_description"].format(asked=ASKED), *said)}


def topics_chart(result: Result) -> tuple[list[tuple[str, Estimate, Estimate]], dict[str, str]]:
    """The shares right to draw, topic by topic, and the texts of their chart."""
    texts = section("class_test_chart")
    rows = [(words(f"learning_topic.{each.topic}"), each.before, each.after) for each in result.topics]
    said = [
        texts["said_topic"].format(topic=topic, before=percent(before.mean), after=percent(after.mean))
        for topic, before, after in rows
    ]
    return rows, texts | {"topics_description": sentences(texts["topics_description"], *said)}


def question_rows(result: Result) -> list[dict[str, str]]:
    """The table of the questions, one row each, by column titles in the user's language."""
    titles = section("learning_questions")
    return [
        {
            titles["topic"]: words(f"learning_topic.{by_id()[each.question].topic}"),
            titles["form"]: by_id()[each.question].form,
            titles["before"]: _share(each.before, each.counts[0]),
            titles["after"]: _share(each.after, each.counts[1]),
            titles["unknown"]: percent(each.unknown),
            titles["discrimination"]: "–" if each.discrimination is None else signed(each.discrimination),
            titles["remark"]: sentences(*(titles[flag] for flag in each.flags)),
        }
        for each in result.questions
    ]


def _share(estimate: Estimate | None, count: int) -> str:
    if estimate is None:
        return "–"
    low, high = percent(estimate.low), percent(estimate.high)
    return words("learning_questions.share", share=percent(estimate.mean), count=count, low=low, high=high)


def files(rows: Sequence[Row]) -> dict[str, bytes]:
    """The files for a teacher by name: raw answers, codebook in all languages, and the notebook."""
    meanings = {of: section("learning_items", of) | section("learning_codebook", of) for of in language_choice.names()}
    return {
        "answers.csv": export.answers_csv(rows),
        "codebook.csv": export.codebook_csv(meanings),
        "analysis.ipynb": export.notebook(section("learning_notebook")),
    }
