"""Which misconceptions a person or a class has, from their answers to predictions.

An answer is a sign of a misconception where the question offers its answer; it shows it or not. A person has it if they
chose that answer more often than chance does: the tail of a sum of independent Bernoulli variables, at `ALPHA` for all
misconceptions together (Bonferroni). A class has it if its wrong answers fall on that answer more often than evenly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from model.predict.grading import answers
from model.predict.misconceptions import MISCONCEPTIONS

Content = Mapping[str, Any]
ALPHA = 0.05
LEAST = 0.25  # the chance to choose an answer at random that is assumed at least, whatever the number of options
HALF = 0.5  # a person shows it in at least so many of their answers
PART = 0.2  # a class in at least so many


class Sign(NamedTuple):
    """An answer to a question that offers the answer of a misconception.

    shown      whether that answer was chosen
    wrong      whether the answer is wrong
    chance     of choosing it at random among all answers
    if_wrong   the same among the wrong ones
    """

    shown: bool
    wrong: bool
    chance: float
    if_wrong: float


def signs(given: Iterable[tuple[Content, str, bool]]) -> dict[str, list[Sign]]:
    """The signs of each misconception in answers: a question, the answer, and whether it is right."""
    found: dict[str, list[Sign]] = {}
    for question, answer, right in given:
        shows, count = question["shows"], len(answers(question))
        for name in dict.fromkeys(shows.values()):
            those = sum(each == name for each in shows.values())
            chances = (max(LEAST, those / count), max(LEAST, min(those / (count - 1), 1)))
            found.setdefault(name, []).append(Sign(shows.get(answer) == name, not right, *chances))
    return found


def named(given: Iterable[tuple[Content, str, bool]]) -> list[str]:
    """The misconceptions of one person, in the order of `MISCONCEPTIONS`; four answers are the fewest that show one."""
    found = signs(given)
    return [name for name in MISCONCEPTIONS if name in found and _has(found[name])]


def _has(found: Sequence[Sign]) -> bool:
    shown = sum(sign.shown for sign in found)
    return shown >= HALF * len(found) and _tail(shown, [sign.chance for sign in found]) <= _LEVEL


class Finding(NamedTuple):
    """Of a class: how many answers could show a misconception, how many did, and whether the class has it."""

    name: str
    answers: int
    shown: int
    has: bool


def of_class(given: Iterable[tuple[Content, str, bool]]) -> list[Finding]:
    """Each misconception that the answers of a whole class could show, the most frequent first."""
    found = []
    for name, each in signs(given).items():
        shown, wrong = sum(sign.shown for sign in each), [sign.if_wrong for sign in each if sign.wrong]
        has = shown >= PART * len(each) and _tail(shown, wrong) <= _LEVEL
        found.append(Finding(name, len(each), shown, has))
    return sorted(found, key=lambda finding: (-finding.shown / finding.answers, finding.name))


_LEVEL = ALPHA / len(MISCONCEPTIONS)


def _tail(hits: int, chances: Sequence[float]) -> float:
    """The probability of at least `hits` successes in independent trials with these chances, by convolution."""
    distribution = np.ones(1)
    for chance in chances:
        distribution = np.convolve(distribution, (1 - chance, chance))
    return float(distribution[hits:].sum())
