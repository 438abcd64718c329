"""An index of training sentences: which hold a word, what stands beside it, and which are nearest to a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

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
    """The words of the sources of N training pairs; case makes no difference.

    With `spells` every character is a word. They stand in one array, so that a question takes a pass over it, and
    keeping the index or handing it to another process costs little.
    """

    def __init__(self, pairs: Sequence[Pair], *, spells: bool = False):
        self.pairs, self.spells = pairs, spells
        self._ids: dict[str, int] = {}
        row = [0]  # the words of all sentences by number, with 0 before and behind each sentence
        for pair in pairs:
            row += [self._ids.setdefault(word, len(self._ids) + 1) for word in self.words(pair.source)]
            row.append(0)
        self._row = np.array(row)
        self._ends = np.flatnonzero(self._row == 0)  # (N + 1)
        self._of = np.cumsum(self._row == 0) - 1  # the sentence of each word
        is_word = self._row > 0
        keys = np.unique(self._row[is_word] * len(pairs) + self._of[is_word])
        self._word_of, self._holding = np.divmod(keys, max(1, len(pairs)))  # by word, the sentences that hold it

    @property
    def vocabulary(self) -> Iterable[str]:
        """Every word of the sentences."""
        return self._ids

    def holding(self, word: str) -> np.ndarray:
        """The numbers of the sentences that hold a word of `words`, in order."""
        id_ = self._ids.get(word, 0)
        return self._holding[slice(*np.searchsorted(self._word_of, (id_, id_ + 1)))]

    def words(self, text: str) -> list[str]:
        """The words of a text in order, in small letters, without punctuation."""
        return list(text.casefold()) if self.spells else _WORD.findall(text.casefold())

    def seen(self, word: str, most: int = 3) -> Seen:
        """What was seen of a word of `words`, with so many neighbours on each side."""
        places = np.flatnonzero(self._row == self._ids.get(word, -1))
        before, behind = (self._commonest(self._row[places + step], most) for step in (-1, 1))
        return Seen(word, len(self.holding(word)), before, behind)

    def _commonest(self, ids: np.ndarray, most: int) -> tuple[tuple[str, int], ...]:
        words = list(self._ids)
        return tuple((words[id_ - 1], count) for id_, count in Counter(ids[ids > 0].tolist()).most_common(most))

    def never_together(self, text: str) -> list[tuple[str, str]]:
        """The pairs of neighbouring words of a text that stand beside each other in no sentence."""
        return [both for both in dict.fromkeys(pairwise(self.words(text))) if self._longest(both).max(initial=0) < 2]

    def holding_all(self, query: str) -> set[int]:
        """The numbers of the sources that hold all words of a query; none for a query without a word."""
        holding = [set(self.holding(word).tolist()) for word in set(self.words(query))]
        return set.intersection(*holding) if holding else set()

    def nearest(self, text: str, most: int = 10) -> list[Near]:
        """The pairs with the longest shared sequence of words, then the most shared words, then the shortest.

        Those that share one word alone count only where none shares two neighbouring ones.
        """
        words = self.words(text)
        longest, common = self._longest(words), np.zeros(len(self.pairs), dtype=int)
        for word in set(words):
            common[self.holding(word)] += 1
        near = np.flatnonzero(longest >= max(1, min(2, longest.max(initial=0))))
        shortest = np.array(self.shortest_first(near.tolist()), dtype=int)
        first = shortest[np.lexsort((-common[shortest], -longest[shortest]))][:most].tolist()
        pairs = [self.pairs[number] for number in first]
        return [Near(pair, _longest_shared(words, self.words(pair.source))) for pair in pairs]

    def _longest(self, words: Sequence[str]) -> np.ndarray:
        """How long the longest sequence is that each sentence shares with these words, (N)."""
        ending = np.zeros(len(self._row), dtype=int)  # the length of the one that ends at each place
        longest = ending.copy()
        for word in words:
            ending[1:] = np.where(self._row[1:] == self._ids.get(word, -1), ending[:-1] + 1, 0)
            np.maximum(longest, ending, out=longest)
        return np.maximum.reduceat(longest, self._ends[:-1]) if self.pairs else longest[:0]

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
