"""The configs of two models, field by field. Needs no torch."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from model.config import TransformerConfig

TRAINED = ("steps", "seed")  # of a card's training


class Line(NamedTuple):
    """A field and its value in both models, None where one has no such thing."""

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        return self.first != self.second


def config_lines(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Line]:
    """Every field of two configs, those that differ first, each part in the config's own order.

    A field that is left out has its default.
    """
    first, second = (asdict(TransformerConfig(**config)) for config in (one, other))
    lines = [Line(name, first[name], second[name]) for name in first]
    return sorted(lines, key=lambda line: not line.differs)


def card_lines(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Line]:
    """The number of parameters, and steps and seed of the training, of two cards."""
    found = [Line("parameters", *(card.get("parameters", {}).get("total") for card in (one, other)))]
    for key in TRAINED:
        found.append(Line(key, *(card.get("training", {}).get(key) for card in (one, other))))
    return [line for line in found if (line.first, line.second) != (None, None)]
