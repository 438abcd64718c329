"""The configs of two models, field by field. Needs no torch."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from model.config import TransformerConfig

TRAINED = ("steps", "seed")  # of a card's training


class Line(NamedTuple):
    """A field and its value in both models; None where a model lacks it."""

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        return self.first != self.second


def config_lines(first_config: TransformerConfig, second_config: TransformerConfig) -> list[Line]:
    """Every field of two configs: first those that differ, then the others, both in the config's order."""
    first, second = (asdict(config) for config in (first_config, second_config))
    lines = [Line(name, first[name], second[name]) for name in first]
    return sorted(lines, key=lambda line: not line.differs)


def card_lines(first_card: Mapping[str, Any], second_card: Mapping[str, Any]) -> list[Line]:
    """The number of parameters, and steps and seed of the training, of two cards."""
    lines = [Line("parameters", *(card.get("parameters", {}).get("total") for card in (first_card, second_card)))]
    for key in TRAINED:
        lines.append(Line(key, *(card.get("training", {}).get(key) for card in (first_card, second_card))))
    return [line for line in lines if (line.first, line.second) != (None, None)]
