"""Where each feature of a dictionary is active in sentences: strongest, weakest and random examples.

N tokens of all sentences, F features, K active at most. Numbers are those of the stored sentences, so examples need no
pass of the model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from model.features.dictionary import Dictionary
from model.features.sites import Vectors

CHUNK = 4096  # vectors that are encoded at once


@dataclass(frozen=True)
class Example:
    """A token at which a feature is active: the number of its sentence, its row in it, and the strength."""

    sentence: int
    row: int
    strength: float


@dataclass(frozen=True, eq=False)
class Activations:
    """The active features of every token of sentences.

    sentences      their texts
    tokens         of each sentence the tokens that the site has rows for, as a user sees them
    sentence, row  (N) of which sentence each token is, and its row
    ids            (N) the token's id
    features       (N, K) the numbers of the active features, strongest first
    strengths      (N, K) ≥ 0; 0 where fewer than K are active
    count          F
    """

    sentences: tuple[str, ...]
    tokens: tuple[tuple[str, ...], ...]
    sentence: np.ndarray
    row: np.ndarray
    ids: np.ndarray
    features: np.ndarray
    strengths: np.ndarray
    count: int

    def of(self, feature: int) -> np.ndarray:
        """The strength of a feature at every token, (N); 0 where it is not active."""
        return np.where(self.features == feature, self.strengths, 0).sum(axis=1, dtype=np.float32)

    def share(self) -> np.ndarray:
        """The share of the tokens at which each feature is active, (F)."""
        counts = np.bincount(self.features[self.strengths > 0].ravel(), minlength=self.count)
        return counts / max(1, len(self.features))

    def maxima(self) -> np.ndarray:
        """The largest strength of each feature, (F)."""
        result = np.zeros(self.count, np.float32)
        np.maximum.at(result, self.features.ravel(), self.strengths.ravel().astype(np.float32))
        return result

    def first(self, limit: int) -> Activations:
        """The first sentences that have at most so many tokens together."""
        counts = np.cumsum([len(each) for each in self.tokens])
        kept = int((counts <= limit).sum())
        rows = self.sentence < kept
        names = ("sentence", "row", "ids", "features", "strengths")
        arrays: dict[str, Any] = {name: getattr(self, name)[rows] for name in names}
        return replace(self, sentences=self.sentences[:kept], tokens=self.tokens[:kept], **arrays)

    def strongest(self, feature: int, count: int = 8) -> list[Example]:
        """The sentences in which the feature is strongest, each at its strongest token; those of lower number first
        where two are equal. Fewer if it is active in fewer."""
        return self._ordered(feature, count, descending=True)

    def weakest(self, feature: int, count: int = 4) -> list[Example]:
        """The sentences in which it is active, and at its strongest token weakest."""
        return self._ordered(feature, count, descending=False)

    def drawn(self, feature: int, count: int = 4, seed: int = 0) -> list[Example]:
        """Tokens drawn at random from all at which it is active, in the order in which they stand."""
        strengths = self.of(feature)
        places = np.flatnonzero(strengths)
        chosen = np.sort(np.random.default_rng(seed).permutation(places)[:count])
        return [self._example(int(place), strengths) for place in chosen]

    def _ordered(self, feature: int, count: int, *, descending: bool) -> list[Example]:
        strengths = self.of(feature)
        places = np.flatnonzero(strengths)
        order = places[np.argsort(-strengths[places], kind="stable")]
        _, first = np.unique(self.sentence[order], return_index=True)
        best = order[np.sort(first)]  # of each sentence the strongest token, strongest sentence first
        best = best if descending else best[::-1]
        return [self._example(int(place), strengths) for place in best[:count]]

    def _example(self, place: int, strengths: np.ndarray) -> Example:
        return Example(int(self.sentence[place]), int(self.row[place]), float(strengths[place]))


def activations(dictionary: Dictionary, given: Vectors, tokens: tuple[tuple[str, ...], ...], side: str) -> Activations:
    """The features that are active in vectors of sentences, whose tokens are given, in half precision."""
    with torch.inference_mode():
        parts = [dictionary.sparse(part) for part in given.inputs.split(CHUNK)]
    features, strengths = (torch.cat(each).numpy() for each in zip(*parts, strict=True))
    sentence, row = given.sentence.numpy(), given.row.numpy()
    ids = np.array([given.reads[s].ids(side)[r] for s, r in zip(sentence, row, strict=True)])
    return Activations(
        tuple(read.sentence for read in given.reads),
        tokens,
        sentence,
        row,
        ids,
        features.astype(np.uint16),
        strengths.astype(np.float16),
        dictionary.features,
    )
