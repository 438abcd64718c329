"""A grammar as data: words, patterns and tables of inflection in text files, from which pairs are drawn without end.

`corpora/languages/XX/` has `inflection.txt`, `words/*.txt` and `patterns/*.txt`; English is the target of all.
"""

import random
from collections.abc import Iterator
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from corpora.grammar import gold, patterns, words
from corpora.grammar.drawing import DeadEnd, Drawing, Node
from corpora.grammar.gold import Aligned
from corpora.grammar.inflection import Inflection, NoForm
from corpora.grammar.patterns import Group, Pattern
from corpora.grammar.writing import Token, Writer
from corpora.lexicon import Rows
from corpora.pairs import Pair, split_of
from corpora.topic_sampling import Topic, drawn

__all__ = ["LANGUAGES", "Aligned", "Grammar", "Kind", "Sentence", "load"]
LANGUAGES = Path(__file__).parents[1] / "languages"
TARGET = "en"
INVENTORY = "inventory.txt"  # beside the tables
PLAIN = "plain"  # a pattern with this tag makes no sentence: no capital, and no gold
_TRIES = 1000  # draws of a topic that fail in a row


class Sentence(NamedTuple):
    """A pair with what it was drawn from: its pattern and words, and the words as they were written."""

    pair: Pair
    node: Node
    tokens: tuple[list[Token], list[Token]]


class Kind(NamedTuple):
    """What a sentence was drawn from: the key of its topic, and the source text of its pattern."""

    topic: str
    pattern: str


class Grammar:
    """The sentences of a language with their English."""

    def __init__(self, language: str, folder: Path = LANGUAGES):
        self.language = language
        self.folder = path = folder / language
        self.languages = (Inflection(path / "inflection.txt"), Inflection(folder / TARGET / "inflection.txt"))
        self.words = words.read(path / "words", self.languages)
        lemmas = frozenset(word.sides[0].text for word in self.words).union(word for _, word in self.inventory())
        self.cut = patterns.WORDS if self.languages[0].spaced else patterns.in_words(lemmas)
        groups = patterns.read(path / "patterns", frozenset(word.pos for word in self.words), self.cut)
        self.groups = [group for group in groups if group.kind == "topic"]
        self.phrases = [group for group in groups if group.kind == "phrase"]
        self.drawing = Drawing(self.words, self.phrases, self.languages)
        self._writers = (Writer(self.languages[0], 0), Writer(self.languages[1], 1))

    @property
    def space(self) -> str:
        """What stands between two sentences."""
        return " " if self.languages[0].spaced else ""

    def inventory(self) -> list[tuple[str, str]]:
        """The words that a beginner knows, each with its level."""
        return inventory(self.language, self.folder.parent)

    @property
    def patterns(self) -> Iterator[Pattern]:
        """Those of all topics and phrases."""
        return (pattern for group in (*self.groups, *self.phrases) for pattern in group.patterns)

    def draw(self, group: Group, rng: random.Random) -> Sentence:
        """A sentence of a topic; ValueError if none comes out."""
        for _ in range(_TRIES):
            [pattern] = rng.choices(group.patterns, cum_weights=group.sums)
            try:
                return self.write(self.drawing.pattern(pattern, rng))
            except (DeadEnd, NoForm):
                continue
        raise ValueError(f"topic {group.name!r} makes no sentences")

    def write(self, node: Node) -> Sentence:
        """Both texts of what was drawn; NoForm if a word lacks a form."""
        assert node.pattern
        tokens = (self._writers[0].tokens(node), self._writers[1].tokens(node))
        capital = PLAIN not in node.pattern.tags
        texts = (writer.text(each, capital=capital) for writer, each in zip(self._writers, tokens, strict=True))
        return Sentence(Pair(*texts), node, tokens)

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """The topics, each with its share of the draws."""
        return tuple(Topic(group.name, group.share, self._generator(group)) for group in self.groups)

    def _generator(self, group: Group):  # type: ignore[no-untyped-def]
        return lambda rng: self.draw(group, rng).pair

    @cached_property
    def fixed(self) -> dict[Pair, Kind]:
        """The sentences of patterns without slots, each with what it was drawn from."""
        patterns = [(group, pattern) for group in self.groups for pattern in group.patterns if not pattern.slots]
        found: dict[Pair, Kind] = {}
        for group, pattern in patterns:
            pair = self.write(self.drawing.pattern(pattern, random.Random(0))).pair
            found.setdefault(pair, Kind(group.name, pattern.source))
        return found

    def generate(self, seed: int, count: int) -> list[Pair]:
        """`count` pairs with different sources, the same for the same seed; ValueError if there are not so many."""
        return list(self.kinds(seed, count))

    def kinds(self, seed: int, count: int) -> dict[Pair, Kind]:
        """The same pairs, each with what it was drawn from."""
        kinds: dict[str, Kind] = {}

        def noting(group: Group) -> Topic:
            def one(rng: random.Random) -> Pair:
                sentence = self.draw(group, rng)
                assert sentence.node.pattern
                kinds.setdefault(sentence.pair.source, Kind(group.name, sentence.node.pattern.source))
                return sentence.pair

            return Topic(group.name, group.share, one)

        pairs = islice(drawn([noting(group) for group in self.groups], seed), count)
        return {pair: kinds[pair.source] for pair in pairs}

    def sentences(self, seed: int) -> Iterator[tuple[Group, Sentence]]:
        """Sentences without end with the share of each topic, the same ones twice too."""
        rng = random.Random(seed)
        shares = [group.share for group in self.groups]
        while True:
            [group] = rng.choices(self.groups, shares)
            yield group, self.draw(group, rng)

    def aligned(self, seed: int, count: int) -> list[Aligned]:
        """`count` held-out pairs with different sources and their alignment, with the share of each topic.

        None of patterns without slots, which a translator learns by heart.
        """
        result: dict[str, Aligned] = {}
        known = {pair.source for pair in self.fixed}
        for _, sentence in self.sentences(seed):
            if len(result) == count:
                break
            source = sentence.pair.source
            assert sentence.node.pattern
            if PLAIN not in sentence.node.pattern.tags and split_of(source) == "test" and source not in known:
                result.setdefault(source, self.gold(sentence))
        return list(result.values())

    def gold(self, sentence: Sentence) -> Aligned:
        """The words of a sentence that belong together in its two languages."""
        return gold.align(self._writers, sentence.tokens, sentence.pair, id(sentence.node))


def inventory(language: str, folder: Path = LANGUAGES) -> list[tuple[str, str]]:
    """The words that a beginner in a language knows, each with its level; none where no file lists them."""
    path = folder / language / INVENTORY
    sections = Rows(path).sections if path.exists() else {}
    return [(level, row[0]) for level, rows in sections.items() for row in rows]


@cache
def known() -> tuple[str, ...]:
    """Languages that have a grammar."""
    return tuple(sorted(path.parent.name for path in LANGUAGES.glob("*/patterns")))


@cache
def load(language: str) -> Grammar:
    """The grammar of a language, read once."""
    return Grammar(language)
