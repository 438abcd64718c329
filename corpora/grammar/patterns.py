"""Patterns of a grammar: lines `weight = source = target = tags` under `@topic key share` or `@phrase name`.

A text has slots in braces. The first one of a name in the source says what is drawn:

    {o:noun +food|drink -hot acc}   slot `o`, a noun with one of these tags and without that one, in the accusative
    {v:verb +obj} {o:np +v.obj}     the tag is the attribute `obj` of what slot `v` drew (tags apart by `|`)
    {p:poss ~s}                     whose attribute `of` suits `s`: my after I
    {s}                             slot `s` again; alone at first it is of the category `s`

Further words are features of the form (`pres`, `acc`; `v.case`: the value of an attribute), and `=s` names the slot
that it agrees with: without it `s` or `n`, if the pattern has one, else what the pattern itself agrees with. Asked for
an attribute of the word (`{n mw}`), it is that. A name that is no slot and no category is a word of that language:
`{der}`, `{haben pres}`. Parts of a phrase stand apart by ` / `, and `{a/2}` is the second. `(x|y)` are alternatives; in
the target they go with the next ones of the source that are as many. In a phrase the slot `s`, `n` or the only one is
its head: filters and agreement pass through to it. `{v particle}` is where the particle of `v` stands.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, product
from pathlib import Path

from corpora.grammar.inflection import Features, features
from corpora.grammar.words import BARE, PARTICLE
from corpora.lexicon import Rows

HEADS = ("s", "n")  # slots with which the others agree
_PIECE = re.compile(r"\{[^}]*\}|[^\s{}]+|\s+")
_PART = re.compile(r"\s/(?=\s)")
_GROUP = re.compile(r"\(([^()]*\|[^()]*)\)")
_MARKS = frozenset(".,;:?!。，；：？！")  # no space before them
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

    @property
    def source(self) -> str:
        """The source text as the line has it, with all its alternatives."""
        return self.line.split(" = ")[1]

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

    @cached_property
    def sums(self) -> list[float]:
        """The running sum of the weights of its patterns."""
        return list(accumulate(pattern.weight for pattern in self.patterns))


Cut = Callable[[str], Iterable[str]]  # a text without spaces into words and marks
WORDS: Cut = _WORD.findall


def in_words(known: frozenset[str]) -> Cut:
    """Cut a language without spaces: the longest known word at each place, else one character."""
    longest = max(map(len, known), default=1)

    def cut(text: str) -> Iterator[str]:
        for run in _WORD.findall(text):
            at = 0 if run[0] > "⺀" else len(run)  # Latin letters and digits stay together
            if at:
                yield run
            while at < len(run):
                size = next(size for size in range(longest, 0, -1) if size == 1 or run[at : at + size] in known)
                yield run[at : at + size]
                at += size

    return cut


def read(folder: Path, categories: frozenset[str], cut: Cut = WORDS) -> list[Group]:
    """All groups of the files of a folder; ValueError names a line.

    categories  parts of speech
    cut         finds words in a source
    """
    files = [Rows(path) for path in sorted(folder.glob("*.txt"))]
    heads = [head.split() for rows in files for head in rows.sections]
    categories |= {head[1] for head in heads if head[:1] == ["phrase"]}
    groups = []
    for rows in files:
        for head, lines in rows.sections.items():
            kind, name, *share = head.split()
            patterns = [pattern for line in lines for pattern in _patterns(line, categories, cut)]
            groups.append(Group(kind, name, float(share[0]) if share else 0.0, tuple(patterns)))
    return groups


def _patterns(row: tuple[str, ...], categories: frozenset[str], cut: Cut) -> Iterator[Pattern]:
    """The patterns of a line, one for each combination of its alternatives."""
    line = " = ".join(row)
    if len(row) not in (3, 4):
        raise ValueError(f"{line!r} is not of the form 'weight = source = target = tags'")
    given = row[3].split() if len(row) == 4 else []
    tags = frozenset().union(*(features(tag) for tag in given if ":" not in tag))
    attributes = dict(tag.split(":", 1) for tag in given if ":" in tag)
    texts = list(_alternatives(*row[1:3]))
    for source, target in texts:
        slots: dict[str, Drawn] = {}
        sides = (_parts(source, slots, categories, cut), _parts(target, slots, categories))
        yield Pattern(line, float(row[0]) / len(texts), sides, slots, tags, attributes)


def contrasts(row: tuple[str, ...], categories: frozenset[str], cut: Cut) -> Iterator[tuple[Pattern, Pattern]]:
    """Both sentences of a line `source = target = source = target`, which share slots and what these draw.

    One for each combination of alternatives; those of the other three texts go with the first one's.
    """
    line = " = ".join(row)
    if len(row) != 4:
        raise ValueError(f"{line!r} is not of the form 'source = target = source = target'")
    for texts in _alternatives(*row):
        slots: dict[str, Drawn] = {}
        parts = [_parts(text, slots, categories, None if at % 2 else cut) for at, text in enumerate(texts)]
        yield Pattern(line, 1, (parts[0], parts[1]), slots), Pattern(line, 1, (parts[2], parts[3]), slots)


def _alternatives(first: str, *others: str) -> Iterator[tuple[str, ...]]:
    """All texts with one of each group: a group of another text goes with the next one of the first of its size."""
    left, *right = ([group.split("|") for group in _GROUP.findall(text)] for text in (first, *others))
    partners: list[list[int]] = []
    for text, groups in zip(others, right, strict=True):
        partner: list[int] = []
        for group in groups:
            alike = [at for at in range(len(left)) if len(left[at]) == len(group)]
            if not alike:
                raise ValueError(f"the alternatives of {first!r} and {text!r} do not go together")
            partner.append(next((at for at in alike if at not in partner), alike[-1]))
        partners.append(partner)
    for picked in product(*(range(len(group)) for group in left)):
        chosen = [[group[number] for group, number in zip(left, picked, strict=True)]]
        for groups, partner in zip(right, partners, strict=True):
            chosen.append([group[picked[at]] for group, at in zip(groups, partner, strict=True)])
        yield tuple(_filled(text, words) for text, words in zip((first, *others), chosen, strict=True))


def _filled(text: str, words: list[str]) -> str:
    """The text with a word for each of its groups."""
    following = iter(words)
    return _GROUP.sub(lambda _: next(following), text)


def _parts(
    text: str, slots: dict[str, Drawn], categories: frozenset[str], cut: Cut | None = None
) -> tuple[tuple[Item, ...], ...]:
    """The parts of a text; `cut` finds words in a source, and a target has none."""
    parts = [list(_items(part, slots, categories, cut)) for part in _PART.split(f" {text} ")]
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


def _items(text: str, slots: dict[str, Drawn], categories: frozenset[str], cut: Cut | None) -> Iterator[Item]:
    glued = False
    for piece in _PIECE.findall(text):
        if piece.isspace():
            glued = False
        elif piece.startswith("{"):
            yield _mention(piece[1:-1], slots, categories, is_source=cut is not None, glued=glued)
            glued = True
        else:
            for word in (cut or WORDS)(piece):
                yield Literal(word, glued or word in _MARKS)
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
