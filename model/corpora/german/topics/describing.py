"""Describing things and people: what they are like, where they are, whose they are, what they cost."""

import random

from model.corpora.german import english
from model.corpora.german.actions import ATTRIBUTES, attribute
from model.corpora.german.conjugation import present
from model.corpora.german.declension import NounPhrase, noun_phrase
from model.corpora.german.lexicon import ADJECTIVES, NOUN, NOUNS, PLACES, TIMES, Noun, Phrase
from model.corpora.german.pairs import sentence
from model.corpora.german.subjects import (DATIVE, ENGLISH_OBJECT, Subject, asked_subject, name, people, person_object,
                                           pronoun, statement_subject)
from model.corpora.pairs import Pair

THINGS = ("clothes", "thing", "machine", "furniture", "home", "reading", "room", "building", "event", "tableware",
          "study", "food", "vehicle")
PREDICATES = {"clothes": ("colour", "quality", "clothes", "age"), "thing": ("colour", "age", "quality"),
              "machine": ("machine", "quality", "age"), "furniture": ("quality", "age", "size"),
              "home": ("size", "quality", "room"), "reading": ("interest",), "room": ("room", "size"),
              "building": ("state", "size", "age"), "event": ("interest",), "tableware": ("colour", "size"),
              "study": ("task",), "food": ("food",), "vehicle": ("machine", "state"), "opening": ("state",),
              "grocery": ("food",), "drink": ("heat",), "mass_food": ("food",)}
DEGREES = tuple(Phrase(*row) for row in (("sehr", "very"), ("zu", "too"), ("nicht", "not"), ("nicht so", "not so"),
                                         ("ziemlich", "quite"), ("wirklich", "really"), ("leider", "unfortunately")))
ABSOLUTE = ("kaputt", "offen", "geschlossen", "geöffnet", "verheiratet", "ledig", "fertig", "richtig", "falsch", "frei")
NOT_SAID = {("building", "frei"), ("building", "pünktlich"), ("building", "voll"), ("vehicle", "offen"),
            ("vehicle", "geschlossen"), ("vehicle", "geöffnet"), ("vehicle", "frei"), ("opening", "voll"),
            ("opening", "frei"), ("opening", "pünktlich"), ("mass_food", "scharf"), ("grocery", "heiß"),
            ("thing", "praktisch"), ("grocery", "scharf"), ("grocery", "warm"), ("event", "kurz"), ("home", "leer")}
DETERMINERS = ("der", "der", "der", "mein", "dein", "sein", "ihr", "unser", "dieser")


def described(rng: random.Random, kinds: tuple[str, ...] = THINGS) -> tuple[Noun, Phrase]:
    """A noun and a predicate that suits it."""
    while True:
        noun = rng.choice(NOUNS[rng.choice(kinds)])
        word = rng.choice(HEAT if noun.section == "drink" else ADJECTIVES[rng.choice(PREDICATES[noun.section])])
        if (noun.section, word.de) not in NOT_SAID and (word.de not in TASTES or noun.singular in TASTES[word.de]):
            return noun, word


TASTES = {"scharf": ("Suppe", "Pizza", "Salat", "Wurst"), "süß": ("Apfel", "Banane", "Orange", "Kuchen", "Eis", "Erdbeere",
          "Schokolade", "Obst", "Joghurt"), "heiß": ("Suppe", "Pizza", "Kaffee", "Tee", "Kakao", "Wasser", "Milch"),
          "kalt": ("Suppe", "Pizza", "Kaffee", "Tee", "Wasser", "Milch", "Saft", "Bier", "Wein", "Cola", "Limonade", "Eis"),
          "warm": ("Suppe", "Brötchen", "Mantel", "Jacke", "Pullover", "Mütze", "Schal", "Milch", "Wasser")}
HEAT = tuple(Phrase(*row) for row in (("heiß", "hot"), ("kalt", "cold"), ("warm", "warm"), ("lecker", "delicious"),
                                     ("gut", "good")))


def own(noun: Noun, rng: random.Random) -> str:
    """A determiner for a subject; buildings and buses are nobody's."""
    return "der" if noun.section in ("building", "vehicle", "event", "study", "mass_food") else rng.choice(DETERMINERS)


def thing_is(rng: random.Random) -> Pair:
    """Das Haus ist sehr groß. Ist die Suppe heiß?"""
    noun, word = described(rng)
    plural = not noun.singular or (bool(noun.plural) and rng.random() < 0.2)
    phrase = noun_phrase(noun, own(noun, rng), "nom", plural=plural)
    return _is(phrase, word, rng)


def _is(phrase: NounPhrase, word: Phrase, rng: random.Random) -> Pair:
    verb = present("sein", 5 if phrase.plural else 2)
    roll = rng.random()
    if roll < 0.22:
        return sentence(f"{verb} {phrase.de} {word.de}", english.clause(
            phrase.en, phrase.en_plural, "be", "", "", word.en, question=True), "?")
    degree = rng.choice(DEGREES) if roll < 0.6 else Phrase("", "")
    if word.de in ABSOLUTE and degree.de not in ("nicht", "leider"):
        degree = Phrase("", "")
    german = " ".join(filter(None, (phrase.de, verb, degree.de, word.de)))
    if degree.de.startswith("nicht"):
        rest = " ".join(filter(None, (degree.en.removeprefix("not").strip(), word.en)))
        return sentence(german, english.clause(phrase.en, phrase.en_plural, "be", "", "", rest, negative=True))
    return sentence(german, english.clause(phrase.en, phrase.en_plural, "be", "", "",
                                           " ".join(filter(None, (degree.en, word.en)))))


def person_is(rng: random.Random) -> Pair:
    """Ich bin müde. Ist deine Schwester verheiratet? Heute bin ich krank."""
    word, roll = rng.choice(ADJECTIVES["person"]), rng.random()
    subject = asked_subject(rng) if roll < 0.25 else statement_subject(rng)
    verb = present("sein", subject.person)
    when = rng.choice((Phrase("heute", "today"), Phrase("heute", "today"), Phrase("immer", "always"), Phrase("oft", "often")))
    fixed = word.de not in ("müde", "krank", "glücklich", "traurig", "nervös", "zufrieden", "hungrig", "durstig", "pünktlich",
                            "aufgeregt", "beschäftigt", "fertig")
    if roll < 0.25:
        with_time = "" if rng.random() < 0.6 or fixed else "heute"
        return sentence(" ".join(filter(None, (verb, subject.de, with_time, word.de))), english.clause(
            subject.en, subject.en_plural, "be", "", "", " ".join(filter(None, (word.en, with_time and "today"))),
            question=True), "?")
    if roll < 0.45 and not fixed:
        later = "" if when.de != "heute" else "today"
        return sentence(f"{subject.de} {verb} {when.de} {word.de}", english.clause(
            subject.en, subject.en_plural, "be", "", "", " ".join(filter(None, (word.en, later))),
            adverb="" if later else when.en))
    if roll < 0.55 and not fixed:
        return sentence(f"heute {verb} {subject.de} {word.de}", "today " + english.clause(
            subject.en, subject.en_plural, "be", "", "", word.en))
    return _is(NounPhrase(subject.de, subject.en, subject.person == 5, subject.en_plural), word, rng) if (
        " " in subject.de and subject.person in (2, 5)) else _person_statement(subject, verb, word, rng)


def _person_statement(subject: Subject, verb: str, word: Phrase, rng: random.Random) -> Pair:
    degree = rng.choice(DEGREES) if rng.random() < 0.5 else Phrase("", "")
    if word.de in ABSOLUTE and degree.de not in ("nicht", "leider"):
        degree = Phrase("", "")
    negative = degree.de.startswith("nicht")
    text = english.clause(subject.en, subject.en_plural, "be", "", "",
                          " ".join(filter(None, (degree.en.removeprefix("not").strip(), word.en))), negative=negative)
    return sentence(" ".join(filter(None, (subject.de, verb, degree.de, word.de))), text)


def attributes(rng: random.Random) -> Pair:
    """Das ist ein schöner Garten. Der rote Pullover ist teuer. Das ist mein neues Auto."""
    roll = rng.random()
    noun = rng.choice(NOUNS[rng.choice([kind for kind in ATTRIBUTES if kind not in ("grocery", "message")])])
    adj = attribute(noun, rng)
    plural = not noun.singular or (bool(noun.plural) and rng.random() < 0.2)
    if roll < 0.55:
        kind = rng.choice(("ein", "ein", "ein", "kein", "mein", "dein", "unser", "sein", "ihr", "der"))
        if noun.section in ("building", "vehicle", "event") and kind in ("mein", "dein", "sein", "ihr", "unser"):
            kind = "ein"
        phrase = noun_phrase(noun, "ein" if kind == "kein" else kind, "nom", plural=plural, adj=adj)
        german = noun_phrase(noun, kind, "nom", plural=plural, adj=adj).de
        verb = "sind" if plural else "ist"
        if kind == "kein":
            start = "these aren't" if phrase.en_plural else "that isn't"
        else:
            start = "these are" if phrase.en_plural else "this is" if noun.section in PEOPLE else "that's"
        return sentence(f"das {verb} {german}", f"{start} {phrase.en}")
    word = described(rng, (noun.section,))[1] if noun.section in PREDICATES else rng.choice(
        [a for a in ADJECTIVES["people_attr"] if a.de not in ("jung", "alt")])
    kind = own(noun, rng) if noun.section != "animal" else rng.choice(DETERMINERS)
    if adj and (adj.de == word.de or noun.section in ("room",)):
        adj = None
    return _is(noun_phrase(noun, kind, "nom", plural=plural, adj=adj), word, rng)


PEOPLE = ("person", "staff", "relative")
COMPARATIVES = {"groß": ("größer", "bigger"), "klein": ("kleiner", "smaller"), "alt": ("älter", "older"),
                "neu": ("neuer", "newer"), "schön": ("schöner", "more beautiful"), "billig": ("billiger", "cheaper"),
                "teuer": ("teurer", "more expensive"), "modern": ("moderner", "more modern"), "gut": ("besser", "better"),
                "schnell": ("schneller", "faster"), "langsam": ("langsamer", "slower"), "hell": ("heller", "brighter"),
                "warm": ("wärmer", "warmer"), "lang": ("länger", "longer"), "kurz": ("kürzer", "shorter"),
                "interessant": ("interessanter", "more interesting"), "schwierig": ("schwieriger", "more difficult"),
                "bequem": ("bequemer", "more comfortable"), "langweilig": ("langweiliger", "more boring"),
                "ruhig": ("ruhiger", "quieter"), "praktisch": ("praktischer", "more practical")}
PEOPLE_COMPARED = {"größer": "taller", "kleiner": "smaller", "älter": "older", "jünger": "younger", "fleißiger": "more hard-working",
                   "freundlicher": "friendlier", "schneller": "faster", "lustiger": "funnier", "stärker": "stronger"}


def comparing(rng: random.Random) -> Pair:
    """Der Zug ist schneller als der Bus. Mein Bruder ist älter als ich."""
    if rng.random() < 0.5:
        first, second = statement_subject(rng), statement_subject(rng)
        while first.de == second.de or first.key == second.key or second.key == "sie-pl":
            second = statement_subject(rng)
        german, text = rng.choice(tuple(PEOPLE_COMPARED.items()))
        if rng.random() < 0.2:
            german, text = rng.choice((("so alt wie", "as old as"), ("so groß wie", "as tall as"), ("so müde wie", "as tired as")))
        else:
            german, text = f"{german} als", f"{text} than"
        other = ENGLISH_OBJECT[second.key] if second == pronoun(second.key) else second.en
        return sentence(f"{first.de} {present('sein', first.person)} {german} {second.de}",
                        english.clause(first.en, first.en_plural, "be", "", "", f"{text} {other}"))
    while True:
        noun, word = described(rng, ("clothes", "machine", "furniture", "home", "reading", "room", "building", "vehicle"))
        if word.de in COMPARATIVES and noun.singular and not noun.en_always_plural:
            break
    others = [n for n in NOUNS[noun.section] if n.singular and n is not noun and not n.en_always_plural]
    german, text = COMPARATIVES[word.de]
    left, right = noun_phrase(noun, "der", "nom"), noun_phrase(rng.choice(others), "der", "nom")
    return sentence(f"{left.de} ist {german} als {right.de}", f"{left.en} is {text} than {right.en}")


PREPOSITIONS = tuple(Phrase(*row) for row in (("auf", "on"), ("unter", "under"), ("neben", "next to"), ("hinter", "behind"),
                                             ("vor", "in front of"), ("in", "in")))
ON = ("Tisch", "Schreibtisch", "Stuhl", "Bett", "Sofa", "Regal", "Kühlschrank", "Sessel", "Teppich")
UNDER = ("Tisch", "Schreibtisch", "Stuhl", "Bett", "Sofa")
IN = ("Tasche", "Schrank", "Koffer", "Rucksack", "Auto", "Kühlschrank")
BIG = ("Supermarkt", "Apotheke", "Bank", "Bäckerei", "Restaurant", "Café", "Museum", "Bibliothek", "Hotel", "Schule",
       "Krankenhaus", "Bahnhof", "Bushaltestelle", "Park", "Kirche", "Rathaus", "Post", "Kino", "Theater")


def somewhere(rng: random.Random) -> Phrase:
    """auf dem Tisch, in der Tasche, neben dem Sofa."""
    preposition = rng.choice(PREPOSITIONS)
    words = {"auf": ON, "unter": UNDER, "in": IN}.get(preposition.de, ("Tisch", "Sofa", "Bett", "Schrank", "Tür", "Lampe",
                                                                      "Fernseher", "Stuhl", "Computer", "Regal"))
    noun = NOUN[rng.choice(words)]
    phrase = noun_phrase(noun, rng.choice(("der", "der", "der", "mein")) if noun.section == "thing" else "der", "dat")
    german = "im" + phrase.de.removeprefix("dem") if f"{preposition.de} {phrase.de}".startswith("in dem ") else (
        f"{preposition.de} {phrase.de}")
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
        plural = not noun.singular or (kind not in ("building", "room", "vehicle") and bool(noun.plural) and rng.random() < 0.3)
        phrase = noun_phrase(noun, "der" if kind in ("building", "room", "vehicle") else rng.choice(DETERMINERS[:-1]), "nom",
                             plural=plural)
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
    when = rng.choice((Phrase("", ""), Phrase("", ""), Phrase("heute", "today"), Phrase("jetzt", "now"), Phrase("gerade", "right now"),
                       Phrase("morgen", "tomorrow"), *TIMES["weekday"][:2]))
    if section == "room" and when.de not in ("jetzt", "gerade"):
        when = Phrase("", "")
    if roll < 0.1:
        return sentence(" ".join(filter(None, ("wo", verb, subject.de, when.de))), " ".join(filter(None, (
            "where", english.clause(subject.en, subject.en_plural, "be", "", "", when.en, question=True)))), "?")
    rest = " ".join(filter(None, (place.en, when.en)))
    if roll < 0.3:
        return sentence(" ".join(filter(None, (verb, subject.de, when.de, place.de))),
                        english.clause(subject.en, subject.en_plural, "be", "", "", rest, question=True), "?")
    negative = rng.random() < 0.12
    words = (subject.de, verb, when.de, "nicht" if negative else "", place.de)
    return sentence(" ".join(filter(None, words)),
                    english.clause(subject.en, subject.en_plural, "be", "", "", rest, negative=negative))


def there_is(rng: random.Random) -> Pair:
    """Gibt es hier eine Bank? In der Stadt gibt es kein Kino."""
    roll = rng.random()
    kind = rng.choice(("building", "building", "furniture", "tableware"))
    noun = rng.choice(NOUNS[kind])
    places = (PLACES["city"] if kind == "building" else PLACES["room"])
    place = rng.choice(places).at if rng.random() < 0.7 or kind != "building" else rng.choice(
        (Phrase("hier", "here"), Phrase("in der Nähe", "nearby"), Phrase("in der Stadt", "in town"), Phrase("dort", "there")))
    if kind == "tableware" or (kind != "building" and not place.de.startswith(("in der Küche", "im W", "im Sch"))):
        place = Phrase("in der Küche", "in the kitchen")
    none = rng.random() < 0.25
    plural = bool(noun.plural) and rng.random() < 0.2
    german = noun_phrase(noun, "kein" if none else "ein", "acc", plural=plural).de
    thing = noun_phrase(noun, "kein" if none else "ein", "acc", plural=plural)
    be = "are" if thing.en_plural else "is"
    if roll < 0.4:
        thing, german = noun_phrase(noun, "ein", "acc", plural=plural), noun_phrase(noun, "ein", "acc", plural=plural).de
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
    kinds = {"gefallen": ("clothes", "home", "building", "room", "reading", "Film", "Stadt", "Musik", "furniture", "machine"),
             "gehören": ("thing", "clothes", "machine", "furniture", "home", "reading", "animal"),
             "schmecken": ("food", "mass_food", "drink", "grocery")}[verb]
    kind = rng.choice(kinds)
    noun = rng.choice(NOUNS[kind]) if kind in NOUNS else NOUN[kind]
    plural = not noun.singular or (kind == "grocery" or (bool(noun.plural) and rng.random() < 0.15))
    phrase = noun_phrase(noun, rng.choice(("der", "der", "dieser")), "nom", plural=plural)
    finite = {"gefallen": ("gefällt", "gefallen"), "gehören": ("gehört", "gehören"), "schmecken": ("schmeckt", "schmecken")}[verb][plural]
    negative = not question and rng.random() < 0.2
    order = (finite, who.de, phrase.de) if question and key else (finite, phrase.de, who.de) if question else (
        phrase.de, finite, who.de, "nicht" if negative else "")
    if verb == "gehören":
        text = english.clause(phrase.en, phrase.en_plural, "belong", "", "", f"to {who.en}", negative=negative, question=question)
    else:
        subject = Subject(who.de, who.en, key) if key else Subject(who.de, who.en, "sie-pl" if who.de.split()[0] in (
            "den", "ihren", "meinen") else "er")
        nominative = english_subject(key) if key else who.en
        text = english.clause(nominative, subject.en_plural, "like", "", "", phrase.en, negative=negative, question=question)
    return sentence(" ".join(filter(None, order)), text, "?" if question else ".")


def english_subject(key: str) -> str:
    """I, you, he: the English subject of what is a German dative."""
    return pronoun(key).en
