"""Actions of people: verbs with objects, places and activities that go together."""

import random
import re
from dataclasses import replace

from corpora.german.clauses import Action, Time
from corpora.german.conjugation import by_name
from corpora.german.declension import Case, noun_phrase
from corpora.german.lexicon import (
    ADJECTIVES,
    NOUN,
    NOUNS,
    PLACES,
    TIMES,
    VERB,
    Noun,
    Phrase,
    Verb,
    english_past,
    sections,
)
from corpora.german.phrases import lists
from corpora.german.subjects import OWN, Subject, person_object

LETTERS = {"e": "ein", "d": "der", "p": "", "b": ""}
ENGLISH_IRREGULAR = {
    verb.en.split()[0]: (verb.en_past.split()[0], verb.en_participle.split()[0]) for verb in VERB.values()
} | {
    "make": ("made", "made"),
    "ride": ("rode", "ridden"),
    "drive": ("drove", "driven"),
    "learn": ("learned", "learned"),
}
ATTRIBUTES = lists("actions.attributes")
JUDGED = ("Wort", "Frage", "Übung", "Antwort", "Satz", "Aufgabe")
# Adjectives said of a few things only.
TASTES = lists("actions.tastes")
# An attribute that English would not put before the noun.
ODD = {
    ("food", "scharf"),
    ("grocery", "heiß"),
    ("food", "warm"),
    ("grocery", "kalt"),
    ("grocery", "lecker"),
    ("grocery", "süß"),
    ("grocery", "warm"),
    ("grocery", "scharf"),
    ("message", "spannend"),
    ("grocery", "weiß"),
    ("grocery", "schwarz"),
    ("grocery", "blau"),
    ("grocery", "grau"),
    ("grocery", "braun"),
    ("food", "groß"),
}


def _objects() -> dict[str, list[tuple[str, str]]]:
    table: dict[str, list[tuple[str, str]]] = {}
    for verb, entries in sections("objects.txt")["any"]:
        for entry in entries.split(", "):
            what, _, letters = entry.partition(" ")
            table.setdefault(verb, []).append((what, letters))
    return table


OBJECTS = _objects()
STARTED = ("kaufen", "lesen", "trinken", "essen", "suchen", "brauchen", "haben", "besuchen", "kennen")


def choose(what: str, rng: random.Random) -> Noun:
    """A noun of a section, or the noun itself."""
    return rng.choice(NOUNS[what]) if what in NOUNS else NOUN[what]


def attribute(noun: Noun, rng: random.Random) -> Phrase | None:
    """An adjective that suits the noun, if its section has any."""
    kinds = ATTRIBUTES.get(noun.section)
    if not kinds:
        return None
    word = rng.choice(ADJECTIVES[rng.choice(kinds)])
    if (noun.section == "study" or word.de in ("richtig", "falsch")) and noun.singular not in JUDGED:
        return None
    if (
        noun.section == "machine"
        and word in ADJECTIVES["colour"]
        and noun.singular not in ("Auto", "Fahrrad", "Laptop")
    ):
        return None
    small_people = ("Kind", "Junge", "Mädchen")
    if word.de in ("klein", "groß") and noun.section in ("staff", "person") and noun.singular not in small_people:
        return None
    return (
        None if (noun.section, word.de) in ODD or (word.de in TASTES and noun.singular not in TASTES[word.de]) else word
    )


def object_phrase(
    what: str, letters: str, subject: Subject, case: Case, rng: random.Random
) -> tuple[Phrase, Phrase, bool]:
    """An object, its version with kein (or none), and whether it is definite."""
    noun, letter = choose(what, rng), rng.choice(letters)
    if letter == "m" and subject.key not in OWN:
        letter = "d"
    if letter == "p" and (not noun.plural or noun.en_mass):
        letter = "e"
    plural = (
        letter == "p"
        or not noun.singular
        or (letter in "dm" and bool(noun.plural) and rng.random() < 0.12 and what not in NOUN)
    )
    adj = attribute(noun, rng) if letter in "edp" and rng.random() < 0.22 else None
    kind = OWN[subject.key] if letter == "m" else LETTERS[letter]
    if letter == "e" and noun.en_mass and noun.singular and noun.section in ("mass_food", "drink", "condiment"):
        kind = ""
    phrase = noun_phrase(noun, kind, case, plural=plural, adj=adj)
    if letter in "dm":
        return Phrase(phrase.de, phrase.en), Phrase("", ""), True
    none = noun_phrase(noun, "kein", case, plural=plural, adj=adj)
    return Phrase(phrase.de, phrase.en), Phrase(none.de, phrase.en), False


def object_action(subject: Subject, rng: random.Random, verb: str = "") -> Action:
    """A verb with an object: read the book, call my mother."""
    verb = verb or rng.choice(list(OBJECTS) + list(STARTED) * 2)
    what, letters = rng.choice(OBJECTS[verb])
    if what == "PERSON":
        return Action(by_name(verb), person_object(rng, subject, "acc"), settled=True)
    obj, none, definite = object_phrase(what, letters, subject, "acc", rng)
    return Action(by_name(verb), obj, none=none, settled=definite)


def _activity(left: str, right: str) -> Action:
    name, _, complement = left.partition(": ")
    verb = by_name(name)
    english, space, rest = right.partition(" ")
    past, participle = ENGLISH_IRREGULAR.get(english, (english_past(english),) * 2)
    whole_verb: Verb = replace(
        verb, en=right, en_past=past + space + rest, en_participle=participle + space + rest, stative=False
    )
    none = Phrase("k" + complement, "") if complement.startswith("eine ") else Phrase("", "")
    place = complement if not none.de else ""
    return Action(whole_verb, Phrase(complement if none.de else "", ""), Phrase(place, ""), none)


ACTIVITIES = {key: tuple(_activity(*row) for row in rows) for key, rows in sections("activities.txt").items()}


def activity(rng: random.Random, *kinds: str) -> Action:
    """Something to do that needs no object of its own."""
    return rng.choice(ACTIVITIES[rng.choice(kinds)])


def motion(rng: random.Random) -> Action:
    """Going somewhere, on foot or not."""
    section = rng.choice(("outing", "outing", "outing", "daily", "daily", "city", "country", "holiday"))
    place = rng.choice(PLACES[section]).to
    far = section in ("city", "country", "holiday")
    verb = (
        rng.choice(("fahren", "fahren", "fliegen")) if section in ("city", "country") else "fahren" if far else "gehen"
    )
    if section == "holiday" and place.de != "in den Urlaub":
        verb = "fahren"
    if place.de in ("zur Arbeit", "nach Hause", "ins Büro", "in die Stadt") and rng.random() < 0.5:
        means = rng.choice(TIMES["means"])
        return Action(by_name("fahren"), place=Phrase(f"{means.de} {place.de}", f"{place.en} {means.en}"))
    return Action(by_name(verb), place=place)


def staying(rng: random.Random) -> Action:
    """Being somewhere for a while."""
    roll = rng.random()
    if roll < 0.4:
        return Action(by_name("bleiben"), place=Phrase("zu Hause", "at home"))
    if roll < 0.5:
        return Action(by_name("warten"), place=Phrase("am Bahnhof", "at the train station"))
    places = [
        place.at
        for place in (*PLACES["room"], *PLACES["outing"])
        if re.match(
            r"(im (Kino|Theater|Restaurant|Café|Park|Garten|Wohnzimmer)|auf dem Balkon|in der Küche)", place.at.de
        )
    ]
    return Action(by_name("sitzen"), place=rng.choice(places))


def any_action(subject: Subject, rng: random.Random) -> Action:
    """Anything a person can do."""
    roll = rng.random()
    if roll < 0.5:
        return object_action(subject, rng)
    if roll < 0.75:
        return activity(rng, "free", "daily")
    return motion(rng) if roll < 0.93 else staying(rng)


def time(rng: random.Random, *kinds: str) -> Time:
    """A time of one of the kinds."""
    kind = rng.choice(kinds)
    if kind == "clock":
        return Time(clock(rng))
    phrase = rng.choice(TIMES[kind])
    return Time(phrase, "progressive" if kind in ("now", "plan", "weekday") else "simple", kind == "often")


def clock(rng: random.Random, earliest: int = 1, latest: int = 12) -> Phrase:
    """um sieben Uhr, um halb acht."""
    number = rng.randint(earliest, latest) - 1
    german, english = TIMES["hour"][number]
    roll = rng.random()
    if roll < 0.6:
        return Phrase(f"um {german} Uhr", f"at {english} o'clock")
    digit = {"ein": "eins"}.get(german, german)
    if roll < 0.8:
        return Phrase(f"um halb {digit}", f"at half past {TIMES['hour'][number - 1].en}")
    side = rng.choice((Phrase("nach", "past"), Phrase("vor", "to")))
    return Phrase(f"um Viertel {side.de} {digit}", f"at quarter {side.en} {english}")
