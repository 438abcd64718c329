"""Pairs for a decoder alone: it reads source and target in a row, so a sign says where the source ends."""

from collections.abc import Iterable

from corpora.corpus import Corpus
from corpora.pairs import Pair, Split

END = "="  # after letters and figures; after words with a space before it


class DecoderOnlyPairs:
    """Another corpus with an end sign after each source, split as it splits them."""

    def __init__(self, inner: Corpus, end: str):
        self.inner = inner
        self.end = end
        self.name = inner.name

    def train(self, epoch: int) -> list[Pair]:
        return self._ended(self.inner.train(epoch))

    def validation(self) -> list[Pair]:
        return self._ended(self.inner.validation())

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {name: self._ended(pairs) for name, pairs in self.inner.tests(split).items()}

    def texts(self) -> Iterable[Pair]:
        return self._ended(self.inner.texts())

    def source_words(self) -> Iterable[str]:
        return self.inner.source_words()

    def covers(self) -> list[tuple[str, list[Pair]]]:
        return [(topic, self._ended(pairs)) for topic, pairs in self.inner.covers()]

    def sources(self) -> list[dict[str, object]]:
        return self.inner.sources()

    def _ended(self, pairs: Iterable[Pair]) -> list[Pair]:
        return [Pair(pair.source + self.end, pair.target) for pair in pairs]
