"""The parts of a score as the figures name them: by layer, or each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.attribution.score_terms import stream_parts, terms
from model.checkpoint import catalogue
from model.features import key_parts
from model.trace import AttentionKind
from pages.shared.models import models
from pages.shared.text.words import words
from pages.shared.ui import controls


@dataclass(frozen=True)
class Entry:
    """A row or a column of the table: parts of one group, or a single part; `group` opens it, if it has several."""

    name: str
    title: str
    parts: tuple[int, ...]
    group: str = ""


@models.cached
def row_of(
    entry: catalogue.Entry, sentence: str, kind: AttentionKind, layer: int, head: int, query: int
) -> terms.ScoreRow:
    values = models.run(entry, sentence).trace.values
    return terms.score_row(models.checkpoint(entry).model, values, kind, layer, head, query)


def entries(setting: str, places: Sequence[stream_parts.Place]) -> list[Entry]:
    """What stands at one side of the table, and the control that opens its layers."""
    groups = terms.groups(places)
    titles = {name: _group_title(name) for name, parts in groups.items() if len(parts) > 1}
    opened = controls.several(setting, words(f"attention_there.{setting}"), titles, ()) if titles else []
    result = []
    for name, parts in groups.items():
        if name in titles and name not in opened:
            result.append(Entry(name, titles[name], tuple(parts), name))
        else:
            result += [Entry(places[at].recorded, part_title(places[at]), (at,)) for at in parts]
    return result


def _group_title(name: str) -> str:
    if name.isdecimal():
        return words("attention_there_part.layer", layer=name)
    return words(f"attention_there_part.{name}")


def part_title(place: stream_parts.Place) -> str:
    """A part as the figures name it."""
    if (feature := key_parts.number(place)) is not None:
        return words("attention_there_part.feature", number=feature)
    numbers = {name: number for name, number in (("layer", place.layer), ("head", place.head)) if number is not None}
    return words(f"attention_there_part.{place.name}", **numbers)


def summed(table: np.ndarray, rows: Sequence[Entry], columns: Sequence[Entry]) -> np.ndarray:
    return np.array([[table[np.ix_(row.parts, column.parts)].sum() for column in columns] for row in rows])
