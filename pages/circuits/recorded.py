"""Measurements recorded beside a checkpoint by a command: how heads align words, and the score without some of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.checkpoint import catalogue
from model.intervals import Estimate
from pages.shared.text.words import words
from pages.shared.ui import folder_command

ROWS = ("written", "read")
Effects = Mapping[str, Estimate]


@dataclass(frozen=True)
class Alignment:
    """AER by row and head (`cross.1.0`, `cross.1.mean`); `random` by row: random models, and the best of their heads.

    alike  of words spelled alike in both languages: the share that a head joins rightly, by row
    """

    counts: Mapping[str, int]
    rates: Mapping[str, Effects]
    random: Mapping[str, tuple[Estimate, float]]
    diagonal: Estimate
    alike: Mapping[str, Effects]


@dataclass(frozen=True)
class Removal:
    """chrF by the number of removed heads, by effect and in random order; and without each kind of attention.

    sets  the test sets, and how many sentences of each
    """

    counts: Mapping[str, int]
    sets: Mapping[str, int]
    order: tuple[str, ...]
    score: Mapping[int, Estimate]
    random: Mapping[int, Estimate]
    kinds: Effects


def alignment(entry: catalogue.Entry) -> Alignment | None:
    """What `python -m model alignment` recorded; None if nothing, or not all of it."""
    return _of(entry, "alignment.json", _alignment)


def removal(entry: catalogue.Entry) -> Removal | None:
    """What `python -m model removal` recorded; None if nothing, or not all of it."""
    return _of(entry, "removal.json", _removal)


def _of(entry: catalogue.Entry, file: str, read: Any) -> Any:
    if isinstance(entry, catalogue.Untrained):
        return None
    try:
        return read(json.loads((entry.folder / file).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _alignment(content: dict[str, Any]) -> Alignment:
    counts = {key: int(content[key]) for key in ("seed", "sentences", "words", "sure", "possible", "alike")}
    random = {row: (Estimate(*content["random"][row]["mean"]), float(content["random"][row]["best"])) for row in ROWS}
    alike = {row: _effects(content[f"alike_{row}"]) for row in ROWS} if counts["alike"] else {}
    rates = {row: _effects(content[row]) for row in ROWS}
    return Alignment(
        counts | {"models": int(content["random"]["models"])},
        rates,
        random,
        Estimate(*content["diagonal"]),
        alike,
    )


def _removal(content: dict[str, Any]) -> Removal:
    counts = {key: int(content[key]) for key in ("seed", "sentences", "ordered_on", "orders")}
    score, random = (
        {int(count): Estimate(*each) for count, each in content[key].items()} for key in ("score", "random")
    )
    sets = {str(name): int(count) for name, count in content["sets"].items()}
    return Removal(counts, sets, tuple(map(str, content["order"])), score, random, _effects(content["kinds"]))


def _effects(table: dict[str, list[float]]) -> Effects:
    return {name: Estimate(*map(float, values)) for name, values in table.items()}


def say_command(command: str, entry: catalogue.Entry) -> None:
    """Say which command records the measurement, or that this model cannot have one."""
    texts = words("circuits.not_recorded"), words("circuits.not_recorded_own")
    folder_command.say(entry, texts[0], f"{command} {entry.name} --save", texts[1])
