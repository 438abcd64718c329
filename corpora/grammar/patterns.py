"""Patterns of a grammar: lines `weight = source = target = tags` under `@topic key share: example | example`
or `@phrase name`.

A text has slots in braces. The first one of a name in the source says what is drawn:

    {o:noun +food|drink -hot acc}   slot `o`, a noun with one of these tags and without that one, in the accusative
    {v:verb +obj} {o:np +v.obj}     the tag is the attribute `obj` of what slot `v` drew (tags apart by `|`)
    {p:poss ~s}                     whose attribute `of` suits `s`: my after I
    {s}                             slot `s` again; alone at first it is of the category `s`

Further words are features of the form (`pres`, `acc`; `v.case`: the value of an attribute), and `=s` names the slot
that it agrees with: without it `n` or `s`, if the pattern has one, else what the pattern itself agrees with. Asked for
an attribute of the word (`{n mw}`), it is that. A name that is no slot and no category is a word of that language:
`{der}`, `{haben pres}`. Parts of a phrase stand apart by ` / `, and `{a/2}` is the second. `(x|y)` are alternatives; in
the target they go with those of the source, if both have as many. In a phrase the slot `n`, `s` or the only one is
its head: filters and agreement pass through to it. `{v particle}` is where the particle of `v` stands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, product
from pathlib import Path

from corpora.grammar.inflection import Features, features
from corpora.grammar.words import BARE, PARTICLE
from corpora.lexicon import Rows

HEADS = ("n", "s")  # slots with which the others agree
_PIECE = re.compile(r"\{[^}]*\}|[^\s{}]+|\s+")
_PART = re.compile(r"\s/(?=\s)")
_GROUP = re.compile(r"\(([^()]*\|[^()]*)\)")
_WORD = re.compile(r"[\w'’-]+|[^\w\s]")
Filter = tuple[str, tuple[str, ...]]  # "+", "-" or "~", and tags of which one is meant


@dataclass(frozen=True)
class Mention:
    """A slot or a word in a text. `asked` are features, `copied` attributes of slots that are features too."""

    name: str
    part: int = 0
    asked: Features = frozenset()
    copied: tuple[tuple[str, str], ...] = ()
    agrees: str = ""
    glued: bool = False  # no space before it


@dataclass(frozen=True)
class Literal:
    """A word of the text itself, or a mark."""

    text: str
    glued: bool = False


Item = Mention | Literal


@dataclass(frozen=True)
class Drawn:
    """What the first mention of a slot asks for."""

    category: str
    filters: tuple[Filter, ...] = ()
    number: Features = frozenset()

    def needs(self) -> Iterator[str]:
        """The slots whose attributes it takes."""
        for sign, tags in self.filters:
            yield from (tag.partition(".")[0] for tag in tags if "." in tag or sign == "~")


@dataclass(frozen=True, eq=False)
class Pattern:
    """One line. Each text is a list of parts, of which a sentence has one."""

    line: str
    weight: float
    texts: tuple[tuple[tuple[Item, ...], ...], tuple[tuple[Item, ...], ...]]
    slots: dict[str, Drawn]
    tags: Features = frozenset()
    attributes: dict[str, str] = field(default_factory=dict)

    @cached_property
    def head(self) -> str:
        """The slot with which others agree, if any."""
        return next((name for name in HEADS if name in self.slots), "")

    @cached_property
    def through(self) -> str:
        """The slot to which filters and agreement of a phrase pass."""
        return self.head or (next(iter(self.slots)) if len(self.slots) == 1 else "")

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The slots, each after those that it needs; the head first."""
        result: list[str] = []
        waiting = sorted(self.slots, key=lambda name: name != self.head)
        while waiting:
            ready = [
                name
                for name in waiting
                if all(need in result or need not in self.slots for need in self.slots[name].needs())
            ]
            if not ready:
                raise ValueError(f"in {self.line!r} slots need each other: {', '.join(waiting)}")
            result.append(ready[0])
            waiting.remove(ready[0])
        return tuple(result)


@dataclass(frozen=True, eq=False)
class Group:
    """The patterns of a topic or a phrase; `share` is of a topic."""

    kind: str
    name: str
    share: float
    patterns: tuple[Pattern, ...]
    examples: tuple[str, ...] = ()

    @cached_property
    def sums(self) -> list[float]:
        """The running sum of the weights of its patterns."""
        return list(accumulate(pattern.weight for pattern in self.patterns))


def read(folder: Path, categories: frozenset[str]) -> list[Group]:
    """All groups of the files of a folder. `categories` are the parts of speech; ValueError names a line."""
    files = [Rows(path) for path in sorted(folder.glob("*.txt"))]
    heads = [head.partition(":")[0].split() for rows in files for head in rows.sections]
    categories |= {head[1] for head in heads if head[:1] == ["phrase"]}
    groups = []
    for rows in files:
        for head, lines in rows.sections.items():
            head, _, examples = head.partition(":")
            kind, name, *share = head.split()
            patterns = [pattern for line in lines for pattern in _patterns(line, categories)]
            said = tuple(filter(None, map(str.strip, examples.split("|"))))
            groups.append(Group(kind, name, float(share[0]) if share else 0.0, tuple(patterns), said))
    return groups


def _patterns(row: tuple[str, ...], categories: frozenset[str]) -> Iterator[Pattern]:
    """The patterns of a line, one for each combination of its alternatives."""
    line = " = ".join(row)
    if len(row) not in (3, 4):
        raise ValueError(f"{line!r} is not of the form 'weight = source = target = tags'")
    given = row[3].split() if len(row) == 4 else []
    tags = frozenset().union(*(features(tag) for tag in given if ":" not in tag))
    attributes = dict(tag.split(":", 1) for tag in given if ":" in tag)
    texts = list(_alternatives(row[1], row[2]))
    for source, target in texts:
        slots: dict[str, Drawn] = {}
        sides = tuple(_parts(text, slots, categories, is_source=text is source) for text in (source, target))
        yield Pattern(line, float(row[0]) / len(texts), sides, slots, tags, attributes)  # type: ignore[arg-type]


def _alternatives(source: str, target: str) -> Iterator[tuple[str, str]]:
    left, right = _GROUP.findall(source), _GROUP.findall(target)
    choices = [group.split("|") for group in left]
    together = [len(group.split("|")) for group in left] == [len(group.split("|")) for group in right]
    for picked in product(*(range(len(choice)) for choice in choices)):
        texts = [source, target]
        for at, number in enumerate(picked):
            texts[0] = texts[0].replace(f"({left[at]})", choices[at][number], 1)
            if together:
                texts[1] = texts[1].replace(f"({right[at]})", right[at].split("|")[number], 1)
        yield texts[0], texts[1]


def _parts(
    text: str, slots: dict[str, Drawn], categories: frozenset[str], *, is_source: bool
) -> tuple[tuple[Item, ...], ...]:
    parts = [list(_items(part, slots, categories, is_source=is_source)) for part in _PART.split(f" {text} ")]
    with_particle = {
        (item.name, item.part)
        for part in parts
        for item in part
        if isinstance(item, Mention) and PARTICLE in item.asked
    }
    return tuple(tuple(_bare(item, with_particle) for item in part) for part in parts)


def _bare(item: Item, with_particle: set[tuple[str, int]]) -> Item:
    """A verb whose particle stands elsewhere."""
    if isinstance(item, Literal) or PARTICLE in item.asked or (item.name, item.part) not in with_particle:
        return item
    return Mention(item.name, item.part, item.asked | {BARE}, item.copied, item.agrees, item.glued)


def _items(text: str, slots: dict[str, Drawn], categories: frozenset[str], *, is_source: bool) -> Iterator[Item]:
    glued = False
    for piece in _PIECE.findall(text):
        if piece.isspace():
            glued = False
        elif piece.startswith("{"):
            yield _mention(piece[1:-1], slots, categories, is_source=is_source, glued=glued)
            glued = True
        else:
            for word in _WORD.findall(piece):
                yield Literal(word, glued)
                glued = True


def _mention(
    text: str, slots: dict[str, Drawn], categories: frozenset[str], *, is_source: bool, glued: bool
) -> Mention:
    first, *words = text.split()
    first, _, part = first.partition("/")
    name, _, category = first.partition(":")
    if "/" in category:
        category, _, part = category.partition("/")
    filters = tuple((word[0], tuple(word[1:].split("|"))) for word in words if word[0] in "+-~")
    asked = [word for word in words if word[0] not in "+-~="]
    copied = tuple((slot, key) for slot, _, key in (word.partition(".") for word in asked) if slot in slots)
    named = frozenset().union(*(features(word) for word in asked if word.partition(".")[0] not in slots))
    if not category and name not in slots:
        category = name if name in categories else name.rstrip("0123456789")
    if name not in slots and category in categories:
        if not is_source:
            raise ValueError(f"slot {name!r} is not in the source: {text!r}")
        slots[name] = Drawn(category, filters, named & {"sg", "pl"})
    elif filters:
        raise ValueError(f"only the first {name!r} can ask for tags: {text!r}")
    agrees = next((word[1:] for word in words if word.startswith("=")), "")
    return Mention(name, int(part or 1) - 1, named, copied, agrees, glued)
