"""Corpus as training needs it: pairs to learn from, pairs held out, and where they come from."""

from collections.abc import Iterable
from typing import Protocol

from corpora.pairs import Pair, Split


class Corpus(Protocol):
    """Pairs by split; no source of one split is in another, unless the corpus says so in its own words."""

    name: str

    def train(self, epoch: int) -> list[Pair]:
        """The pairs of one epoch."""

    def validation(self) -> list[Pair]:
        """A few hundred pairs at most, to watch while training."""

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        """The held-out sets by name."""

    def texts(self) -> Iterable[Pair]:
        """Pairs to learn the vocabulary from."""

    def source_words(self) -> Iterable[str]:
        """Sources whose words count as seen."""

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Topics, each with examples."""

    def sources(self) -> list[dict[str, object]]:
        """Where the training pairs come from, with their number and licence."""


class Listed:
    """A corpus of a fixed list of training pairs and one list held out, which is also what is watched."""

    name = ""
    licence = "ours"

    def __init__(self, training: list[Pair], held_out: list[Pair]):
        self.training = training
        self.held_out = held_out

    def train(self, epoch: int) -> list[Pair]:
        return self.training

    def validation(self) -> list[Pair]:
        return self.held_out

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {self.name: self.held_out}

    def texts(self) -> Iterable[Pair]:
        return self.training

    def source_words(self) -> Iterable[str]:
        return (pair.source for pair in self.training)

    def covers(self) -> list[tuple[str, list[Pair]]]:
        return []

    def sources(self) -> list[dict[str, object]]:
        return [{"name": self.name, "pairs": len(self.training), "licence": self.licence}]
