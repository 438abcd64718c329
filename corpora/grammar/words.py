"""Words of a grammar: rows `source = target = tags` of its lexicon, under `@part-of-speech tag tag`.

A column begins with the lemma, then come principal parts, as `@parts` of the language names them; none is `-`. In a
lemma, `ab|holen` and `pick|up` have a particle that may stand elsewhere. Of several words of a verb one is inflected:
`Rad fahren`, `ride a bike`. A tag `mw:本` gives an attribute its value, `en:pl` is what holds in one language alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from corpora.grammar.inflection import NOTHING, Features, Inflection, features, listed
from corpora.lexicon import Rows

PARTICLE, BARE = "particle", "bare"  # asked of a verb: its particle alone; all but its particle


@dataclass(frozen=True, eq=False)
class Side:
    """A word in one language: principal parts of the inflected word by name, its particle, and the words around it."""

    parts: dict[str, str]
    particle: str = ""
    before: str = ""
    after: str = ""

    @cached_property
    def text(self) -> str:
        return " ".join(filter(None, (self.before, self.parts["lemma"], self.particle or self.after)))


@dataclass(frozen=True, eq=False)
class Entry:
    """A word in both languages. `tags` are what patterns ask for; `said` is what others agree with, by language."""

    pos: str
    sides: tuple[Side, Side]
    tags: Features
    said: tuple[Features, Features]
    attributes: dict[str, str] = field(default_factory=dict)
    row: str = ""


def read(folder: Path, languages: tuple[Inflection, Inflection]) -> list[Entry]:
    """All words of the files of a folder, each row once; ValueError names a row that cannot be read."""
    return [entry for path in sorted(folder.glob("*.txt")) for entry in _entries(path, languages)]


def _entries(path: Path, languages: tuple[Inflection, Inflection]) -> Iterator[Entry]:
    for head, rows in Rows(path).sections.items():
        pos, *common = head.split()
        for row in rows:
            text = " = ".join(row)
            if len(row) not in (2, 3):
                raise ValueError(f"{path.name}: {text!r} is not of the form 'word = word = tags'")
            said = set[str]()
            sides = tuple(
                _side(pos, column, language, said) for column, language in zip(row[:2], languages, strict=True)
            )
            given = [*common, *(row[2].split() if len(row) == 3 else ())]
            attributes = dict(tag.split(":", 1) for tag in given if ":" in tag)
            tags = frozenset(said).union(*(features(tag) for tag in given if ":" not in tag))
            alone = [features(attributes.pop(language.code, "")) for language in languages]
            agrees = tuple(language.merged(tags, own) for language, own in zip(languages, alone, strict=True))
            attributes = {key: value.replace("_", " ") for key, value in attributes.items()}
            yield Entry(pos, sides, tags, agrees, attributes, text)  # type: ignore[arg-type]


def _side(pos: str, column: str, language: Inflection, said: set[str]) -> Side:
    """One language of a row; what its article and missing parts say is added to `said`."""
    lemma, *others = listed(column)
    article, _, rest = lemma.partition(" ")
    if article in language.articles and rest:
        said |= language.articles[article]
        lemma = rest
    names = language.parts.get(pos, ("lemma",))
    parts = dict(zip(names, (lemma, *others), strict=False))
    if len(others) >= len(names):
        raise ValueError(f"{column!r} has more parts than {', '.join(names)}")
    said |= {f"no-{name}" for name in names[1:] if parts.get(name, "") == NOTHING}
    before = particle = after = ""
    if pos == "verb":
        if language.verb_last:
            before, _, lemma = lemma.rpartition(" ")
            particle, _, lemma = lemma.rpartition("|")
        elif "|" in lemma:
            lemma, _, particle = lemma.partition("|")
        else:
            lemma, _, after = lemma.partition(" ")
    parts["lemma"] = lemma
    given = {name: part.removeprefix(particle) for name, part in parts.items() if part}
    return Side(given, particle, before, after)
