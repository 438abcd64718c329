"""A language to English from its grammar alone: what a checkpoint learns from, split by source sentence."""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate

from corpora import grammar
from corpora.pairs import Pair, Split, part, split_of

PAIRS = 240_000
RARE = 300  # a word in fewer pairs of the grammar is drawn more often, up to OFTENER times
OFTENER = 8
RARE_ONES, FRESH = 9_000, 11_000  # sentences of each epoch by their rarest word, and drawn anew by topic
JOINED, UNMARKED = 1_500, 1_500  # of these, two in one line, and without their final mark
TESTED = 5000  # sentences of the grammar: of 1,000 the score would be uncertain by half a percent
_FIRST = re.compile(r"^[^\W\d_]+")
_WORDS = re.compile(r"[^\W\d_]+|\d")


class Translation:
    """The corpus of a checkpoint like `es-en`. Fewer `pairs` of the grammar are the first ones of more."""

    def __init__(self, language: str, seed: int = 0, pairs: int = PAIRS):
        self.name = f"{language}-{grammar.TARGET}"
        self.seed, self.pairs = seed, pairs
        self._source = grammar.load(language)

    @cached_property
    def by_heart(self) -> list[Pair]:
        """What has no slots, such as greetings: learned by heart, so never tested."""
        return self._source.fixed

    @cached_property
    def grammar(self) -> list[Pair]:
        """The sentences of the grammar but those that are learned by heart."""
        fixed = {pair.source for pair in self.by_heart}
        return [pair for pair in self._source.generate(self.seed, self.pairs) if pair.source not in fixed]

    @cached_property
    def _train(self) -> list[Pair]:
        return part(self.grammar, "train")

    @cached_property
    def _rarity(self) -> list[float]:
        """Running sum of how often to draw each training pair, by its rarest word in either language."""
        words = [set(_WORDS.findall(f"{pair.source.lower()} {pair.target}")) for pair in self._train]
        count = Counter(word for sentence in words for word in sentence)
        return list(
            accumulate(min(OFTENER, max(1.0, RARE / min(count[word] for word in sentence))) for sentence in words)
        )

    def train(self, epoch: int) -> list[Pair]:
        """The pairs of one epoch; no source of the test or validation split is among them.

        Some stand in one line and some lack their final mark, as users type.
        """
        rng = random.Random(f"{self.seed}/{epoch}")
        drawn = rng.choices(self._train, cum_weights=self._rarity, k=RARE_ONES)
        topics = rng.choices(self._source.topics, [topic.weight for topic in self._source.topics], k=FRESH)
        fixed = {pair.source: pair.target for pair in self.by_heart}
        fresh = part((topic.generator(rng) for topic in topics), "train")
        pairs = [pair for pair in dict.fromkeys([*drawn, *fresh]) if fixed.get(pair.source, pair.target) == pair.target]
        rng.shuffle(pairs)
        space = " " if self._source.languages[0].spaced else ""
        extra = [_joined(space, *rng.sample(pairs, 2)) for _ in range(JOINED)]
        extra += [Pair(pair.source[:-1], pair.target) for pair in pairs[:UNMARKED] if pair.source[-1] in ".。？"]
        return [*self.by_heart, *pairs, *(pair for pair in extra if split_of(pair.source) == "train")]

    def validation(self) -> list[Pair]:
        """A few hundred pairs to watch while training."""
        return part(self.grammar, "validation")[:400]

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        """The held-out sets by name."""
        return {"grammar": part(self.grammar, split)[:TESTED]}

    def texts(self) -> Iterator[Pair]:
        """Training pairs to learn the vocabulary from, each once."""
        yield from self.by_heart
        rng = random.Random(self.seed)
        yield from dict.fromkeys(rng.choices(self._train, cum_weights=self._rarity, k=30_000))

    def source_words(self) -> Iterable[str]:
        """Source sentences whose words count as seen; their first word in small letters, if it has them elsewhere."""
        sources = [pair.source for pair in [*self.by_heart, *self._train]]
        inside = {word for source in sources for word in _WORDS.findall(_FIRST.sub("", source))}
        return (_FIRST.sub(lambda first: _small(first[0], inside), source) for source in sources)

    def covers(self) -> list[tuple[str, list[Pair]]]:
        """Topics of the grammar, each with the shortest of the sentences that it makes and their translations."""
        rng = random.Random(self.seed)
        drawn = {topic.key: {topic.generator(rng) for _ in range(50)} for topic in self._source.topics}
        return [(key, sorted(pairs, key=lambda pair: (len(pair.source), pair))[:3]) for key, pairs in drawn.items()]

    def sources(self) -> list[dict[str, object]]:
        """Where the training pairs come from, with licences."""
        return [
            {"name": "grammar", "pairs": len(self._train), "licence": "ours"},
            {"name": "by-heart", "pairs": len(self.by_heart), "licence": "ours"},
        ]


def _small(first: str, inside: set[str]) -> str:
    """The first word of a sentence as it is written elsewhere."""
    small = first[0].lower() + first[1:]
    return small if first not in inside and small in inside else first


def _joined(space: str, first: Pair, second: Pair) -> Pair:
    """Two turns in one line."""
    return Pair(f"{first.source}{space}{second.source}", f"{first.target} {second.target}")
