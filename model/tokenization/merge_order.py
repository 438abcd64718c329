"""The merges that cut a word, in the order of a trained tokenizer."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import tokenizers

from model.tokenization.byte_pairs import Pair, Pieces, merged
from model.tokenization.tokenizer import SPECIALS, UNK


@dataclass(frozen=True)
class Step:
    """A merge that the word allows: its rank among all merges, from 1, and the pieces of the word after it."""

    rank: int
    pair: Pair
    pieces: Pieces


@dataclass(frozen=True)
class Cut:
    """The way of a word to its pieces.

    start    its characters
    steps    the merges that are applied, the one that was learnt first at the beginning
    absent   neighbours at the end: no merge joins them, so the word stays cut there
    merges   how many merges the tokenizer has
    """

    start: Pieces
    steps: tuple[Step, ...]
    absent: tuple[Pair, ...]
    merges: int

    @property
    def pieces(self) -> Pieces:
        return self.steps[-1].pieces if self.steps else self.start


class MergeOrder:
    """The merges of a tokenizer by their rank. Cutting a word is exact: `cut` compares it with the tokenizer's own."""

    def __init__(self, inner: tokenizers.Tokenizer):
        described: dict[str, Any] = json.loads(inner.to_str())["model"]
        self._inner = inner
        self._ranks = {tuple(pair): rank for rank, pair in enumerate(described.get("merges") or (), start=1)}
        self.kind: str = described["type"]  # BPE, Unigram, WordPiece or WordLevel

    def cut(self, word: str) -> Cut | None:
        """The way of a word; None where the tokenizer has no merges, or applies them in a way of its own."""
        if not self._ranks:
            return None
        words = tuple(map(tuple, self._words(word)))
        start, steps = words, []
        while ranks := [self._ranks[pair] for pair in _neighbours(words) if pair in self._ranks]:
            rank = min(ranks)
            pair = next(pair for pair in _neighbours(words) if self._ranks.get(pair) == rank)
            words = tuple(merged(pieces, pair) for pieces in words)
            steps.append(Step(rank, pair, _flat(words)))
        result = Cut(_flat(start), tuple(steps), tuple(_neighbours(words)), len(self._ranks))
        return result if self._agrees(word, result.pieces) else None

    def _words(self, text: str) -> list[str]:
        """Parts of the text that no merge crosses."""
        spelled = self._inner.normalizer.normalize_str(text) if self._inner.normalizer else text
        if not self._inner.pre_tokenizer:
            return [spelled]
        return [word for word, _ in self._inner.pre_tokenizer.pre_tokenize_str(spelled)]

    def _agrees(self, word: str, pieces: Pieces) -> bool:
        """Whether the tokenizer cuts the word into these pieces, too; what it does not know has another name there."""
        tokens = self._inner.encode(word, add_special_tokens=False).tokens
        unknown = SPECIALS[UNK]
        return len(tokens) == len(pieces) and all(a in (b, unknown) for a, b in zip(tokens, pieces, strict=True))


def _neighbours(words: tuple[Pieces, ...]) -> list[Pair]:
    return list(chain.from_iterable(map(pairwise, words)))


def _flat(words: tuple[Pieces, ...]) -> Pieces:
    return tuple(chain.from_iterable(words))
