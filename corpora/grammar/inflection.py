"""Inflection of one language, read from a file of tables: regular forms by patterns, exceptions as earlier rows.

`inflection.txt` has these sections; columns of rows are separated by ` = `, parts of a column by commas:

    @features        case = nom acc dat gen: features of which a form has one; a later one replaces an earlier one
    @parts           verb = lemma, pres.3sg, part: the principal parts that a row of the lexicon gives, in their order
    @articles        der = m: words before a noun of the lexicon, and what they say of it
    @writing         spaces = no: words are not separated; verb = last: of several words the last one is inflected;
                     plural = neutral: no gender in the plural; default = nom: what a form is besides the third person
                     singular; alone = ask: forms without the verb's other words; function = der die: words that mean
                     little
    @swaps           noun = m f mw: words of this part of speech that have these tags and the same of these attributes
                     (of `obj?`, one or none) may stand for one another (`corpora/swaps.py`)
    @joins           two words that become others: zu dem = zum; both may be regular expressions
    @verb weak < past.3sg : past.1sg, past.2sg
                     a table: of words of this part of speech that have these tags or are asked for these features,
                     made from this principal part (else the lemma), with these columns. In a row, a regular
                     expression for the part, then a form for each column, which may name groups (`\\1`) and other
                     forms of the word (`{ing}`). `-` is a form that does not exist.

Of all columns whose features are asked for, the one with the most counts; of two, the earlier one.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

NOTHING = "-"  # a form that a word does not have
_PERSON = re.compile(r"([123])(sg|pl)")
_REFERENCE = re.compile(r"\{([^}]+)\}")
Features = frozenset[str]


class NoForm(ValueError):
    """A word has no such form, or no table says how it is made."""


def features(text: str) -> Features:
    """`pres.3sg` -> pres, 3, sg."""
    return frozenset(filter(None, _PERSON.sub(r"\1.\2", text).split(".")))


def listed(text: str) -> tuple[str, ...]:
    """The parts of a column between commas; an empty one stays."""
    return tuple(part.strip() for part in text.split(","))


@dataclass(frozen=True)
class _Table:
    given: Features
    base: str
    columns: tuple[Features, ...]
    rows: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]


class Inflection:
    """The tables of a language."""

    def __init__(self, path: Path):
        self.path = path
        self.dimension: dict[str, str] = {}
        self.parts: dict[str, tuple[str, ...]] = {}
        self.articles: dict[str, Features] = {}
        self.writing: dict[str, str] = {}
        self.swaps: dict[str, tuple[str, ...]] = {}
        self._joins: list[tuple[re.Pattern[str], str]] = []
        self._any_join: re.Pattern[str] | None = None
        self._tables: dict[str, list[_Table]] = {}
        self._known: dict[str, set[str]] = {}
        self._forms: dict[tuple[object, ...], str] = {}
        self._merged: dict[tuple[Iterable[str], ...], Features] = {}
        self._read(path.read_text(encoding="utf-8"))

    def _read(self, text: str) -> None:
        head, rows = "", list[tuple[str, ...]]()
        for line in [*map(str.strip, text.splitlines()), "@"]:
            if line.startswith("@"):
                self._section(head, rows)
                head, rows = line[1:].strip(), []
            elif line and not line.startswith("#"):
                rows.append(tuple(map(str.strip, line.split(" = ") if " = " in line else line.split(" =", 1))))

    def _section(self, head: str, rows: list[tuple[str, ...]]) -> None:
        if head == "features":
            self.dimension |= {feature: row[0] for row in rows for feature in row[1].split()}
        elif head == "parts":
            self.parts |= {pos: listed(parts) for pos, parts in rows}
        elif head == "articles":
            self.articles |= {article: features(said) for article, said in rows}
        elif head == "writing":
            self.writing |= dict(rows)  # type: ignore[arg-type]
        elif head == "swaps":
            self.swaps |= {pos: tuple(names.split()) for pos, names in rows}
        elif head == "joins":
            self._joins = [(re.compile(left), right) for left, right in rows]
            self._any_join = re.compile("|".join(f"(?:{left})" for left, _ in rows)) if rows else None
        elif head:
            self._table(head, rows)

    def _table(self, head: str, rows: list[tuple[str, ...]]) -> None:
        name, _, columns = head.partition(":")
        name, _, base = name.partition("<")
        pos, *given = name.split()
        cells = [(re.compile(pattern), listed(forms)) for pattern, forms in rows]
        table = _Table(frozenset(given), base.strip() or "lemma", tuple(map(features, listed(columns))), tuple(cells))
        if wrong := [pattern.pattern for pattern, forms in cells if len(forms) != len(table.columns)]:
            raise ValueError(f"{self.path}: {wrong[0]!r} in '@{head}' has not {len(table.columns)} forms")
        self._tables.setdefault(pos, []).append(table)
        self._known.setdefault(pos, set()).update(table.given, *table.columns)

    def merged(self, *groups: Iterable[str]) -> Features:
        """All features; of those of which a form has one, the last."""
        if groups not in self._merged:
            result: dict[tuple[str, ...], str] = {}  # by dimension, or of a tag by itself
            for group in groups:
                for feature in group:
                    dimension = self.dimension.get(feature)
                    result[("", feature) if dimension is None else (dimension,)] = feature
            if self.writing.get("plural") == "neutral" and result.get(("number",)) == "pl":
                result.pop(("gender",), None)
            self._merged[groups] = frozenset(result.values())
        return self._merged[groups]

    @property
    def code(self) -> str:
        return self.path.parent.name

    @property
    def spaced(self) -> bool:
        return self.writing.get("spaces") != "no"

    @cached_property
    def features(self) -> Features:
        """All that a form can be asked for."""
        return frozenset(self.dimension).union(*self._known.values(), *map(features, chain(*self.parts.values())))

    def joined(self, left: str, right: str) -> list[str] | None:
        """What two words become side by side, one word or two; None if they stay."""
        both = f"{left} {right}"
        if self._any_join is None or not self._any_join.fullmatch(both):
            return None
        match, replacement = next((m, to) for pattern, to in self._joins if (m := pattern.fullmatch(both)))
        return match.expand(replacement).split()

    @property
    def verb_last(self) -> bool:
        return self.writing.get("verb") == "last"

    @cached_property
    def default(self) -> Features:
        """What a form is where nothing else is said."""
        return frozenset(("3", "sg", *self.writing.get("default", "").split()))

    @cached_property
    def alone(self) -> Features:
        """Features of forms of a verb without its other words, such as the auxiliary of a question."""
        return frozenset(self.writing.get("alone", "").split())

    @cached_property
    def function_words(self) -> frozenset[str]:
        """Words that mean little by themselves."""
        return frozenset(self.writing.get("function", "").split())

    def cells(self, pos: str) -> set[Features]:
        """What the forms of a part of speech can be asked for."""
        return {table.given | column for table in self._tables.get(pos, ()) for column in table.columns}

    def has(self, pos: str, lemma: str) -> bool:
        """Whether a row is about this word alone."""
        return any(pattern.pattern == lemma for table in self._tables.get(pos, ()) for pattern, _ in table.rows)

    def form(self, pos: str, parts: Mapping[str, str], tags: Features, wanted: Features) -> str:
        """The form of a word with these principal parts; NoForm if there is none."""
        named = {name: features(name) for name in parts if name != "lemma"}
        known = self._known.get(pos, set()).union(*named.values())
        wanted, tags = wanted & known, tags & known
        key = (pos, tuple(parts.items()), tags, wanted)
        if key not in self._forms:
            self._forms[key] = self._made(pos, parts, tags, wanted, named)
        if self._forms[key] == NOTHING:
            raise NoForm(f"{self.code}: {pos} {parts['lemma']!r} has no form {'.'.join(sorted(wanted))!r}")
        return self._forms[key]

    def _made(
        self, pos: str, parts: Mapping[str, str], tags: Features, wanted: Features, named: Mapping[str, Features]
    ) -> str:
        best, form = 0, ""
        for name, each in named.items():
            if each <= wanted and len(each) > best:
                best, form = len(each), parts[name]
        for table in self._tables.get(pos, ()):
            base = parts.get(table.base)
            if base is None or not table.given <= tags | wanted:
                continue
            fitting = [column for column in table.columns if column <= wanted]
            if not fitting:
                continue
            column = max(fitting, key=len)
            if (count := len(column) + len(table.given)) <= best:
                continue
            for pattern, forms in table.rows:
                if match := pattern.fullmatch(base):
                    made = match.expand(forms[table.columns.index(column)])
                    made = _REFERENCE.sub(lambda name: self.form(pos, parts, tags, features(name[1])), made)
                    best, form = count, made
                    break
        return form if best else NOTHING if pos in self._tables and wanted else parts["lemma"]
