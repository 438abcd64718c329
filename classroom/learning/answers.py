"""The answers to the tests of a class: one row for each question that somebody answered."""

from __future__ import annotations

from typing import NamedTuple

PHASES = ("before", "after")
GROUPS = ("all", "touch", "picture")  # everybody the same; a figure that reacts; the same figure as a picture


class Row(NamedTuple):
    """An answer. `choice` is 0 to 3, or -1 for "I do not know"; `right` 0 or 1."""

    participant: str  # a random id; no name
    group: str
    phase: str
    form: str
    question: str
    choice: int
    right: int
    seconds: float


COLUMNS = Row._fields
