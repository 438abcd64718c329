"""German to English: our grammar, our phrase books and the auf-deutsch slice, split by source sentence."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from corpora import german, phrasebook
from corpora.pairs import Pair, Split, part, read_tsv, split_of
from corpora.topic_sampling import example

AUF_DEUTSCH = Path(__file__).parent / "de-en.auf-deutsch.tsv"  # MIT, its notice beside it
GRAMMAR_PAIRS = 480_000
RARE = 600  # a word in fewer pairs of the grammar is drawn more often, up to OFTENER times
OFTENER = 8
TESTED = 5000  # sentences of the grammar: of 1,000 the score would be uncertain by half a percent
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ])")


class GermanEnglish:
    """The corpus of the checkpoint `de-en`. Every epoch shows all real sentences and a share of the rest.

    Fewer `pairs` of the grammar are the first ones of more.
    """

    name = "de-en"

    def __init__(self, seed: int = 0, pairs: int = GRAMMAR_PAIRS):
        self.seed = seed
        self.pairs = pairs

    @cached_property
    def grammar(self) -> list[Pair]:
        return german.generate(self.seed, self.pairs)

    @cached_property
    def _grammar_train(self) -> list[Pair]:
        return part(self.grammar, "train")

    @cached_property
    def _rarity(self) -> list[float]:
        """Running sum of how often to draw each training pair of the grammar, by its rarest word."""
        words = [german.WORD.findall(pair.source) for pair in self._grammar_train]
        count = Counter(word for sentence in words for word in sentence)
        return list(
            accumulate(min(OFTENER, max(1.0, RARE / min(count[word] for word in sentence))) for sentence in words)
        )

    @cached_property
    def _held_out(self) -> frozenset[str]:
        """The sources of the tests and of validation; of what is learned by heart only what the real ones hold."""
        return frozenset(
            pair.source for pairs in (self.real, self._inferable) for pair in pairs if split_of(pair.source) != "train"
        )

    @cached_property
    def _inferable(self) -> list[Pair]:
        """The grammar without what is learned by heart."""
        by_heart = {pair.source for pair in german.BY_HEART}
        return [pair for pair in self.grammar if pair.source not in by_heart]

    @cached_property
    def _translations(self) -> dict[str, str]:
        return dict(self.grammar)

    @cached_property
    def books(self) -> tuple[phrasebook.PhraseBook, ...]:
        return phrasebook.read_all()

    @cached_property
    def real(self) -> list[Pair]:
        return read_tsv(AUF_DEUTSCH)

    def phrases(self, epoch: int, most: int) -> list[Pair]:
        """Phrases with up to `most` fillings each, other ones in each epoch."""
        rng = random.Random(f"{self.seed}/{epoch}/phrases")
        pairs = (pair for book in self.books for phrase in book.phrases for pair in book.expand(phrase, rng, most))
        # where both have a sentence, the grammar's translation stands: one source, one target
        return [pair for pair in pairs if self._translations.get(pair.source, pair.target) == pair.target]

    def train(self, epoch: int) -> list[Pair]:
        """The pairs of one epoch; no source of the test or validation split is among them."""
        rng = random.Random(f"{self.seed}/{epoch}")
        real = part(self.real, "train")
        real += part(_sentences(real), "train")
        phrases = self._seen([*self.phrases(epoch, 2), *german.BY_HEART])
        grammar = rng.choices(self._grammar_train, cum_weights=self._rarity, k=20_000)
        everyday = [*real, *phrases]
        pairs_of_two = [_join(*rng.sample(everyday, 2)) for _ in range(1000)]
        return self._seen([*everyday, *grammar, *pairs_of_two])

    def _seen(self, pairs: list[Pair]) -> list[Pair]:
        """Each pair once, without those that are held out."""
        return [pair for pair in dict.fromkeys(pairs) if pair.source not in self._held_out]

    def validation(self) -> list[Pair]:
        """A few hundred pairs to watch while training: real ones first, then generated ones."""
        return [pair for pairs in self.tests("validation").values() for pair in pairs[:200]]

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        """The held-out sets by name."""
        return {"grammar": part(self._inferable, split)[:TESTED], "auf-deutsch": part(self.real, split)}

    def texts(self) -> Iterator[Pair]:
        """Training pairs to learn the vocabulary from, each once, real ones weighing more."""
        real = part(self.real, "train")
        yield from real * 4
        yield from self._seen([*self.phrases(0, 8), *german.BY_HEART])
        yield from self._grammar_train[:10_000]

    def source_words(self) -> Iterable[str]:
        """Source sentences whose words count as seen."""
        sentences = [
            *part(self.real, "train"),
            *self._seen([*self.phrases(0, 30), *german.BY_HEART]),
            *self._grammar_train,
        ]
        return (pair.source for pair in sentences)

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Topics of the grammar, each with sentences that it makes and their translations."""
        return [(topic.key, [example(topic, source) for source in topic.examples]) for topic in german.TOPICS]

    def sources(self) -> list[dict[str, object]]:
        """Where the training pairs come from, with licences."""
        return [
            {"name": "grammar", "pairs": len(self._grammar_train), "licence": "ours"},
            {"name": "phrases", "pairs": len(self._seen([*self.phrases(0, 30), *german.BY_HEART])), "licence": "ours"},
            {
                "name": "auf-deutsch",
                "pairs": len(part(self.real, "train")),
                "licence": "MIT, Copyright (c) 2026 Auf Deutsch contributors",
            },
        ]


def _sentences(pairs: list[Pair]) -> Iterator[Pair]:
    """The single sentences of rows that hold as many in one language as in the other."""
    for pair in pairs:
        source, target = _SENTENCE.split(pair.source), _SENTENCE.split(pair.target)
        if 1 < len(source) == len(target) and "'" not in pair.source:
            yield from map(Pair, source, target)


def _join(first: Pair, second: Pair) -> Pair:
    """Two turns in one line, as real rows have them."""
    return Pair(f"{first.source} {second.source}", f"{first.target} {second.target}")
