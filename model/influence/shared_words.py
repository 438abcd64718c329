"""Training pairs by what they share with a source and a word of its output, each shared word by its rarity."""

from __future__ import annotations

from math import log

import numpy as np

from corpora.text_index import TextIndex

# what a near pair without the word counts for one with it, below 0; of 0 to 0.5 the best on validation sentences
AGAINST = -0.1


class SharedWords:
    """The N pairs of an index by the words of both sides."""

    def __init__(self, index: TextIndex):
        self.index = index
        self._targets: dict[str, list[int]] = {}
        for number, pair in enumerate(index.pairs):
            for word in dict.fromkeys(index.words(pair.target)):
                self._targets.setdefault(word, []).append(number)
        squares = np.zeros(len(index.pairs))
        for word in index.vocabulary:
            squares[index.holding(word)] += self._rarity(word) ** 2
        self._lengths = np.sqrt(squares)

    def _rarity(self, word: str) -> float:
        """The logarithm of how many pairs there are for each that has the word in its source."""
        return log(len(self.index.pairs) / max(1, len(self.index.holding(word))))

    def nearness(self, source: str) -> np.ndarray:
        """The cosine of a source with each training source, each a vector of the rarities of its words: (N)."""
        words = set(self.index.words(source))
        products = np.zeros(len(self.index.pairs))
        for word in words:
            products[self.index.holding(word)] += self._rarity(word) ** 2
        length = np.sqrt(sum(self._rarity(word) ** 2 for word in words))
        return products / np.maximum(length * self._lengths, 1e-12)

    def teaches(self, word: str) -> np.ndarray:
        """1 for each pair whose target has the word, `AGAINST` for the others: (N)."""
        signs = np.full(len(self.index.pairs), AGAINST)
        signs[self._targets.get(word.casefold(), [])] = 1.0
        return signs

    def scores(self, source: str, word: str) -> np.ndarray:
        """How much each pair speaks for the word: near ones with it most, near ones without it a bit against."""
        return self.nearness(source) * self.teaches(word)
