"""The dictionary: nouns, verbs, adjectives, places and times, read from the text files in `lexicon/`."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from corpora import lexicon

FOLDER = Path(__file__).parent / "lexicon"
Gender = Literal["m", "f", "n"]
GENDER: dict[str, Gender] = {"der": "m", "die": "f", "das": "n"}


class Phrase(NamedTuple):
    """A German phrase and its English."""

    de: str
    en: str


@dataclass(frozen=True)
class Noun:
    """A noun in both languages; `plural` or `singular` is empty where there is none."""

    gender: Gender
    singular: str
    plural: str
    weak: bool
    en: str
    en_plural: str
    en_always_plural: bool
    en_mass: bool
    section: str


@dataclass(frozen=True)
class Verb:
    """A verb; `er` is its third person if irregular, `prefix` its separable part."""

    infinitive: str
    prefix: str
    er: str
    participle: str
    auxiliary: str
    stative: bool
    under_way: bool  # -ing in English without a time too: we are going, I'm waiting
    en: str
    en_past: str
    en_participle: str


@dataclass(frozen=True)
class Place:
    """Where one goes and where one is."""

    to: Phrase
    at: Phrase


def sections(name: str) -> dict[str, list[tuple[str, str]]]:
    """The lines `left = right` of a lexicon file, by `@section`."""
    return lexicon.sections(FOLDER / name)


def phrases(name: str) -> dict[str, tuple[Phrase, ...]]:
    """A file of phrases, by section."""
    return {key: tuple(Phrase(*row) for row in rows) for key, rows in sections(name).items()}


def english_plural(singular: str) -> str:
    """The regular plural: -s, -es or -ies."""
    if re.search(r"[^aeiou]y$", singular):
        return singular[:-1] + "ies"
    return singular + ("es" if re.search(r"(s|x|sh|ch)$", singular) else "s")


def _noun(left: str, right: str, section: str) -> Noun:
    article, rest = left.split(" ", 1)
    singular, _, plural = rest.partition(", ")
    weak = singular.endswith("*")
    singular, plural = singular.rstrip("*").strip("-") if singular != "-" else "", plural.strip("- ")
    english, _, english_many = right.partition(", ")
    always_plural, mass = right.endswith("+"), right.endswith("*") or not plural
    english, english_many = english.rstrip("+*").strip("-"), english_many.rstrip("+*").strip("-")
    if always_plural or mass:
        english = english_many = english or english_many
    english_many = english_many or english_plural(english)
    return Noun(
        GENDER[article], singular, plural, weak, english or english_many, english_many, always_plural, mass, section
    )


def _verb(left: str, right: str) -> Verb:
    forms, participle = left.split("; ")
    infinitive, _, er = forms.partition(", ")
    auxiliary = "sein" if participle.startswith("ist ") else "haben"
    prefix, bar, base = infinitive.rstrip("!~").partition("|")
    english = right.split(", ")
    past = english[1] if len(english) > 1 else english_past(english[0])
    return Verb(
        base if bar else prefix,
        prefix if bar else "",
        er,
        participle.removeprefix("ist "),
        auxiliary,
        infinitive.endswith("!"),
        infinitive.endswith("~"),
        english[0],
        past,
        english[2] if len(english) > 2 else past,
    )


def english_past(phrase: str) -> str:
    """The regular past of a phrase's first word: asked, lived, tidied up."""
    verb, space, rest = phrase.partition(" ")
    if re.search(r"[^aeiou]y$", verb):
        past = verb[:-1] + "ied"
    elif verb.endswith("e"):
        past = verb + "d"
    elif re.fullmatch(r"[^aeiou]*[aeiou][bdgmnptl]", verb) or verb in ("travel", "cancel"):
        past = verb + verb[-1] + "ed"
    else:
        past = verb + "ed"
    return past + space + rest


NOUNS = {key: tuple(_noun(*row, key) for row in rows) for key, rows in sections("nouns.txt").items()}
NOUN = {noun.singular or noun.plural: noun for group in NOUNS.values() for noun in group}
VERB = {}
for _rows in sections("verbs.txt").values():
    for _left, _right in _rows:
        VERB[_left.split(";")[0].split(",")[0].replace("|", "").rstrip("!~")] = _verb(_left, _right)
ADJECTIVES = phrases("adjectives.txt")
TIMES = phrases("times.txt")


def _place(left: str, right: str) -> Place:
    (to, at), (en_to, en_at) = left.split(" | "), right.split(" | ")
    return Place(Phrase(to, en_to), Phrase(at, en_at))


PLACES = {key: tuple(_place(*row) for row in rows) for key, rows in sections("places.txt").items()}
