"""What a user calls a topic of training sentences."""

from collections.abc import Mapping
from typing import Any

from pages.shared.text.words import name


def title(card: Mapping[str, Any], topic: str) -> str:
    """The user's word for a topic; each grammar has its own."""
    if card["task"] not in ("translation", "continuation"):
        return name("covers", topic)
    names = {"de": name("topics_de_en", topic), "zh": name("topics_zh_en", topic), "es": name("topics_es_en", topic)}
    return names.get(card.get("source_language", ""), topic)
