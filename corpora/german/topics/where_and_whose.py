"""Where things and people are, what there is, and whom things please or belong to."""

import random

from corpora.german import english
from corpora.german.conjugation import present
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import NOUN, NOUNS, PLACES, TIMES, Phrase
from corpora.german.phrases import column
from corpora.german.sentence_form import sentence
from corpora.german.subjects import (
    DATIVE,
    ENGLISH_OBJECT,
    Subject,
    asked_subject,
    person_object,
    pronoun,
    statement_subject,
)
from corpora.pairs import Pair

DETERMINERS = ("der", "der", "der", "mein", "dein", "sein", "ihr", "unser", "dieser")
PREPOSITIONS = tuple(
    Phrase(*row)
    for row in (
        ("auf", "on"),
        ("unter", "under"),
        ("neben", "next to"),
        ("hinter", "behind"),
        ("vor", "in front of"),
        ("in", "in"),
    )
)
ON = ("Tisch", "Schreibtisch", "Stuhl", "Bett", "Sofa", "Regal", "Kühlschrank", "Sessel", "Teppich")
UNDER = ("Tisch", "Schreibtisch", "Stuhl", "Bett", "Sofa")
IN = ("Tasche", "Schrank", "Koffer", "Rucksack", "Auto", "Kühlschrank")
BIG = column("where_and_whose.big")


def somewhere(rng: random.Random) -> Phrase:
    """auf dem Tisch, in der Tasche, neben dem Sofa."""
    preposition = rng.choice(PREPOSITIONS)
    words = {"auf": ON, "unter": UNDER, "in": IN}.get(
        preposition.de, ("Tisch", "Sofa", "Bett", "Schrank", "Tür", "Lampe", "Fernseher", "Stuhl", "Computer", "Regal")
    )
    noun = NOUN[rng.choice(words)]
    phrase = noun_phrase(noun, rng.choice(("der", "der", "der", "mein")) if noun.section == "thing" else "der", "dat")
    german = (
        "im" + phrase.de.removeprefix("dem")
        if f"{preposition.de} {phrase.de}".startswith("in dem ")
        else (f"{preposition.de} {phrase.de}")
    )
    return Phrase(german, f"{preposition.en} {phrase.en}")


def town_spot(rng: random.Random, but: str = "") -> Phrase:
    """neben der Post, vor dem Bahnhof."""
    preposition = rng.choice((PREPOSITIONS[2], PREPOSITIONS[3], PREPOSITIONS[4], Phrase("gegenüber von", "opposite")))
    noun = NOUN[rng.choice([word for word in BIG if word != but])]
    phrase = noun_phrase(noun, "der", "dat")
    text = f"{preposition.de} {phrase.de}".replace("von dem ", "vom ")
    return Phrase(text, f"{preposition.en} {phrase.en}")


def where_things_are(rng: random.Random) -> Pair:
    """Wo ist das Buch? Der Schlüssel liegt auf dem Tisch. Die Bank ist neben der Post."""
    roll = rng.random()
    if roll < 0.3:
        kind = rng.choice(("thing", "clothes", "reading", "building", "room", "tableware", "grocery", "vehicle"))
        noun = rng.choice(NOUNS[kind])
        plural = not noun.singular or (
            kind not in ("building", "room", "vehicle") and bool(noun.plural) and rng.random() < 0.3
        )
        phrase = noun_phrase(
            noun,
            "der" if kind in ("building", "room", "vehicle") else rng.choice(DETERMINERS[:-1]),
            "nom",
            plural=plural,
        )
        verb = "sind" if phrase.plural else "ist"
        return sentence(f"wo {verb} {phrase.de}", f"where {'are' if phrase.en_plural else 'is'} {phrase.en}", "?")
    if roll < 0.5:
        noun = NOUN[rng.choice(BIG)]
        phrase, spot = noun_phrase(noun, "der", "nom"), town_spot(rng, noun.singular)
        return sentence(f"{phrase.de} ist {spot.de}", f"{phrase.en} is {spot.en}")
    noun = rng.choice(NOUNS[rng.choice(("thing", "clothes", "reading", "tableware", "message"))])
    plural = not noun.singular or rng.random() < 0.2
    phrase, spot = noun_phrase(noun, rng.choice(DETERMINERS[:-1]), "nom", plural=plural), somewhere(rng)
    verb, en_verb = rng.choice((("ist", "be"), ("liegt", "be")))
    if plural:
        verb = {"ist": "sind", "liegt": "liegen"}[verb]
    negative = rng.random() < 0.12
    question = not negative and rng.random() < 0.15
    text = english.clause(phrase.en, phrase.en_plural, en_verb, "", "", spot.en, negative=negative, question=question)
    if question:
        return sentence(f"{verb} {phrase.de} {spot.de}", text, "?")
    return sentence(" ".join(filter(None, (phrase.de, verb, "nicht" if negative else "", spot.de))), text)


def where_people_are(rng: random.Random) -> Pair:
    """Ich bin heute zu Hause. Ist Anna im Büro? Wo bist du?"""
    roll = rng.random()
    subject = asked_subject(rng) if roll < 0.3 else statement_subject(rng)
    verb = present("sein", subject.person)
    section = rng.choice(("outing", "daily", "daily", "room", "holiday", "city", "country"))
    place = rng.choice(PLACES[section]).at
    when = rng.choice(
        (
            Phrase("", ""),
            Phrase("", ""),
            Phrase("heute", "today"),
            Phrase("jetzt", "now"),
            Phrase("gerade", "right now"),
            Phrase("morgen", "tomorrow"),
            *TIMES["weekday"][:2],
        )
    )
    if section == "room" and when.de not in ("jetzt", "gerade"):
        when = Phrase("", "")
    if roll < 0.1:
        return sentence(
            " ".join(filter(None, ("wo", verb, subject.de, when.de))),
            " ".join(
                filter(
                    None, ("where", english.clause(subject.en, subject.en_plural, "be", "", "", when.en, question=True))
                )
            ),
            "?",
        )
    rest = " ".join(filter(None, (place.en, when.en)))
    if roll < 0.3:
        return sentence(
            " ".join(filter(None, (verb, subject.de, when.de, place.de))),
            english.clause(subject.en, subject.en_plural, "be", "", "", rest, question=True),
            "?",
        )
    negative = rng.random() < 0.12
    words = (subject.de, verb, when.de, "nicht" if negative else "", place.de)
    return sentence(
        " ".join(filter(None, words)),
        english.clause(subject.en, subject.en_plural, "be", "", "", rest, negative=negative),
    )


ROOMS = {
    Phrase("im Schlafzimmer", "in the bedroom"): ("Bett", "Schrank", "Spiegel", "Lampe", "Schreibtisch"),
    Phrase("im Wohnzimmer", "in the living room"): ("Sofa", "Sessel", "Teppich", "Regal", "Bild", "Lampe", "Tisch"),
    Phrase("in der Küche", "in the kitchen"): ("Tisch", "Stuhl", "Kühlschrank", "Regal", "Lampe"),
}


def there_is(rng: random.Random) -> Pair:
    """Gibt es hier eine Bank? In der Stadt gibt es kein Kino."""
    roll = rng.random()
    kind = rng.choice(("building", "building", "furniture", "tableware"))
    noun = rng.choice(NOUNS[kind])
    places = PLACES["city"] if kind == "building" else PLACES["room"]
    place = (
        rng.choice(places).at
        if rng.random() < 0.7 or kind != "building"
        else rng.choice(
            (
                Phrase("hier", "here"),
                Phrase("in der Nähe", "nearby"),
                Phrase("in der Stadt", "in town"),
                Phrase("dort", "there"),
            )
        )
    )
    if kind == "furniture":
        room = rng.choice(tuple(ROOMS))
        place, noun = room, NOUN[rng.choice(ROOMS[room])]
    elif kind == "tableware" or (kind != "building" and not place.de.startswith(("in der Küche", "im W", "im Sch"))):
        place = Phrase("in der Küche", "in the kitchen")
    none = rng.random() < 0.25
    plural = bool(noun.plural) and rng.random() < 0.2
    german = noun_phrase(noun, "kein" if none else "ein", "acc", plural=plural).de
    thing = noun_phrase(noun, "kein" if none else "ein", "acc", plural=plural)
    be = "are" if thing.en_plural else "is"
    if roll < 0.4:
        thing, german = (
            noun_phrase(noun, "ein", "acc", plural=plural),
            noun_phrase(noun, "ein", "acc", plural=plural).de,
        )
        return sentence(f"gibt es {place.de} {german}", f"{be} there {thing.en} {place.en}", "?")
    if roll < 0.7:
        return sentence(f"{place.de} gibt es {german}", f"{place.en} there {be} {thing.en}")
    return sentence(f"es gibt {place.de} {german}", f"there {be} {thing.en} {place.en}")


def pleasing(rng: random.Random) -> Pair:
    """Das Kleid gefällt mir. Die Tasche gehört meiner Schwester. Schmeckt dir die Suppe?"""
    verb = rng.choice(("gefallen", "gefallen", "gehören", "schmecken"))
    question = rng.random() < 0.3
    who = person_object(rng, Subject("es", "it", "es"), "dat")
    while who.en == "you" and not question:
        who = person_object(rng, Subject("es", "it", "es"), "dat")
    key = next((key for key, form in DATIVE.items() if form == who.de and ENGLISH_OBJECT[key] == who.en), "")
    kinds = {
        "gefallen": (
            "clothes",
            "home",
            "building",
            "room",
            "reading",
            "Film",
            "Stadt",
            "Musik",
            "furniture",
            "machine",
        ),
        "gehören": ("thing", "clothes", "machine", "furniture", "home", "reading", "animal"),
        "schmecken": ("food", "mass_food", "drink", "grocery"),
    }[verb]
    kind = rng.choice(kinds)
    noun = rng.choice(NOUNS[kind]) if kind in NOUNS else NOUN[kind]
    plural = not noun.singular or (kind == "grocery" or (bool(noun.plural) and rng.random() < 0.15))
    phrase = noun_phrase(noun, rng.choice(("der", "der", "dieser")), "nom", plural=plural)
    finite = {
        "gefallen": ("gefällt", "gefallen"),
        "gehören": ("gehört", "gehören"),
        "schmecken": ("schmeckt", "schmecken"),
    }[verb][plural]
    negative = not question and rng.random() < 0.2
    order = (
        (finite, who.de, phrase.de)
        if question and key
        else (finite, phrase.de, who.de)
        if question
        else (phrase.de, finite, who.de, "nicht" if negative else "")
    )
    if verb == "gehören":
        text = english.clause(
            phrase.en, phrase.en_plural, "belong", "", "", f"to {who.en}", negative=negative, question=question
        )
    else:
        subject = (
            Subject(who.de, who.en, key)
            if key
            else Subject(who.de, who.en, "sie-pl" if who.de.split()[0] in ("den", "ihren", "meinen") else "er")
        )
        nominative = english_subject(key) if key else who.en
        text = english.clause(
            nominative, subject.en_plural, "like", "", "", phrase.en, negative=negative, question=question
        )
    return sentence(" ".join(filter(None, order)), text, "?" if question else ".")


def english_subject(key: str) -> str:
    """I, you, he: the English subject of what is a German dative."""
    return pronoun(key).en
