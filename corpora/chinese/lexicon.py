"""The dictionary: nouns with measure words, verbs, people, places and times, read from the files in `lexicon/`."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from corpora import lexicon

FOLDER = Path(__file__).parent / "lexicon"


class Phrase(NamedTuple):
    """A Chinese phrase and its English."""

    zh: str
    en: str


NOTHING = Phrase("", "")


@dataclass(frozen=True)
class Noun:
    """A noun with its measure word; `unit` is what English counts instead: a glass of water."""

    zh: str
    measure: str
    en: str
    en_many: str
    unit: str
    unit_many: str
    always_plural: bool
    section: str

    @property
    def counted(self) -> bool:
        """Whether English counts the thing itself."""
        return not self.unit


@dataclass(frozen=True)
class Person:
    """Person of a sentence: subject, object, my and mine in English; `many` is said of the verb."""

    zh: str
    en: str
    en_object: str
    my: str
    mine: str
    many: bool = False
    pronoun: bool = False


@dataclass(frozen=True)
class Activity:
    """Activity: a verb that 了 and 过 can follow, its object, and the English verb phrase."""

    verb: str
    obj: str
    en: str

    @property
    def zh(self) -> str:
        return self.verb + self.obj


@dataclass(frozen=True)
class Place:
    """A place, the way to it and being there in English."""

    zh: str
    to: str
    at: str
    en: str
    section: str


def sections(name: str) -> dict[str, list[tuple[str, str]]]:
    """The lines `left = right` of a lexicon file, by `@section`."""
    return lexicon.sections(FOLDER / name)


def phrases(name: str) -> dict[str, tuple[Phrase, ...]]:
    """A file of phrases, by section."""
    return {key: tuple(Phrase(*row) for row in rows) for key, rows in sections(name).items()}


def listed(text: str) -> tuple[str, ...]:
    """The parts of a list with commas."""
    return tuple(part.strip() for part in text.split(","))
