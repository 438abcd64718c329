"""German–English sentences of our grammar alone, few enough to be there in a second."""

from collections.abc import Iterable
from functools import cached_property

from model.corpora import german
from model.corpora.pairs import Pair, Split, part

PAIRS = 16_000


class Grammar:
    """The grammar's sentences, the same ones in each epoch, split by source."""

    name = "grammar"

    def __init__(self, seed: int = 0, pairs: int = PAIRS):
        self.seed = seed
        self.pairs = pairs

    @cached_property
    def _all(self) -> list[Pair]:
        return [pair for pair in german.generate(self.seed, self.pairs) if pair.source[-1] in ".?!"]  # no single words

    @cached_property
    def _train(self) -> list[Pair]:
        return part(self._all, "train")

    def train(self, epoch: int) -> list[Pair]:
        return self._train

    def validation(self) -> list[Pair]:
        return part(self._all, "validation")[:200]

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {self.name: part(self._all, split)[:500]}

    def texts(self) -> Iterable[Pair]:
        return self._train

    def source_words(self) -> Iterable[str]:
        return (pair.source for pair in self._train)

    def covers(self) -> list[tuple[str, list[Pair]]]:
        return []

    def sources(self) -> list[dict[str, object]]:
        return [{"name": self.name, "pairs": len(self._train), "licence": "ours"}]
