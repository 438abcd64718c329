"""Simulated classes: points of their members before and after a lesson, or every answer."""

import numpy as np

from classroom.learning.answers import Row
from classroom.learning.bank import CHOICES, forms, other

EASE = 0.5  # logits by which form B is easier


def knowledge(rng: np.random.Generator, size: int, effect: float) -> tuple[np.ndarray, np.ndarray]:
    """Logits of a right answer before and after: both vary from person to person, and the effect adds to the second."""
    before = rng.normal(-0.3, 0.8, size)
    return before, before + effect + rng.normal(0, 0.3, size)


def points(
    rng: np.random.Generator, size: int, effect: float = 0.0, touch: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Points before and after, order and group of a class (N). `touch` is the effect that only this group has."""
    order = np.where(np.arange(size) % 2, -1.0, 1.0)
    groups = np.where(np.arange(size) // 2 % 2, "picture", "touch")
    before, after = knowledge(rng, size, effect)
    after = after + touch * (groups == "touch")

    def right(logits: np.ndarray) -> np.ndarray:
        return rng.binomial(6, 1 / (1 + np.exp(-logits))).astype(float)

    return right(before - order * EASE / 2), right(after + order * EASE / 2), order, groups.astype(object)


def answers(rng: np.random.Generator, size: int, effect: float = 0.0, groups: tuple[str, ...] = ("all",)) -> list[Row]:
    """Every answer of a class, with "I do not know" among the wrong ones."""
    rows = []
    for who, (before, after) in enumerate(zip(*knowledge(rng, size, effect), strict=True)):
        first = "AB"[who % 2]
        group = groups[who // 2 % len(groups)]
        for phase, form, logit in (("before", first, before), ("after", other(first), after)):
            for question in forms()[form]:
                right = bool(rng.random() < 1 / (1 + np.exp(-logit)))
                wrong = [-1, *(choice for choice in range(CHOICES) if choice != question.right)]
                choice = question.right if right else int(rng.choice(wrong))
                seconds = float(rng.integers(1, 13) * 5)
                rows.append(Row(f"p{who:03}", group, phase, form, question.id, choice, int(right), seconds))
    return rows
