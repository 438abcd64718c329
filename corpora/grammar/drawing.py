"""Drawing from a grammar: which patterns and words a sentence is made of, before it is written in either language."""

import random
from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import accumulate, compress
from operator import or_

from corpora.grammar.inflection import Features, Inflection, features
from corpora.grammar.patterns import Drawn, Filter, Group, Pattern
from corpora.grammar.words import Entry

_BITS = bytes.maketrans(b"01", b"\0\1")  # 15 µs for 1,500 words, where a call of int for each digit takes 100
_FIRST = 20  # words are drawn again so often before one stands in a sentence twice


class DeadEnd(Exception):
    """What was drawn so far leaves no word for a slot."""


@dataclass(eq=False)
class Node:
    """A word, or a pattern with what its slots drew. `said` is what others agree with, in each language."""

    said: tuple[Features, Features]
    entry: Entry | None = None
    pattern: Pattern | None = None
    slots: dict[str, "Node"] = field(default_factory=dict)

    def attribute(self, key: str) -> str:
        """An attribute of the word, or of the pattern or its head; "" if there is none."""
        if self.entry:
            return self.entry.attributes.get(key, "")
        assert self.pattern
        own = self.pattern.attributes.get(key, "")
        head = self.slots.get(self.pattern.through)
        return own or (head.attribute(key) if head else "")


@dataclass
class _Choices:
    """What a category offers under some filters: words, or patterns with the running sum of their weights."""

    words: list[Entry]
    patterns: list[Pattern]
    sums: list[float]
    passed: list[tuple[Filter, ...]]  # by pattern, filters that its head has to meet


class _Words:
    """The words of a part of speech, and for each tag or attribute the bits of those that have it."""

    def __init__(self, entries: Sequence[Entry]):
        self.entries = entries
        self._having: dict[str, int] = {}
        self._of: dict[Features, int] = {}
        for at, entry in enumerate(entries):
            for each in entry.tags.union(entry.attributes):
                self._having[each] = self._having.get(each, 0) | 1 << at
            of = features(entry.attributes.get("of", ""))
            self._of[of] = self._of.get(of, 0) | 1 << at

    def fitting(self, filters: Iterable[Filter]) -> list[Entry]:
        """Those that meet all filters, in their order. To ask each word took most of the time of a new grammar."""
        bits = (1 << len(self.entries)) - 1
        for sign, wanted in filters:
            if sign == "~":
                found = [each for of, each in self._of.items() if of <= frozenset(wanted)]
            else:
                found = [self._having.get(each, 0) for each in wanted]
            met = reduce(or_, found, 0)
            bits &= ~met if sign == "-" else met
        return list(compress(self.entries, f"{bits:b}"[::-1].encode().translate(_BITS)))


class Drawing:
    """The words and phrases of a grammar, to draw from."""

    def __init__(self, words: Sequence[Entry], phrases: Sequence[Group], languages: tuple[Inflection, Inflection]):
        self.languages = languages
        by_pos: dict[str, list[Entry]] = {}
        for entry in words:
            by_pos.setdefault(entry.pos, []).append(entry)
        self._words = {pos: _Words(entries) for pos, entries in by_pos.items()}
        self._phrases: dict[str, list[Pattern]] = {}
        for group in phrases:
            self._phrases.setdefault(group.name, []).extend(group.patterns)
        self._choices: dict[tuple[str, tuple[Filter, ...], Features], _Choices] = {}

    def pattern(self, pattern: Pattern, rng: random.Random) -> Node:
        """Draw all slots of a sentence's pattern; DeadEnd if they do not suit each other."""
        return self._filled(pattern, (), {}, set(), rng)

    def choices(self, category: str, filters: tuple[Filter, ...] = (), number: Features = frozenset()) -> _Choices:
        """What a slot of this category can become; ValueError if nothing is called so."""
        key = (category, filters, number)
        if key not in self._choices:
            self._choices[key] = self._offered(category, filters, number)
        return self._choices[key]

    def _offered(self, category: str, filters: tuple[Filter, ...], number: Features) -> _Choices:
        if category in self._words:
            lacking = ("-", tuple(f"no-{each}" for each in number))
            return _Choices(self._words[category].fitting((*filters, lacking)), [], [], [])
        if category not in self._phrases:
            raise ValueError(f"no words and no phrase are called {category!r}")
        patterns, passed = [], []
        for pattern in self._phrases[category]:
            rest = _passed(pattern, filters)
            if rest is not None:
                head = pattern.slots.get(pattern.through)
                dynamic = head is not None and any(head.needs())
                if not rest or (head and (dynamic or self._any(head, rest))):
                    patterns.append(pattern)
                    passed.append(rest)
        return _Choices([], patterns, list(accumulate(pattern.weight for pattern in patterns)), passed)

    def _any(self, head: Drawn, more: tuple[Filter, ...]) -> bool:
        found = self.choices(head.category, (*head.filters, *more), head.number)
        return bool(found.words or found.patterns)

    def _filled(
        self, pattern: Pattern, passed: tuple[Filter, ...], above: dict[str, Node], used: set[Entry], rng: random.Random
    ) -> Node:
        slots: dict[str, Node] = {}
        for name in pattern.order:
            drawn = pattern.slots[name]
            filters = tuple(_resolved(each, {**above, **slots}) for each in drawn.filters)
            if name == pattern.through:
                filters += passed
            slots[name] = self._drawn(drawn, filters, {**above, **slots}, used, rng)
        head = slots.get(pattern.through)
        said: tuple[Features, ...] = head.said if head else (frozenset[str](),) * 2
        if pattern.tags:
            said = tuple(
                language.merged(each, pattern.tags) for language, each in zip(self.languages, said, strict=True)
            )
        return Node(said, pattern=pattern, slots=slots)  # type: ignore[arg-type]

    def _drawn(
        self, drawn: Drawn, filters: tuple[Filter, ...], above: dict[str, Node], used: set[Entry], rng: random.Random
    ) -> Node:
        offered = self.choices(drawn.category, filters, drawn.number)
        if offered.words:
            for _ in range(_FIRST):
                entry = offered.words[int(rng.random() * len(offered.words))]
                if entry not in used:
                    break
            used.add(entry)
            said: tuple[Features, ...] = entry.said
            if drawn.number:
                said = tuple(
                    language.merged(drawn.number, each) for language, each in zip(self.languages, said, strict=True)
                )
            return Node(said, entry=entry)  # type: ignore[arg-type]
        if not offered.patterns:
            raise DeadEnd(drawn.category)
        at = bisect(offered.sums, rng.random() * offered.sums[-1])
        at = min(at, len(offered.patterns) - 1)
        return self._filled(offered.patterns[at], offered.passed[at], above, used, rng)


def _passed(pattern: Pattern, filters: tuple[Filter, ...]) -> tuple[Filter, ...] | None:
    """The filters that the head of a pattern has to meet; None if the pattern itself does not meet one."""
    rest = []
    for sign, wanted in filters:
        has = any(each in pattern.tags or each in pattern.attributes for each in wanted)
        if sign == "-" and has:
            return None
        if sign == "+" and not has and not pattern.through:
            return None
        if (sign == "-" and pattern.through) or (sign == "+" and not has) or (sign == "~" and pattern.through):
            rest.append((sign, wanted))
    return tuple(rest)


def _resolved(filter_: Filter, nodes: dict[str, Node]) -> Filter:
    """The filter with what slots drew in place of their names."""
    sign, wanted = filter_
    if sign == "~":
        node = nodes.get(wanted[0])
        if node is None:
            raise DeadEnd(wanted[0])
        return sign, tuple(sorted(node.said[0]))
    if not any("." in each for each in wanted):
        return filter_
    tags: list[str] = []
    for each in wanted:
        slot, _, key = each.partition(".")
        node = nodes.get(slot)
        value = node.attribute(key) if node and key else each
        if not value:
            raise DeadEnd(each)
        tags += value.split("|")
    return sign, tuple(tags)
