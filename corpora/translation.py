"""A language to English: what a translator learns from and is tested on, split by source sentence.

Its grammar writes most sentences; collections of a language (`collected.py`) add some that people wrote.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate

from corpora import grammar, ordinary
from corpora.collected import COLLECTIONS, Collection
from corpora.grammar import Kind
from corpora.numerals import in_digits
from corpora.pairs import ENDS, Pair, Split, part, split_of

PAIRS = 240_000
RARE = 600  # a word in fewer pairs of the grammar is drawn more often, up to OFTENER times
OFTENER = 8
RARE_ONES, FRESH = 8_000, 12_000  # sentences of each epoch by their rarest word, and drawn anew by topic
# of these, so many also as users type: two in one line, without the final mark, and with a small first letter
JOINED, UNMARKED, PLAIN = 1_500, 1_500, 1_000
IN_DIGITS = 0.5  # share of the sentences with Chinese numerals that are also written with 3 for 三
WEIGHT = 3  # of sentences that people wrote, in the vocabulary
EVERY_EPOCH = 3  # times that a sentence of every epoch counts at least
TESTED = 5000  # sentences of the grammar: of 1,000 the score would be uncertain by half a percent
WRITTEN = "written"  # the topic of sentences that people wrote
_POLITE = re.compile("(Sie|Ihnen|Ihre?[mnrs]?) ")  # of which the capital says who is meant
_FIRST = re.compile(r"^[^\W\d_]+")
_PARTS = {True: re.compile(r"[^\W\d_]+|\d"), False: re.compile(r"[一-鿿]|[A-Za-zé'-]+|\d")}  # by spaces between words
_ACCENTS = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU", "¿¡")


class Translation:
    """The corpus of a checkpoint like `es-en`. Fewer `pairs` of the grammar are the first ones of more."""

    def __init__(self, language: str, seed: int = 0, pairs: int = PAIRS):
        self.name = f"{language}-{grammar.TARGET}"
        self.seed, self.pairs = seed, pairs
        self._language = language
        self._source = grammar.load(language)
        self.collections = tuple(collection() for collection in COLLECTIONS.get(language, ()))
        self._parts = _PARTS[self._source.languages[0].spaced]

    @cached_property
    def _held_out(self) -> frozenset[str]:
        """Sources of all tests and validation, and ordinary sentences: nothing that is learned may hold them."""
        pairs = (pair for pairs in (self.grammar, *(each.tested for each in self.collections)) for pair in pairs)
        typed = {row.source for row in ordinary.read(self._language)}
        return frozenset({pair.source for pair in pairs if split_of(pair.source) != "train"} | typed)

    @cached_property
    def by_heart(self) -> list[Pair]:
        """What has no slots, such as greetings: learned by heart, so never tested."""
        return [pair for pair in self._source.fixed if pair.source not in self._held_out]

    @cached_property
    def grammar(self) -> list[Pair]:
        """The sentences of the grammar but those that are learned by heart."""
        fixed = {pair.source for pair in self._source.fixed}
        return [pair for pair in self._generated if pair.source not in fixed]

    @cached_property
    def _generated(self) -> dict[Pair, Kind]:
        return self._source.kinds(self.seed, self.pairs)

    def groups(self) -> dict[str, dict[str, frozenset[str]]]:
        """Sources by the topic and by the pattern of the grammar that they were drawn from; `WRITTEN` by people."""
        found: dict[str, dict[str, set[str]]] = {"pattern": {}, "topic": {}}
        for pair, kind in (self._generated | self._source.fixed).items():
            for name, each in kind._asdict().items():
                found[name].setdefault(each, set()).add(pair.source)
        drawn = set[str]().union(*found["topic"].values())
        if written := {pair.source for pair in self._collected} - drawn:
            found["topic"][WRITTEN] = written
        return {kind: {name: frozenset(own) for name, own in each.items()} for kind, each in found.items()}

    @cached_property
    def _train(self) -> list[Pair]:
        return part(self.grammar, "train")

    @cached_property
    def _ours(self) -> dict[str, str]:
        """The translations of the grammar; a collection's does not stand beside them: one source, one target."""
        return dict([*self.grammar, *self.by_heart])

    @cached_property
    def _rarity(self) -> list[float]:
        """Running sum of how often to draw each training pair, by its rarest word in either language."""
        words = [set(self._parts.findall(f"{pair.source.lower()} {pair.target}")) for pair in self._train]
        count = Counter(word for sentence in words for word in sentence)
        return list(
            accumulate(min(OFTENER, max(1.0, RARE / min(count[word] for word in sentence))) for sentence in words)
        )

    def train(self, epoch: int) -> list[Pair]:
        """The pairs of one epoch; no source of the test or validation split is among them."""
        rng = random.Random(f"{self.seed}/{epoch}")
        drawn = rng.choices(self._train, cum_weights=self._rarity, k=RARE_ONES)
        topics = rng.choices(self._source.topics, [topic.weight for topic in self._source.topics], k=FRESH)
        fresh = part((topic.generator(rng) for topic in topics), "train")
        pairs = self._allowed([*drawn, *fresh])
        rng.shuffle(pairs)
        collected = self._allowed(pair for each in self.collections for pair in each.epoch(rng))
        sentences = [*self._collected, *self.by_heart, *pairs]
        extra = part(self._as_typed(sentences, pairs, rng), "train")
        known = self._ours.keys() | {pair.source for pair in (*sentences, *collected)}
        extra = [pair for pair in extra if pair.source not in known]
        return self._allowed([*self.by_heart, *collected, *pairs, *extra])

    def _allowed(self, pairs: Iterable[Pair]) -> list[Pair]:
        """Each source once, without those that are held out, with the grammar's translation where it has one."""
        allowed: dict[str, str] = {}
        for source, target in pairs:
            if source not in self._held_out:
                allowed.setdefault(source, self._ours.get(source, target))
        return [Pair(*pair) for pair in allowed.items()]

    def _as_typed(self, sentences: list[Pair], pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
        """Two sentences in one line, some without their final mark, and some with a small first letter, Spanish ones
        without accents; none that could then be another sentence.
        """
        whole = [pair for pair in sentences if pair.source[-1] in ENDS]
        for _ in range(JOINED):
            first, second = rng.sample(whole, 2)
            yield Pair(f"{first.source}{self._source.space}{second.source}", f"{first.target} {second.target}")
        yield from (Pair(pair.source[:-1], pair.target) for pair in pairs[:UNMARKED] if pair.source[-1] in ".。？")
        for pair in pairs[-PLAIN:]:
            if self._typed.get(plain := _plain(pair.source)) in (None, pair.target) and not _POLITE.match(pair.source):
                yield Pair(plain, pair.target)
        if not self._source.space:
            yield from (Pair(in_digits(pair.source), pair.target) for pair in sentences if rng.random() < IN_DIGITS)

    @cached_property
    def _typed(self) -> dict[str, str]:
        """Translations of what training sentences look like when typed in haste, "" where they are several."""
        typed: dict[str, str] = {}
        for pair in self._train:
            if typed.setdefault(plain := _plain(pair.source), pair.target) != pair.target:
                typed[plain] = ""
        return typed

    def validation(self) -> list[Pair]:
        """A few hundred pairs to watch while training, those that people wrote first."""
        collected = [pair for each in self.collections for pair in part(each.tested, "validation")]
        return [*collected[:200], *part(self.grammar, "validation")[: 200 if collected else 400]]

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        """The held-out sets by name."""
        tested = {each.name: part(each.tested, split) for each in self.collections if each.tested}
        return {"grammar": part(self.grammar, split)[:TESTED], **tested}

    def texts(self) -> Iterator[Pair]:
        """Training pairs to learn the vocabulary from, each once, those of tested collections `WEIGHT` times."""
        for collection, learned in self._learned.items():
            yield from learned * (WEIGHT if collection.tested else 1)
        yield from self.by_heart
        rng = random.Random(self.seed)
        yield from dict.fromkeys(rng.choices(self._train, cum_weights=self._rarity, k=30_000))

    @cached_property
    def _collected(self) -> list[Pair]:
        return self._allowed(pair for learned in self._learned.values() for pair in learned)

    @cached_property
    def _learned(self) -> dict[Collection, list[Pair]]:
        return {each: self._allowed(each.learned) for each in self.collections}

    def written(self) -> list[Pair]:
        """Pairs that people wrote and the model learns, each once: all that there is without asking the grammar."""
        return list(dict.fromkeys(pair for each in self.collections for pair in each.learned))

    def source_words(self) -> Iterable[str]:
        """Source sentences whose words count as seen; their first word in small letters, if it has them elsewhere.

        What is learned by heart stands in every epoch, and here more than once.
        """
        sources = [pair.source for pair in [*self._collected, *self.by_heart * EVERY_EPOCH, *self._train]]
        inside = {word for source in sources for word in self._parts.findall(_FIRST.sub("", source))}
        return (_FIRST.sub(lambda first: _small(first[0], inside), source) for source in sources)

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Topics of the grammar, each with the shortest of the sentences that it makes and their translations."""
        rng = random.Random(self.seed)
        drawn = {topic.key: {topic.generator(rng) for _ in range(50)} for topic in self._source.topics}
        return [(key, sorted(pairs, key=lambda pair: (len(pair.source), pair))[:3]) for key, pairs in drawn.items()]

    def sources(self) -> list[dict[str, object]]:
        """Where the training pairs come from, with licences."""
        collected = [(each.name, len(learned), each.licence) for each, learned in self._learned.items()]
        rows = [("grammar", len(self._train), "ours"), ("by-heart", len(self.by_heart), "ours"), *collected]
        return [{"name": name, "pairs": count, "licence": licence} for name, count, licence in rows]


def _plain(source: str) -> str:
    """A sentence as it is typed in haste: ¿Dónde está? becomes donde esta?"""
    plain = source.translate(_ACCENTS)
    return plain[:1].lower() + plain[1:]


def _small(first: str, inside: set[str]) -> str:
    """The first word of a sentence as it is written elsewhere."""
    small = first[0].lower() + first[1:]
    return small if first not in inside and small in inside else first
