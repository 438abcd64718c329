"""Sentences that no grammar made, of which a translator learns some and is tested on the others.

A collection says what it lends to an epoch and to the vocabulary; what is held out is decided by the source alone.
"""

import random
import re
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import ClassVar, Protocol

from corpora import grammar, phrasebook
from corpora.pairs import Pair, part, read_tsv, split_of
from corpora.swaps import Swaps

AUF_DEUTSCH = Path(__file__).parent / "de-en.auf-deutsch.tsv"  # MIT, its notice beside it
HSK = Path(__file__).parent / "zh-en.hsk.tsv"  # CC BY-SA 4.0, its notice beside it
HSK_WORDS = HSK.with_name("zh-en.hsk-words.tsv")  # of its training sentences alone; the same notice
WORDS = 1200  # of the HSK, shown in each epoch
VEILED, HIDDEN = 0.5, 0.12  # share of HSK sentences of which this share of characters is hidden: no two epochs alike
VEIL = "□"  # a character that no vocabulary holds
SWAPPED = 0.6  # share of the phrases of an epoch that are tried with other words too
FILLINGS, MOST_FILLINGS = 4, 30  # of a phrase with slots, in an epoch and among all that is learned
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ])")
_SHORT = (
    (re.compile(r"\b(is|are|was|were|do|does|did|has|have) not\b"), r"\1n't"),
    (re.compile(r"\bcannot\b"), "can't"),
    (re.compile(r"\bI am(?= \w)"), "I'm"),
    (re.compile(r"\b([Yy]ou|[Ww]e|[Tt]hey) are(?= \w)"), r"\1're"),
    (re.compile(r"\b([Hh]e|[Ss]he|[Ii]t|[Tt]hat) is(?= \w)"), r"\1's"),
)


class Collection(Protocol):
    """Pairs of one origin. `tested` is all of a collection that is split by source; empty if nothing is held out."""

    name: str
    licence: str

    @property
    def tested(self) -> list[Pair]: ...

    @property
    def learned(self) -> list[Pair]:
        """Training pairs, each once."""

    def epoch(self, rng: random.Random) -> list[Pair]:
        """What one epoch shows, other pairs each time; phrases may have fillings that are not among `learned`."""


class AufDeutsch:
    """Sentences of a German course; those of rows that hold several also on their own."""

    name = "auf-deutsch"
    licence = "MIT, Copyright (c) 2026 Auf Deutsch contributors"

    @cached_property
    def tested(self) -> list[Pair]:
        return read_tsv(AUF_DEUTSCH)

    @cached_property
    def learned(self) -> list[Pair]:
        held_out = {pair.source for pair in self.tested if split_of(pair.source) != "train"}
        rows = [pair for pair in part(self.tested, "train") if held_out.isdisjoint(_SENTENCE.split(pair.source))]
        return list(dict.fromkeys([*rows, *part(_sentences(rows), "train")]))

    def epoch(self, rng: random.Random) -> list[Pair]:
        return self.learned


class PhraseBooks:
    """Everyday phrases of a language with slots, learned by heart; in each epoch some also with other words."""

    name = "phrases"
    licence = "ours"
    tested: ClassVar[list[Pair]] = []

    def __init__(self, language: str):
        self._books = phrasebook.read_all(language)
        self._grammar = grammar.load(language)

    @cached_property
    def _swaps(self) -> Swaps:
        return Swaps(self._grammar)

    @cached_property
    def learned(self) -> list[Pair]:
        return self._filled(random.Random(0), MOST_FILLINGS)

    def epoch(self, rng: random.Random) -> list[Pair]:
        filled = self._filled(rng, FILLINGS)
        swapped = (self._swaps.swapped(pair, rng) for pair in filled if rng.random() < SWAPPED)
        return [*filled, *filter(None, swapped)]

    def _filled(self, rng: random.Random, most: int) -> list[Pair]:
        filled = (pair for book in self._books for phrase in book.phrases for pair in book.expand(phrase, rng, most))
        return list(dict.fromkeys(filled))


class Hsk:
    """Graded Chinese sentences, with the short forms of the grammar: He's for He is, isn't for is not."""

    name = "hsk"
    licence = "CC BY-SA 4.0, hsk-sentences-audio contributors"

    @cached_property
    def tested(self) -> list[Pair]:
        return list({pair.source: pair for _, pair in read_hsk()}.values())

    @cached_property
    def learned(self) -> list[Pair]:
        return [Pair(source, _contracted(target)) for source, target in part(self.tested, "train")]

    def epoch(self, rng: random.Random) -> list[Pair]:
        """All, some with hidden characters."""
        return [_veil(pair, rng) if rng.random() < VEILED else pair for pair in self.learned]


class HskWords:
    """Words of these sentences, with their glosses."""

    name = "hsk-words"
    licence = "CC BY-SA 4.0, from CC-CEDICT"
    tested: ClassVar[list[Pair]] = []

    @cached_property
    def learned(self) -> list[Pair]:
        return read_tsv(HSK_WORDS)

    def epoch(self, rng: random.Random) -> list[Pair]:
        return rng.sample(self.learned, WORDS)


COLLECTIONS: dict[str, tuple[Callable[[], Collection], ...]] = {
    "de": (AufDeutsch, partial(PhraseBooks, "de")),
    "zh": (Hsk, HskWords, partial(PhraseBooks, "zh")),
    "es": (partial(PhraseBooks, "es"),),
}


def read_hsk(path: Path = HSK) -> list[tuple[int, Pair]]:
    """The level and pair of each row; ValueError names a line without three columns."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[1:], 2):
        columns = line.split("\t")
        if len(columns) != 3 or not all(columns) or not columns[0].isdigit():
            raise ValueError(f"line {number} does not hold a level, a sentence and its translation")
        rows.append((int(columns[0]), Pair(*columns[1:])))
    return rows


def _sentences(pairs: list[Pair]) -> Iterator[Pair]:
    """The single sentences of rows that hold as many in one language as in the other."""
    for pair in pairs:
        source, target = _SENTENCE.split(pair.source), _SENTENCE.split(pair.target)
        if 1 < len(source) == len(target) and "'" not in pair.source:
            yield from map(Pair, source, target)


def _contracted(target: str) -> str:
    for long, short in _SHORT:
        target = long.sub(short, target)
    return target


def _veil(pair: Pair, rng: random.Random) -> Pair:
    """The pair with some characters hidden: what they say has to be guessed, and no sentence is learned by heart."""
    characters = (VEIL if "一" <= c <= "鿿" and rng.random() < HIDDEN else c for c in pair.source)
    return Pair("".join(characters), pair.target)
