"""Chinese to English: our grammar, what is learned by heart and graded HSK sentences, split by source sentence."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from corpora import chinese
from corpora.chinese.numbers import in_digits
from corpora.pairs import Pair, Split, part, read_tsv, split_of
from corpora.topic_sampling import example

HSK = Path(__file__).parent / "zh-en.hsk.tsv"  # CC BY-SA 4.0, its notice beside it
HSK_WORDS = HSK.with_name("zh-en.hsk-words.tsv")  # of its training sentences alone; the same notice
GRAMMAR_PAIRS = 400_000
RARE = 600  # a character or an English word in fewer pairs of the grammar is drawn more often, up to OFTENER times
OFTENER = 8
TESTED = 5000  # sentences of the grammar: of 1,000 the score would be uncertain by half a percent
RARE_ONES = 12_000  # sentences of the grammar in each epoch by their rarest word
FRESH = 6000  # and by topic, drawn anew
WORDS = 1200  # of the HSK, shown in each epoch
VEILED, HIDDEN = 0.5, 0.12  # share of HSK sentences of which this share of characters is hidden: no two epochs alike
IN_DIGITS = 0.5  # share of the sentences with numbers that are also written with 3 for 三, as users type
VEIL = "□"  # a character that no vocabulary holds
BEGINNER = (1, 2)  # levels of the HSK whose sentences every epoch shows twice
_SHORT = (
    (re.compile(r"\b(is|are|was|were|do|does|did|has|have) not\b"), r"\1n't"),
    (re.compile(r"\bcannot\b"), "can't"),
    (re.compile(r"\bI am(?= \w)"), "I'm"),
    (re.compile(r"\b([Yy]ou|[Ww]e|[Tt]hey) are(?= \w)"), r"\1're"),
    (re.compile(r"\b([Hh]e|[Ss]he|[Ii]t|[Tt]hat) is(?= \w)"), r"\1's"),
)
_PARTS = re.compile(r"[一-鿿]|[A-Za-zé'-]+|\d")


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
    """The corpus of the checkpoint `zh-en`. Every epoch shows all HSK sentences and a share of the grammar.

    Fewer `pairs` of the grammar are the first ones of more.
    """

    name = "zh-en"

    def __init__(self, seed: int = 0, pairs: int = GRAMMAR_PAIRS):
        self.seed = seed
        self.pairs = pairs

    @cached_property
    def _drawn(self) -> list[Pair]:
        return chinese.generate(self.seed, self.pairs)

    @cached_property
    def grammar(self) -> list[Pair]:
        """The grammar's sentences but those that are learned by heart."""
        return [pair for pair in self._drawn if pair.source not in self._memorised]

    @cached_property
    def _memorised(self) -> frozenset[str]:
        return frozenset(pair.source for pair in chinese.BY_HEART)

    @cached_property
    def _grammar_train(self) -> list[Pair]:
        return part(self.grammar, "train")

    @cached_property
    def _rarity(self) -> list[float]:
        """Running sum of how often to draw each training pair of the grammar, by its rarest character or word."""
        parts = [_PARTS.findall(f"{pair.source} {pair.target}") for pair in self._grammar_train]
        count = Counter(part for sentence in parts for part in set(sentence))
        return list(
            accumulate(min(OFTENER, max(1.0, RARE / min(count[part] for part in sentence))) for sentence in parts)
        )

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
        pairs = map(_contracted, part(self.hsk, "train"))
        return [pair for pair in pairs if ours.get(pair.source, pair.target) == pair.target]

    @cached_property
    def by_heart(self) -> list[Pair]:
        """Learned by heart, so never tested; without what the HSK holds out."""
        held_out = {pair.source for pair in self.hsk if split_of(pair.source) != "train"}
        return [pair for pair in chinese.BY_HEART if pair.source not in held_out]

    @cached_property
    def words(self) -> list[Pair]:
        """Words of the HSK and their glosses; where the grammar or a sentence is the same, its translation stands."""
        ours = dict(chinese.BY_HEART) | {pair.source: pair.target for pair in self.hsk}
        return [pair for pair in read_tsv(HSK_WORDS) if pair.source not in ours]

    def train(self, epoch: int) -> list[Pair]:
        """The pairs of one epoch; no source of the test or validation split is among them.

        Some stand in one line, as real rows do; some lack their final mark and many have 3 for 三, as users type.
        """
        rng = random.Random(f"{self.seed}/{epoch}")
        early = {pair.source for level, pair in self._hsk if level in BEGINNER}
        hsk = self._hsk_train
        real = [*hsk, *(pair for pair in hsk if pair.source in early)]
        real = [_veil(pair, rng) if rng.random() < VEILED else pair for pair in real]
        grammar = self._drawn_for(rng)
        by_heart = [pair for pair in self.by_heart if pair.source[-1] in "。？！"]
        sentences = [*hsk, *by_heart, *grammar[:2000]]
        pairs_of_two = (_join(*rng.sample(sentences, 2)) for _ in range(1000))
        without_marks = (Pair(pair.source[:-1], pair.target) for pair in grammar[:1000] if pair.source[-1] in "。？")
        digits = (Pair(in_digits(pair.source), pair.target) for pair in (*hsk, *grammar) if rng.random() < IN_DIGITS)
        sources = self._known_sources | {pair.source for pair in (*real, *grammar)}
        extra = [pair for pair in (*pairs_of_two, *without_marks, *digits) if pair.source not in sources]
        return [*real, *self.by_heart, *grammar, *extra, *rng.sample(self.words, WORDS)]

    def _drawn_for(self, rng: random.Random) -> list[Pair]:
        """Sentences of the grammar for one epoch: rare words often, and each topic with its share, however small."""
        rare = rng.choices(self._grammar_train, cum_weights=self._rarity, k=RARE_ONES)
        topics = rng.choices(chinese.TOPICS, [topic.weight for topic in chinese.TOPICS], k=FRESH)
        fresh = part((topic.generator(rng) for topic in topics), "train")
        grammar = [pair for pair in dict.fromkeys([*rare, *fresh]) if pair.source not in self._memorised]
        rng.shuffle(grammar)
        return grammar

    @cached_property
    def _known_sources(self) -> frozenset[str]:
        """Sources that a joined or unmarked sentence must not be: held out, or with a translation of their own."""
        held_out = [pair for pair in (*self.grammar, *self.hsk) if split_of(pair.source) != "train"]
        return frozenset(pair.source for pair in (*held_out, *chinese.BY_HEART, *self.hsk))

    def validation(self) -> list[Pair]:
        """A few hundred pairs to watch while training: real ones first, then generated ones."""
        return [*part(self.hsk, "validation"), *part(self.grammar, "validation")[:200]]

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        """The held-out sets by name."""
        return {"grammar": part(self.grammar, split)[:TESTED], "hsk": part(self.hsk, split)}

    def texts(self) -> Iterator[Pair]:
        """Training pairs to learn the vocabulary from, each once, real ones weighing more."""
        yield from self._hsk_train * 3
        yield from self.words
        yield from self.by_heart
        yield from self._grammar_train[:10_000]

    def source_words(self) -> Iterable[str]:
        """Source sentences whose characters count as seen."""
        return (pair.source for pair in [*self._hsk_train, *self.words, *self.by_heart, *self._grammar_train])

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Topics of the grammar, each with sentences that it makes and their translations."""
        return [(topic.key, [example(topic, source) for source in topic.examples]) for topic in chinese.TOPICS]

    def sources(self) -> list[dict[str, object]]:
        """Where the training pairs come from, with licences."""
        return [
            {"name": "grammar", "pairs": len(self._grammar_train), "licence": "ours"},
            {"name": "by-heart", "pairs": len(self.by_heart), "licence": "ours"},
            {
                "name": "hsk",
                "pairs": len(self._hsk_train),
                "licence": "CC BY-SA 4.0, hsk-sentences-audio contributors",
            },
            {"name": "hsk-words", "pairs": len(self.words), "licence": "CC BY-SA 4.0, from CC-CEDICT"},
        ]


def _veil(pair: Pair, rng: random.Random) -> Pair:
    """The pair with some characters hidden: what they say has to be guessed, and no sentence is learned by heart."""
    characters = (VEIL if "一" <= c <= "鿿" and rng.random() < HIDDEN else c for c in pair.source)
    return Pair("".join(characters), pair.target)


def _contracted(pair: Pair) -> Pair:
    """The pair with the short forms of the grammar: He's for He is, isn't for is not."""
    target = pair.target
    for long, short in _SHORT:
        target = long.sub(short, target)
    return Pair(pair.source, target)


def _join(first: Pair, second: Pair) -> Pair:
    """Two turns in one line, as real rows have them; Chinese puts no space between them."""
    return Pair(f"{first.source}{second.source}", f"{first.target} {second.target}")
