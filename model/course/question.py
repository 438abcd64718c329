"""A question of the course: options, of which the model says which is right, and what fills the texts of its step."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Question:
    """The options as shown, the index of the right one, and what fills the texts of the step."""

    options: tuple[str, ...]
    right: int
    values: Mapping[str, object] = field(default_factory=dict)
    why: str = "why"  # the text that explains the answer


def among(right: str, wrong: Sequence[str], **values: object) -> Question:
    """A question with the right option and up to three others, shuffled in the same order for the same options."""
    options = [right, *[option for option in dict.fromkeys(wrong) if option != right][:3]]
    random.Random("|".join(options)).shuffle(options)
    return Question(tuple(options), options.index(right), values)


def in_order(options: Sequence[str], right: int, **values: object) -> Question:
    """A question whose options keep their order: up to four, the right one among them."""
    first = max(0, min(right - 1, len(options) - 4))
    return Question(tuple(options[first : first + 4]), right - first, values)
