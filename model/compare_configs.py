"""The configs of two models, field by field. Needs no torch."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from model.config import TransformerConfig

NAMES = tuple(field.name for field in fields(TransformerConfig))
TRAINED = ("steps", "seed", "minutes")  # of a card's training


class Line(NamedTuple):
    """A field and its value in both models, None where one has no such thing."""

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        return self.first != self.second


def config_lines(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Line]:
    """Every field of two configs, those that differ first, each part in the config's own order."""
    lines = [Line(name, one.get(name), other.get(name)) for name in NAMES]
    return sorted(lines, key=lambda line: not line.differs)


def card_lines(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Line]:
    """The number of parameters, and steps and seed of the training, of two cards."""
    found = [Line("parameters", *(card.get("parameters", {}).get("total") for card in (one, other)))]
    for key in TRAINED[:2]:
        found.append(Line(key, *(card.get("training", {}).get(key) for card in (one, other))))
    return [line for line in found if (line.first, line.second) != (None, None)]
