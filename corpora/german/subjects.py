"""Subjects of sentences: pronouns, names and people, with the pronouns that go with them."""

import random
from dataclasses import dataclass

from corpora.german.declension import Case, noun_phrase
from corpora.german.lexicon import NOUN, NOUNS, Noun, Phrase
from corpora.german.phrases import column, pairs

FORM = {"ich": 0, "du": 1, "er": 2, "sie": 2, "es": 2, "wir": 3, "ihr": 4, "sie-pl": 5, "Sie": 5}
ENGLISH = pairs("subjects.english")
ACCUSATIVE = pairs("subjects.accusative")
DATIVE = pairs("subjects.dative")
ENGLISH_OBJECT = pairs("subjects.english_object")
REFLEXIVE = {**ACCUSATIVE, "er": "sich", "sie": "sich", "es": "sich", "sie-pl": "sich", "Sie": "sich"}
OWN = pairs("subjects.own")
WOMEN = column("subjects.women")
MEN = column("subjects.men")
ADDRESS = {"Frau ": "Ms ", "Herr ": "Mr "}


@dataclass(frozen=True)
class Subject:
    """A subject in both languages; `key` is the pronoun it would be replaced by."""

    de: str
    en: str
    key: str

    @property
    def person(self) -> int:
        """Row of the verb table, 0-5."""
        return FORM[self.key]

    @property
    def en_plural(self) -> bool:
        """Whether the English verb is plural."""
        return self.key in ("wir", "ihr", "sie-pl", "Sie", "du")


def pronoun(key: str) -> Subject:
    """The pronoun itself as subject."""
    return Subject(key.removesuffix("-pl"), ENGLISH[key], key)


def name(rng: random.Random) -> Subject:
    """A first name or a surname with its title."""
    woman = rng.random() < 0.5
    german = rng.choice(WOMEN if woman else MEN)
    return Subject(german, english_name(german), "sie" if woman else "er")


def english_name(german: str) -> str:
    """Frau Müller -> Ms Müller."""
    for title, english in ADDRESS.items():
        german = german.replace(title, english)
    return german


def key_of(noun: Noun, plural: bool) -> str:
    """The pronoun for a noun."""
    return "sie-pl" if plural or not noun.singular else {"m": "er", "f": "sie", "n": "es"}[noun.gender]


KNOWN = ("Lehrer", "Lehrerin", "Kollege", "Kollegin", "Chef", "Chefin", "Vermieter", "Vermieterin", "Arzt", "Ärztin")


def people(rng: random.Random) -> Subject:
    """die Frau, meine Schwester, unser Lehrer, die Kinder."""
    section = rng.choice(("relative", "relative", "person", "staff"))
    noun = rng.choice(NOUNS[section])
    plural = bool(noun.plural) and noun.singular not in ("Vater", "Mutter", "Opa", "Oma") and rng.random() < 0.2
    kind = "der"
    while noun.singular == "Techniker":
        noun = rng.choice(NOUNS[section])
    if section == "relative":
        kind = rng.choice(("mein", "mein", "dein", "sein", "ihr", "unser"))
    elif section == "staff":
        kind = rng.choice(("der", "der", "mein", "unser")) if noun.singular in KNOWN else "der"
    phrase = noun_phrase(noun, kind, "nom", plural=plural)
    return Subject(phrase.de, phrase.en, key_of(noun, plural))


def couple(rng: random.Random) -> Subject:
    """Anna und Tom."""
    first, second = rng.choice(WOMEN[:16]), rng.choice(MEN[:13])
    pair = (first, second) if rng.random() < 0.5 else (second, first)
    return Subject(" und ".join(pair), " and ".join(pair), "sie-pl")


def statement_subject(rng: random.Random) -> Subject:
    """A subject that can open a statement: mostly pronouns, no formal Sie."""
    roll = rng.random()
    if roll < 0.58:
        return pronoun(rng.choice(("ich", "ich", "ich", "du", "er", "er", "sie", "sie", "wir", "wir", "ihr", "sie-pl")))
    return name(rng) if roll < 0.74 else people(rng) if roll < 0.94 else couple(rng)


def middle_subject(rng: random.Random) -> Subject:
    """A subject after the verb, where Sie is told from sie by its capital."""
    return pronoun("Sie") if rng.random() < 0.12 else statement_subject(rng)


def asked_subject(rng: random.Random) -> Subject:
    """A subject of a question."""
    roll = rng.random()
    if roll < 0.68:
        return pronoun(rng.choice(("du", "du", "du", "ihr", "ihr", "Sie", "Sie", "Sie", "er", "sie", "sie-pl")))
    return name(rng) if roll < 0.86 else people(rng)


def person_object(rng: random.Random, subject: Subject, case: Case) -> Phrase:
    """A person as object: a pronoun, a name or a noun phrase, not the subject itself."""
    roll = rng.random()
    if roll < 0.45:
        table = ACCUSATIVE if case == "acc" else DATIVE
        excluded = {
            "ich": ("ich", "wir"),
            "wir": ("ich", "wir"),
            "du": ("du", "ihr", "Sie"),
            "ihr": ("du", "ihr", "Sie"),
            "Sie": ("du", "ihr", "Sie"),
        }.get(subject.key, (subject.key,))
        key = rng.choice([key for key in table if key not in (*excluded, "es")])
        return Phrase(table[key], ENGLISH_OBJECT[key])
    if roll < 0.6:
        other = name(rng)
        while other.de in subject.de or other.de.startswith("Herr"):
            other = name(rng)
        return Phrase(other.de, other.en)
    return relative(rng, subject, case) if roll < 0.85 else acquaintance(rng, case)


def relative(rng: random.Random, subject: Subject, case: Case) -> Phrase:
    """The subject's own relative: meinen Bruder, ihrer Oma."""
    phrase = noun_phrase(
        rng.choice(NOUNS["relative"]),
        OWN.get(subject.key) or rng.choice(("mein", "dein", "sein", "ihr", "unser")),
        case,
        plural=rng.random() < 0.1,
    )
    return Phrase(phrase.de, phrase.en) if phrase.de.split()[-1] not in subject.de else acquaintance(rng, case)


def acquaintance(rng: random.Random, case: Case) -> Phrase:
    """den Nachbarn, der Lehrerin, den Kindern."""
    nouns = (
        "Mann",
        "Frau",
        "Kind",
        "Nachbar",
        "Nachbarin",
        "Lehrer",
        "Lehrerin",
        "Kollege",
        "Kollegin",
        "Chef",
        "Ärztin",
        "Arzt",
        "Kunde",
        "Gast",
        "Verkäuferin",
        "Vermieter",
        "Leute",
    )
    phrase = noun_phrase(NOUN[rng.choice(nouns)], "der", case, plural=rng.random() < 0.15)
    return Phrase(phrase.de, phrase.en)


def is_pronoun(german: str) -> bool:
    """Whether an object is a bare pronoun and so stands before the time."""
    return german in {*ACCUSATIVE.values(), *DATIVE.values(), "sich"}
