"""Sentences of one of our grammars alone, few enough to be there in a second; one, or several in a row."""

import random
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path

from corpora import grammar
from corpora.corpus import Parted
from corpora.pairs import ENDS, Pair, Split, part, read_tsv
from corpora.task_list import PIECES, Task, pieces

PAIRS = 16_000
LISTED = Path(__file__)  # beside it, what models of ours learned from before a grammar grew
WATCHED, HELD_OUT = 200, 500
CHARACTERS = 1000  # more tokens for Chinese, where each character is one


class Grammar(Parted):
    """The sentences of a language's grammar and their English, split by source.

    With `sentences` above 1 a source is a text of 1 to so many sentences of one split, others in each epoch. Where a
    list of sentences is kept (`LISTED`), it is they, whatever the seed.
    """

    name = "grammar"

    def __init__(self, seed: int = 0, pairs: int = PAIRS, sentences: int = 1, language: str = "de"):
        self.seed = seed
        self.pairs = pairs
        self.sentences = sentences
        self.source = grammar.load(language)
        self.listed = LISTED.with_suffix(f".{language}.tsv")

    @cached_property
    def _all(self) -> list[Pair]:
        pairs = (
            read_tsv(self.listed)[: self.pairs] if self.listed.exists() else self.source.generate(self.seed, self.pairs)
        )
        # no single words, and no sums in figures
        return [pair for pair in pairs if pair.source[-1] in ENDS and any(map(str.isalpha, pair.source))]

    @cached_property
    def _train(self) -> list[Pair]:
        return part(self._all, "train")

    def part(self, split: Split) -> list[Pair]:
        return self._train if split == "train" else part(self._all, split)

    def train(self, epoch: int) -> list[Pair]:
        return self._texts(self._train, random.Random(f"{self.seed}/{epoch}/grammar"))

    def validation(self) -> list[Pair]:
        return self._texts(self.part("validation"), random.Random("validation/grammar"))[:WATCHED]

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {self.name: self._texts(self.part(split), random.Random(f"{split}/grammar"))[:HELD_OUT]}

    def of(self, sentences: int, count: int) -> list[Pair]:
        """`count` held-out texts of exactly so many sentences each, the same for every model."""
        held_out = self.part("test")
        rng = random.Random(f"grammar/{sentences}")
        return [self._joined(rng.sample(held_out, sentences)) for _ in range(count)]

    def texts(self) -> Iterable[Pair]:
        return self._train

    def _texts(self, pairs: list[Pair], rng: random.Random) -> list[Pair]:
        """The pairs in groups of 1 to `sentences`, in another order; as they are where a text is one sentence."""
        if self.sentences == 1:
            return pairs
        order = rng.sample(pairs, len(pairs))
        texts = []
        while order:
            size = rng.randint(1, self.sentences)
            texts.append(self._joined(order[:size]))
            del order[:size]
        return texts

    def _joined(self, pairs: Sequence[Pair]) -> Pair:
        """One text of several sentences."""
        return Pair(self.source.space.join(pair.source for pair in pairs), " ".join(pair.target for pair in pairs))


def _task(place: int, name: str, language: str, size: int) -> Task:
    return Task(
        name=name,
        place=place,
        corpus=lambda run: Grammar(run.seed, sentences=run.sentences, language=language),
        tokenizer=partial(pieces, size=size),
        settings={"d_model": 96, "heads": 4, "encoder_layers": 2, "decoder_layers": 2, "learning_rate": 3e-3,
                  "steps": 1000, "tokens_per_batch": 1200, "label_smoothing": 0.1, "position_base": 10_000.0},
        choices=("sentences",),
        on_card="translation",
        languages=(language, "en"),
    )  # fmt: skip


TASKS = (
    _task(100, "grammar", "de", PIECES),
    _task(110, "chinese", "zh", PIECES + CHARACTERS),
    _task(115, "spanish", "es", PIECES),
)
