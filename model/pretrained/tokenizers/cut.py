"""How an imported model cuts texts, with the original's own ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import tokenizers

MASKS = ("[MASK]", "<mask>")  # special pieces that are typed; all others are text when they are typed


class Pair(NamedTuple):
    """Original ids around and between two texts that are read as one; whether the second has a segment of its own."""

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    segments: bool


@dataclass(frozen=True)
class Cut:
    """How texts are cut: the tokenizer, another one for targets, and each piece by its original id."""

    inner: tokenizers.Tokenizer
    target: tokenizers.Tokenizer | None
    names: dict[int, str]
    before: tuple[int, ...]  # original ids around a sentence
    after: tuple[int, ...]
    special: frozenset[int]  # original ids that are no text
    unknown: int | None
    mask: int | None
    languages: tuple[int, ...] = ()  # original ids that name a language, of a model that is told which to write
    pair: Pair | None = None
