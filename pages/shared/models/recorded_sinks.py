"""The special token whose share falls most from weights to norms, as `python -m model sinks` recorded it."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from model.checkpoint import catalogue
from model.intervals import Estimate
from model.trace import AttentionKind

FILE = "sinks.json"


class Sink(NamedTuple):
    """Means over the rows of so many sentences; `random` is the largest fall of the same model with random weights."""

    sentences: int
    token: str
    layer: int
    head: int
    weight: float
    norm: float
    fall: Estimate
    random: float


def largest(entry: catalogue.Entry, kind: AttentionKind) -> Sink | None:
    """The largest fall of any head in a kind of attention; None where nothing was measured."""
    if isinstance(entry, catalogue.Untrained):
        return None
    try:
        return _largest(json.loads((entry.folder / FILE).read_text(encoding="utf-8")), kind)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return None


def _largest(content: dict[str, Any], kind: str) -> Sink:
    own, random = (
        {key.removeprefix(f"{kind}."): row for key, row in content[table].items() if key.startswith(f"{kind}.")}
        for table in ("largest_fall", "random_largest_fall")
    )
    token, row = max(own.items(), key=lambda each: each[1]["fall"][0])
    most = max(float(each["fall"][0]) for each in random.values())
    place = int(row["layer"]), int(row["head"])
    means = float(row["weight"][0]), float(row["norm"][0])
    return Sink(int(content["sentences"]), token, *place, *means, Estimate(*map(float, row["fall"])), most)
