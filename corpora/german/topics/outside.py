"""Themes of the world outside: weather, timetables, directions, rules."""

import random

from corpora.german import english
from corpora.german.actions import clock
from corpora.german.conjugation import present
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import NOUN, PLACES, TIMES, Phrase
from corpora.german.numbers import number
from corpora.german.phrases import column, table
from corpora.german.sentence_form import sentence
from corpora.german.subjects import Subject, pronoun
from corpora.german.topics.saying import join, states
from corpora.pairs import Pair

SKY = tuple(
    Phrase(*row)
    for row in (("schön", "nice"), ("schlecht", "bad"), ("gut", "good"), ("kalt", "cold"), ("warm", "warm"))
)
FEELS = tuple(
    Phrase(*row)
    for row in (
        ("kalt", "cold"),
        ("warm", "warm"),
        ("heiß", "hot"),
        ("windig", "windy"),
        ("sonnig", "sunny"),
        ("bewölkt", "cloudy"),
        ("neblig", "foggy"),
        ("kühl", "cool"),
        ("nass", "wet"),
        ("dunkel", "dark"),
    )
)
FALLS = tuple(Phrase(*row) for row in (("regnet", "rain"), ("schneit", "snow")))


def weather(rng: random.Random) -> Pair:
    """Es regnet heute. Im Winter ist es kalt. Wie ist das Wetter in Berlin?"""
    place = rng.choice(PLACES["city"] + PLACES["country"]).at if rng.random() < 0.45 else Phrase("", "")
    season = rng.choice(TIMES["season"])
    it, roll = Subject("es", "it", "es"), rng.random()
    degree = rng.choice(
        (
            Phrase("", ""),
            Phrase("sehr", "very"),
            Phrase("nicht", "not"),
            Phrase("zu", "too"),
            Phrase("ziemlich", "quite"),
        )
    )
    if roll < 0.25:
        word = rng.choice(FEELS)
        if degree.de == "zu" and word.de not in ("kalt", "warm", "heiß", "dunkel", "nass"):
            degree = Phrase("", "")
        rest = join("" if degree.en == "not" else degree.en, word.en)
        return sentence(
            join("heute ist es", place.de, degree.de, word.de),
            join("today", states(it, "be", join(rest, place.en), negative=degree.en == "not")),
        )
    if roll < 0.45:
        word = rng.choice(FEELS)
        if degree.de == "zu" and word.de not in ("kalt", "warm", "heiß", "dunkel", "nass"):
            degree = Phrase("", "")
        return sentence(
            join(season.de, "ist es", place.de, degree.de, word.de),
            join(
                season.en,
                states(
                    it,
                    "be",
                    join("" if degree.en == "not" else degree.en, word.en, place.en),
                    negative=degree.en == "not",
                ),
            ),
        )
    if roll < 0.55:
        fall, often = (
            rng.choice(FALLS),
            rng.choice((Phrase("oft", "often"), Phrase("viel", "a lot"), Phrase("selten", "rarely"))),
        )
        verb = english.third(fall.en)
        text = f"it {verb} a lot" if often.en == "a lot" else f"it {often.en} {verb}"
        return sentence(join(season.de, fall.de, "es", place.de, often.de), join(season.en, text, place.en))
    if roll < 0.68:
        fall, when = (
            rng.choice(FALLS),
            rng.choice(
                (
                    Phrase("", ""),
                    Phrase("heute", "today"),
                    Phrase("gerade", "right now"),
                    Phrase("jetzt", "now"),
                    Phrase("den ganzen Tag", "all day"),
                )
            ),
        )
        if rng.random() < 0.4:
            return sentence(
                join(fall.de, "es", when.de, place.de), join("is it", english.ing(fall.en), place.en, when.en), "?"
            )
        negative = rng.random() < 0.25
        return sentence(
            join("es", fall.de, when.de, place.de, "nicht" if negative else ""),
            join("it isn't" if negative else "it's", english.ing(fall.en), place.en, when.en),
        )
    if roll < 0.8:
        word = rng.choice(SKY[:3])
        when = rng.choice((Phrase("heute", "today"), Phrase("", "")))
        rest = join("" if degree.en == "not" else degree.en, word.en, place.en, when.en)
        return sentence(
            join("das Wetter ist", when.de, place.de, degree.de, word.de),
            join("the weather", "isn't" if degree.en == "not" else "is", rest),
        )
    if roll < 0.9:
        return sentence(
            join("wie ist das Wetter", rng_when := "heute" if rng.random() < 0.5 else "", place.de),
            join("how is the weather", place.en, "today" if rng_when else ""),
            "?",
        )
    degrees = number(rng.randint(2, 35))
    return sentence(
        join("es sind heute", place.de, degrees.de, "Grad"), join("it's", degrees.en, "degrees", place.en, "today")
    )


def clock_times(rng: random.Random) -> Pair:
    """Es ist halb acht. Der Zug fährt um neun Uhr ab. Wann beginnt der Film?"""
    roll, at = rng.random(), clock(rng)
    if roll < 0.25:
        return sentence(f"es ist {at.de.removeprefix('um ')}", f"it's {at.en.removeprefix('at ')}")
    german, text = rng.choice(STARTS)
    section, verb, prefix = german
    noun = NOUN[rng.choice(section)]
    phrase = noun_phrase(noun, "der", "nom")
    when = rng.choice((Phrase("", ""), Phrase("", ""), Phrase("heute", "today"), Phrase("morgen", "tomorrow")))
    thing = Subject(phrase.de, phrase.en, "er")
    if roll < 0.5:
        return sentence(
            join(rng.choice(("wann", "wann")), verb, phrase.de, when.de, prefix),
            join("when", states(thing, text, when.en, question=True)),
            "?",
        )
    if roll < 0.58:
        return sentence(
            join("um wie viel Uhr", verb, phrase.de, when.de, prefix),
            join("at what time", states(thing, text, when.en, question=True)),
            "?",
        )
    if roll < 0.7:
        return sentence(join(at.de, verb, phrase.de, prefix), join(at.en, states(thing, text)))
    return sentence(join(phrase.de, verb, when.de, at.de, prefix), states(thing, text, join(at.en, when.en)))


VEHICLES = ("Bus", "Zug", "S-Bahn", "Straßenbahn", "U-Bahn")
EVENTS = column("outside.events")
SHOPS = column("outside.shops")
STARTS = (
    ((VEHICLES, "fährt", "ab"), "leave"),
    ((VEHICLES, "kommt", "an"), "arrive"),
    ((EVENTS, "beginnt", ""), "start"),
    ((EVENTS, "fängt", "an"), "start"),
    ((EVENTS, "endet", ""), "end"),
    ((SHOPS, "öffnet", ""), "open"),
    ((SHOPS, "schließt", ""), "close"),
    ((SHOPS, "macht", "auf"), "open"),
    ((SHOPS, "macht", "zu"), "close"),
)
TO_TOWN = column("outside.to_town")


def directions(rng: random.Random) -> Pair:
    """Wie komme ich zum Bahnhof? Gehen Sie an der Ampel links. Ist es weit bis zur Post?"""
    noun, roll = NOUN[rng.choice(TO_TOWN)], rng.random()
    zu = ("zur" if noun.gender == "f" else "zum") + " " + noun.singular
    polite, en_polite = ("Entschuldigung, ", "excuse me, ") if rng.random() < 0.3 else ("", "")
    if roll < 0.3:
        who = pronoun(rng.choice(("ich", "ich", "wir")))
        verb = present("kommen", who.person)
        return sentence(f"{polite}wie {verb} {who.de} {zu}", f"{en_polite}how do {who.en} get to the {noun.en}", "?")
    if roll < 0.4:
        return sentence(f"{polite}ist es weit bis {zu}", f"{en_polite}is it far to the {noun.en}", "?")
    if roll < 0.5:
        near = noun_phrase(noun, "der", "nom", adj=Phrase("nächst", "nearest"))
        return sentence(f"{polite}wo ist {near.de}", f"{en_polite}where is {near.en}", "?")
    if roll < 0.6:
        vehicle = noun_phrase(NOUN[rng.choice(VEHICLES)], rng.choice(("der", "dieser", "welcher")), "nom")
        if vehicle.en.startswith("which"):
            return sentence(f"{vehicle.de} fährt {zu}", f"{vehicle.en} goes to the {noun.en}", "?")
        return sentence(f"fährt {vehicle.de} {zu}", f"does {vehicle.en} go to the {noun.en}", "?")
    turn = rng.choice((("geradeaus", "straight ahead"), ("nach links", "left"), ("nach rechts", "right")))
    spot = noun_phrase(NOUN[rng.choice(("Ampel", "Ecke", "Kirche", "Brücke", "Post"))], "der", "dat")
    key = rng.choice(("Sie", "Sie", "du"))
    go = "gehen Sie" if key == "Sie" else "geh"
    if roll < 0.7:
        first, en_first = rng.choice((("zuerst ", "first "), ("dann ", "then "), ("", "")))
        if first and key == "Sie":
            return sentence(f"{first}gehen Sie {turn[0]}", f"{en_first}you go {turn[1]}")
        return sentence(f"{go} {turn[0]}", f"go {turn[1]}")
    if roll < 0.85:
        return sentence(f"{go} {turn[0]} bis {zu}", f"go {turn[1]} to the {noun.en}")
    return sentence(f"{go} an {spot.de} {turn[0]}", f"go {turn[1]} at {spot.en}")


def lengths(rng: random.Random) -> Pair:
    """Wie lange dauert der Film? Die Fahrt dauert zwei Stunden."""
    noun = NOUN[
        rng.choice(
            (
                "Film",
                "Kurs",
                "Konzert",
                "Reise",
                "Pause",
                "Spiel",
                "Prüfung",
                "Party",
                "Sitzung",
                "Unterricht",
                "Besprechung",
            )
        )
    ]
    phrase = noun_phrase(noun, "der", "nom")
    if rng.random() < 0.3:
        return sentence(f"wie lange dauert {phrase.de}", f"how long does {phrase.en} take", "?")
    short = noun.singular != "Reise"
    unit = rng.choice(
        (("Stunden", "hours", 2, 5), ("Minuten", "minutes", 5, 60))
        if short
        else (("Tage", "days", 2, 9), ("Wochen", "weeks", 2, 6), ("Stunden", "hours", 2, 12))
    )
    amount = rng.randint(unit[2], unit[3])
    many = number(amount - amount % 5 if unit[0] == "Minuten" else amount)
    return sentence(f"{phrase.de} dauert {many.de} {unit[0]}", f"{phrase.en} takes {many.en} {unit[1]}")


def one_does(rng: random.Random) -> Pair:
    """Hier darf man nicht rauchen. In Deutschland spricht man Deutsch."""
    place = rng.choice(tuple(SPOTS))
    german, text = rng.choice([row for row in DOING if row[0].split()[-1] in SPOTS[place]])
    modal, helper = rng.choice(
        (
            ("kann man", "you can"),
            ("darf man", "you are allowed to"),
            ("kann man nicht", "you can't"),
            ("darf man nicht", "you aren't allowed to"),
        )
    )
    if text in ("wait", "pay in cash") and rng.random() < 0.3:
        modal, helper = "muss man", "you have to"
    if rng.random() < 0.25:
        helper = {"kann man": "can you", "darf man": "are you allowed to"}.get(modal, "can you")
        modal = modal if modal in ("kann man", "darf man") else "kann man"
        return sentence(f"{modal} {place.de} {german}", f"{helper} {text} {place.en}", "?")
    return sentence(f"{place.de} {modal} {german}", f"{helper} {text} {place.en}")


FREE = ("rauchen", "parken", "fotografieren", "telefonieren", "essen", "warten", "bezahlen", "sitzen")
SPOTS = {
    Phrase("hier", "here"): FREE,
    Phrase("dort", "there"): FREE,
    Phrase("im Park", "in the park"): FREE[:5],
    Phrase("im Restaurant", "at the restaurant"): ("rauchen", "bezahlen", "sitzen"),
    Phrase("im Café", "at the café"): ("rauchen", "bezahlen", "arbeiten"),
    Phrase("im Museum", "at the museum"): ("fotografieren", "rauchen", "telefonieren", "bezahlen"),
    Phrase("im Zoo", "at the zoo"): ("fotografieren", "essen", "bezahlen"),
    Phrase("im Kino", "at the cinema"): ("telefonieren", "rauchen"),
    Phrase("in der Bibliothek", "at the library"): ("telefonieren", "essen", "arbeiten", "rauchen"),
    Phrase("am Bahnhof", "at the train station"): ("warten", "parken", "rauchen"),
    Phrase("im Supermarkt", "at the supermarket"): ("bezahlen",),
    Phrase("in der Schule", "at school"): ("rauchen", "telefonieren"),
    Phrase("im Unterricht", "in class"): ("telefonieren", "essen"),
    Phrase("im Büro", "at the office"): ("rauchen", "telefonieren"),
}
DOING = table("outside.doing")
