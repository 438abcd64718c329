"""The texts of the test before and after a lesson, and sentences about its result."""

from __future__ import annotations

from typing import NamedTuple

from classroom.learning.bank import CHOICES, Question
from pages.shared.text.words import words


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
