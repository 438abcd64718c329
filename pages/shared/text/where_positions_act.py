"""Explanation of a model's positions, where it adds none to its embeddings."""

from model.config import TransformerConfig
from pages.shared.text.words import words

IN_ATTENTION = ("relative", "rotary", "alibi")  # values of the config's `position` that act in self-attention


def where(config: TransformerConfig, none: str) -> str:
    """Where positions act instead, a sentence; `none` of a model that has no positions at all."""
    return words(f"positions_in_attention.{config.position}") if config.position in IN_ATTENTION else none
