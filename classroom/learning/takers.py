"""Somebody who takes the test before and after a lesson: which questions they get, and what they chose."""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from classroom.learning.bank import FORMS, TOPICS, other

KINDS = {"all": ("all",), "two": ("touch", "picture")}  # groups by kind of test: everybody the same, or two versions
STEP, LONGEST = 5, 600  # seconds: times are rounded to these; beyond, nobody was answering
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # of ids; without 1, l and 0, o
_random = random.SystemRandom()


@dataclass(frozen=True)
class Taker:
    """One who takes the test: id, group, the form before the lesson, and the choices so far."""

    id: str
    group: str
    first_form: str
    choices: dict[str, dict[str, int]] = field(default_factory=dict)  # phase -> question -> choice

    def form(self, phase: str) -> str:
        """The form of the questions "before" or "after": never the same twice."""
        return self.first_form if phase == "before" else other(self.first_form)

    def has_finished(self, phase: str) -> bool:
        """Whether every question of this phase is answered."""
        return len(self.choices.get(phase, {})) == len(TOPICS)


def drawn(kind: str, others: Iterable[tuple[str, str]]) -> Taker:
    """Draw a new taker: a group and a first form, at random among those that fewest `others` have."""
    pairs = list(others)
    group = _rarest(KINDS[kind], [group for group, _ in pairs])
    return Taker(_new_id(), group, _rarest(FORMS, [form for each, form in pairs if each == group]))


def rounded(seconds: float) -> int:
    """Seconds as they are kept: too coarse to tell who it was."""
    return STEP * round(min(max(seconds, 0), LONGEST) / STEP)


def _rarest(options: Sequence[str], drawn: Sequence[str]) -> str:
    fewest = min(drawn.count(option) for option in options)
    return _random.choice([option for option in options if drawn.count(option) == fewest])


def _new_id() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(12))
