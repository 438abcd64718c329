"""Chinese to English: our grammar, what is learned by heart and graded HSK sentences, split by source sentence."""

import random
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from model.corpora import chinese
from model.corpora.pairs import Pair, Split, part, split_of
from model.corpora.topics import Topic

HSK = Path(__file__).parent / "zh-en.hsk.tsv"  # CC BY-SA 4.0, its notice beside it
GRAMMAR_PAIRS = 240_000
BEGINNER = (1, 2)  # levels of the HSK whose sentences every epoch shows twice


def read_hsk(path: Path = HSK) -> list[tuple[int, Pair]]:
    """The level and pair of each row; ValueError names a line without three columns."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], 2):
        columns = line.split("\t")
        if len(columns) != 3 or not all(columns) or not columns[0].isdigit():
            raise ValueError(f"line {number} does not hold a level, a sentence and its translation")
        rows.append((int(columns[0]), Pair(*columns[1:])))
    return rows


class ChineseEnglish:
    """The corpus of the checkpoint `zh-en`. Every epoch shows all HSK sentences and a share of the grammar."""

    name = "zh-en"

    def __init__(self, seed: int = 0):
        self.seed = seed

    @cached_property
    def _drawn(self) -> list[Pair]:
        return chinese.generate(self.seed, GRAMMAR_PAIRS)

    @cached_property
    def grammar(self) -> list[Pair]:
        """The grammar's sentences but those that are learned by heart."""
        by_heart = {pair.source for pair in chinese.BY_HEART}
        return [pair for pair in self._drawn if pair.source not in by_heart]

    @cached_property
    def _grammar_train(self) -> list[Pair]:
        return part(self.grammar, "train")

    @cached_property
    def _hsk(self) -> list[tuple[int, Pair]]:
        return read_hsk()

    @cached_property
    def hsk(self) -> list[Pair]:
        """Sentences of all six levels, each source once."""
        return list({pair.source: pair for _, pair in self._hsk}.values())

    @cached_property
    def _hsk_train(self) -> list[Pair]:
        """Where the grammar has a sentence too, its translation stands: one source, one target."""
        ours = dict([*self._drawn, *chinese.BY_HEART])
        return [pair for pair in part(self.hsk, "train") if ours.get(pair.source, pair.target) == pair.target]

    @cached_property
    def by_heart(self) -> list[Pair]:
        """Learned by heart, so never tested; without what the HSK holds out."""
        held_out = {pair.source for pair in self.hsk if split_of(pair.source) != "train"}
        return [pair for pair in chinese.BY_HEART if pair.source not in held_out]

    def train(self, epoch: int) -> list[Pair]:
        """The pairs of one epoch; no source of the test or validation split is among them.

        Some stand in one line, as real rows do, and some lack their final mark, as readers leave it out.
        """
        rng = random.Random(f"{self.seed}/{epoch}")
        early = {pair.source for level, pair in self._hsk if level in BEGINNER}
        real = [*self._hsk_train, *(pair for pair in self._hsk_train if pair.source in early)]
        grammar = rng.sample(self._grammar_train, 16_000)
        sentences = [
            *self._hsk_train,
            *(pair for pair in self.by_heart if pair.source[-1] in "。？！"),
            *grammar[:2000],
        ]
        joined = (_join(*rng.sample(sentences, 2)) for _ in range(1000))
        unmarked = (Pair(pair.source[:-1], pair.target) for pair in rng.sample(grammar, 1000))
        extra = [pair for pair in (*joined, *unmarked) if pair.source not in self._taken]
        return [*real, *self.by_heart, *grammar, *extra]

    @cached_property
    def _taken(self) -> frozenset[str]:
        """Sources that a joined or unmarked sentence must not be: held out, or with a translation of their own."""
        held_out = [pair for pair in (*self.grammar, *self.hsk) if split_of(pair.source) != "train"]
        return frozenset(pair.source for pair in (*held_out, *chinese.BY_HEART, *self.hsk))

    def validation(self) -> list[Pair]:
        """A few hundred pairs to watch while training: real ones first, then generated ones."""
        return [*part(self.hsk, "validation"), *part(self.grammar, "validation")[:200]]

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        """The held-out sets by name."""
        return {"grammar": part(self.grammar, split)[:1000], "hsk": part(self.hsk, split)}

    def texts(self) -> Iterator[Pair]:
        """Training pairs to learn the vocabulary from, each once, real ones weighing more."""
        yield from self._hsk_train * 2
        yield from self.by_heart
        yield from self._grammar_train[:10_000]

    def source_words(self) -> Iterable[str]:
        """Source sentences whose characters count as seen."""
        return (pair.source for pair in [*self._hsk_train, *self.by_heart, *self._grammar_train])

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Topics of the grammar, each with sentences that it makes and their translations."""
        return [(topic.key, [_example(topic, source) for source in topic.examples]) for topic in chinese.TOPICS]

    def sources(self) -> list[dict[str, object]]:
        """Where the training pairs come from, with licences."""
        return [
            {"name": "grammar", "pairs": len(self._grammar_train), "licence": "ours"},
            {"name": "by heart", "pairs": len(self.by_heart), "licence": "ours"},
            {
                "name": "hsk",
                "pairs": len(self._hsk_train),
                "licence": "CC BY-SA 4.0, hsk-sentences-audio contributors",
            },
        ]


def _example(topic: Topic, source: str) -> Pair:
    """The pair that a topic makes with this source; every topic's examples are sentences it really makes."""
    rng = random.Random(0)
    while True:
        if (pair := topic.generator(rng)).source == source:
            return pair


def _join(first: Pair, second: Pair) -> Pair:
    """Two turns in one line, as real rows have them; Chinese puts no space between them."""
    return Pair(f"{first.source}{second.source}", f"{first.target} {second.target}")
