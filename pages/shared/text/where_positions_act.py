"""Explanation of a model's positions, where it adds none to its embeddings."""

from collections.abc import Mapping
from typing import Any

from pages.shared.text.words import words

IN_ATTENTION = ("relative", "rotary", "alibi")  # values of the config's `position` that act in self-attention


def where(config: Mapping[str, Any], none: str) -> str:
    """Where positions act instead, a sentence; `none` of a model that has no positions at all."""
    position = config["position"]
    return words(f"positions_in_attention.{position}") if position in IN_ATTENTION else none
