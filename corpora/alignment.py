"""Gold word alignment of a generated pair: which words of both sentences the same choice of the grammar made.

A grammar writes both sentences from the same draws. `Draws` notes them while it does, so the text stays what it is;
a language says which words each draw can become (`Slot`), and `align` finds them in both sentences.

Sure links join a word of the source with the words that only it can have become; possible links are those that one
may draw or leave out (Och & Ney 2003):

- A slot's content words are joined in order if both sides have as many. One content word of the source is joined with
  all of the target. If the target has one and the source several, it is joined with those of the slot's first part.
- Of a slot, all other pairs are possible, function words included. So are the helping verbs before a verb.
- What no slot made (the frame of a sentence, a dropped article) is possible with everything else that none made, and
  with the source of the next word to its right.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from corpora.grammar.gold import Aligned, Link, Span
from corpora.pairs import Pair, split_of
from corpora.topic_sampling import Topic

_HELPERS = "am is are was were be been 'm 're 's do does did have has had will would to going can could"
_FUNCTION_WORDS = "a an the to of at in into on for by with from about some any 's ' and"
HELPERS, FUNCTION_WORDS = frozenset(_HELPERS.split()), frozenset(_FUNCTION_WORDS.split())
_NEAR = 2  # units that may stand between a verb and its particle or object
_HELPED = 4  # units before a verb among which its helping verbs are looked for
_UNITS = re.compile(r"n't|'\w*|\w+?(?=n't)|[\w-]+|[^\w\s]")
_CHARACTERS = re.compile(r"[A-Za-z]+|\d+|[^\w\s]|\w")
_WORDS = re.compile(r"[\w'-]+|[^\w\s]")


class Draws(random.Random):
    """A source of random numbers that notes what is chosen from a list."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self.drawn: list[object] = []

    def choice(self, seq):  # type: ignore[no-untyped-def]
        drawn = super().choice(seq)
        self.drawn.append(drawn)
        return drawn

    def sample(self, population, k, *, counts=None):  # type: ignore[no-untyped-def]
        drawn = super().sample(population, k, counts=counts)
        self.drawn += drawn
        return drawn


Forms = tuple[str, ...]  # texts, of which the sentence has one


@dataclass(frozen=True)
class Slot:
    """What one draw can become: parts of the source and parts of the target, each in one of its forms.

    tail         parts of the source that may be missing, such as a separable prefix
    is_verb      whether helping verbs may stand before it in the target
    determiners  words that may stand before it in the source, each with the words that it becomes
    """

    source: tuple[Forms, ...]
    target: tuple[Forms, ...]
    tail: Forms = ()
    is_verb: bool = False
    determiners: Mapping[str, Forms] = field(default_factory=dict, hash=False)


def aligned(
    topics: Sequence[Topic], slots: Callable[[Sequence[object]], Iterable[Slot]], seed: int, count: int,
    function_words: frozenset[str], *, spaced: bool = True,
) -> list[Aligned]:  # fmt: skip
    """`count` held-out pairs with different sources and their alignment, drawn with the share of each topic."""
    rng, result = Draws(seed), dict[str, Aligned]()
    weights = [topic.weight for topic in topics]
    while len(result) < count:
        [topic] = rng.choices(topics, weights)
        rng.drawn = []
        pair = topic.generator(rng)
        if split_of(pair.source) == "test" and pair.source not in result:
            result[pair.source] = align(pair, slots(rng.drawn), function_words, spaced=spaced)
    return list(result.values())


@dataclass
class _Side:
    """The units of a sentence, those that no slot has made so far, and the words that they belong to."""

    texts: list[str]
    spans: list[Span]
    free: list[bool]
    word: list[int]

    @classmethod
    def of(cls, text: str, *, spaced: bool) -> "_Side":
        found = list((_UNITS if spaced else _CHARACTERS).finditer(text))
        words = list(_WORDS.finditer(text)) if spaced else found
        spans = [match.span() for match in found]
        word = [next(n for n, each in enumerate(words) if each.start() <= start < each.end()) for start, _ in spans]
        return cls([match[0].lower() for match in found], spans, [True] * len(found), word)

    def find(self, forms: Forms, *, spaced: bool, near: range | None = None) -> range | None:
        """The first free run of units that is one of the forms, the longest form first; it begins in `near`."""
        for wanted in _in_units(forms, spaced):
            for start in near or range(len(self.texts)):
                run = range(start, start + len(wanted))
                if self.texts[start : run.stop] == wanted and all(self.free[start : run.stop]):
                    return run
        return None

    def take(self, runs: Iterable[Iterable[int]]) -> None:
        for run in runs:
            for at in run:
                self.free[at] = False

    def join(self, run: range) -> None:
        """Make one word of a run of characters."""
        for at in run:
            self.word[at] = self.word[run.start]

    def words(self) -> tuple[tuple[Span, ...], list[int]]:
        """The spans of the words, and for each unit the number of its word."""
        numbers = {word: number for number, word in enumerate(dict.fromkeys(self.word))}
        each = [numbers[word] for word in self.word]
        spans = [
            [span for span, number in zip(self.spans, each, strict=True) if number == n] for n in range(len(numbers))
        ]
        return tuple((every[0][0], every[-1][1]) for every in spans), each


@cache
def _in_units(forms: Forms, spaced: bool) -> tuple[list[str], ...]:
    """The forms cut into units, the longest first."""
    cut = _UNITS if spaced else _CHARACTERS
    each = [[match[0].lower() for match in cut.finditer(form)] for form in forms]
    return tuple(sorted(filter(None, each), key=len, reverse=True))


def align(pair: Pair, slots: Iterable[Slot], function_words: frozenset[str], *, spaced: bool = True) -> Aligned:
    """The links of a pair; slots come first that are to be looked for first.

    function_words  of the source, in lower case
    spaced          whether the source has spaces between words; of Chinese, a run that a slot made is a word
    """
    source, target = _Side.of(pair.source, spaced=spaced), _Side.of(pair.target, spaced=True)
    links = _Links(source, target, function_words, spaced)
    for slot in slots:
        while links.fill(slot):
            pass
    links.rest()
    source_words, of_source = source.words()
    target_words, of_target = target.words()
    sure, possible = (
        frozenset((of_source[i], of_target[j]) for i, j in each) for each in (links.sure, links.sure | links.possible)
    )
    return Aligned(pair, source_words, target_words, sure, possible)


@dataclass
class _Links:
    """Links between units of the two sides, gathered slot by slot."""

    source: _Side
    target: _Side
    function_words: frozenset[str]
    spaced: bool
    sure: set[Link] = field(default_factory=set)
    possible: set[Link] = field(default_factory=set)

    def fill(self, slot: Slot) -> bool:
        """Link what the slot made, if it is found on both sides."""
        left = _found(self.source, slot.source, spaced=self.spaced)
        right = _found(self.target, slot.target, spaced=True, within=_NEAR if slot.is_verb else None)
        if left is None or right is None:
            return False
        self.source.take(left)
        self.target.take(right)
        tail = self.source.find(slot.tail, spaced=self.spaced)
        if not self.spaced:
            for run in left:
                self.source.join(run)
        self.sure.update(self._joined(left, right[:1] if tail else right))
        every = [*left, *([tail] if tail else [])]
        self.source.take(every[len(left) :])
        self._may([at for run in every for at in run], [at for run in right for at in run])
        if slot.is_verb:
            self._help(every, right[0].start)
        self._determine(slot, left[0].start, right[0].start)
        return True

    def _joined(self, left: Sequence[range], right: Sequence[range]) -> Iterator[Link]:
        """The sure links of a slot."""
        froms = [self._content(run) for run in left]
        if not self.spaced:  # a run of characters is one word
            froms = [[run.start] for run in left if not self._is_function(run)] or [[run.start] for run in left]
        source, target = (
            [at for each in froms for at in each],
            [at for run in right for at in _content(self.target, run)],
        )
        if len(source) == 1:
            return iter([(source[0], at) for at in target])
        if len(source) == len(target):
            return iter(zip(source, target, strict=True))
        return iter([(at, target[0]) for at in froms[0]] if len(target) == 1 and len(froms) > 1 else ())

    def _is_function(self, run: range) -> bool:
        return "".join(self.source.texts[run.start : run.stop]) in self.function_words

    def _content(self, run: range) -> list[int]:
        words = [at for at in run if self.source.texts[at] not in self.function_words]
        return words or list(run)

    def _may(self, left: Iterable[int], right: Iterable[int]) -> None:
        self.possible |= {(i, j) for i in left for j in right}

    def _help(self, left: Sequence[range], verb: int) -> None:
        """Helping verbs before a verb are possible with all of its source."""
        near = range(max(0, verb - _HELPED), verb)
        helpers = [at for at in near if self.target.free[at] and self.target.texts[at] in HELPERS]
        self._may([at for run in left for at in run], helpers)

    def _determine(self, slot: Slot, left: int, right: int) -> None:
        """The determiner of a noun becomes that of its translation; one adjective may stand between."""
        for i in range(left - 1, max(-1, left - 3), -1):
            for j in range(right - 1, max(-1, right - 3), -1):
                wanted = slot.determiners.get(self.source.texts[i], ()) if self.source.free[i] else ()
                if self.target.free[j] and self.target.texts[j] in wanted:
                    self.sure.add((i, j))
                    self.source.take([[i]])
                    self.target.take([[j]])
                    return

    def rest(self) -> None:
        """What no slot made is possible with all the rest, and with the source of the next word on its right."""
        sources = [at for at, is_free in enumerate(self.source.free) if is_free]
        for j, is_free in enumerate(self.target.free):
            if is_free:
                self._may(sources, [j])
                following = sorted((b, a) for a, b in self.sure if b > j and self.target.texts[b][0].isalnum())
                self._may([a for b, a in following if b == following[0][0]], [j])


def _found(side: _Side, parts: Sequence[Forms], *, spaced: bool, within: int | None = None) -> list[range] | None:
    """A free run for each part, each beginning at most `within` units after the one before; or None."""
    runs: list[range] = []
    before = list(side.free)
    for forms in parts:
        near = range(runs[-1].stop, runs[-1].stop + within + 1) if runs and within is not None else None
        run = side.find(forms, spaced=spaced, near=near)
        if run is None:
            break
        runs.append(run)
        side.take([run])
    side.free[:] = before
    return runs if len(runs) == len(parts) else None


def _content(side: _Side, run: range) -> list[int]:
    words = [at for at in run if side.texts[at] not in FUNCTION_WORDS]
    return words or list(run)
