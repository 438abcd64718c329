"""An index of training sentences: which hold a word, what stands beside it, and which are nearest to a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from corpora.pairs import Pair

_WORD = re.compile(r"[一-鿿]|(?:(?![一-鿿])\w)+(?:['’-](?:(?![一-鿿])\w)+)*")  # a Chinese character is a word


class Seen(NamedTuple):
    """How often a word was seen, in how many sentences, and the commonest words before and behind it."""

    word: str
    sentences: int
    before: tuple[tuple[str, int], ...]
    behind: tuple[tuple[str, int], ...]


class Near(NamedTuple):
    """A training pair, and the longest sequence of words that it shares with a sentence."""

    pair: Pair
    shared: tuple[str, ...]


class TextIndex:
    """The sources of training pairs by their words and pairs of neighbouring words; case makes no difference.

    With `spells` every character is a word.
    """

    def __init__(self, pairs: Sequence[Pair], *, spells: bool = False):
        self.pairs, self.spells = pairs, spells
        self._words: dict[str, list[int]] = {}  # sentences that hold a word, in order
        self._neighbours: dict[tuple[str, str], list[int]] = {}
        for number, pair in enumerate(pairs):
            words = self.words(pair.source)
            for word in dict.fromkeys(words):
                self._words.setdefault(word, []).append(number)
            for both in pairwise(words):
                self._neighbours.setdefault(both, []).append(number)

    @property
    def vocabulary(self) -> Iterable[str]:
        """Every word of the sentences."""
        return self._words

    def holding(self, word: str) -> Sequence[int]:
        """The numbers of the sentences that hold a word of `words`."""
        return self._words.get(word, ())

    def words(self, text: str) -> list[str]:
        """The words of a text in order, in small letters, without punctuation."""
        return list(text.casefold()) if self.spells else _WORD.findall(text.casefold())

    def seen(self, word: str, most: int = 3) -> Seen:
        """What was seen of a word of `words`, with so many neighbours on each side."""
        before, behind = Counter[str](), Counter[str]()
        for (left, right), numbers in self._neighbours.items():
            if right == word:
                before[left] += len(numbers)
            if left == word:
                behind[right] += len(numbers)
        return Seen(word, len(self._words.get(word, ())), *(tuple(each.most_common(most)) for each in (before, behind)))

    def never_together(self, text: str) -> list[tuple[str, str]]:
        """The pairs of neighbouring words of a text that stand beside each other in no sentence."""
        return [both for both in dict.fromkeys(pairwise(self.words(text))) if both not in self._neighbours]

    def holding_all(self, query: str) -> set[int]:
        """The numbers of the sources that hold all words of a query; none for a query without a word."""
        holding = [set(self.holding(word)) for word in set(self.words(query))]
        return set.intersection(*holding) if holding else set()

    def nearest(self, text: str, most: int = 10) -> list[Near]:
        """The pairs with the longest shared sequence of words, then the most shared words, then the shortest."""
        words = self.words(text)
        holding = [self._neighbours.get(both, []) for both in pairwise(words)]
        numbers = set().union(*(holding if any(holding) else (self._words.get(word, []) for word in words)))
        rows = []
        for number in self.shortest_first(numbers):
            own = self.words(self.pairs[number].source)
            shared = _longest_shared(words, own)
            rows.append((-len(shared), -len(set(words) & set(own)), Near(self.pairs[number], shared)))
        return [row[2] for row in sorted(rows, key=lambda row: row[:2])[:most]]

    def shortest_first(self, numbers: Iterable[int]) -> list[int]:
        """The numbers of sources in order of their length."""
        return sorted(numbers, key=lambda number: (len(self.pairs[number].source), number))


def _longest_shared(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """The longest sequence of words that stands in both, the first one of several."""
    best, end = 0, 0
    row = [0] * (len(second) + 1)  # of each place of the second, how long the sequence is that ends there
    for at, word in enumerate(first, 1):
        row = [0, *(row[place] + 1 if word == other else 0 for place, other in enumerate(second))]
        if max(row) > best:
            best, end = max(row), at
    return tuple(first[end - best : end])
