"""Sentences that describe things and people."""

import random

from corpora.german import english
from corpora.german.actions import ATTRIBUTES, JUDGED, TASTES, attribute
from corpora.german.conjugation import present
from corpora.german.declension import NounPhrase, noun_phrase
from corpora.german.lexicon import ADJECTIVES, NOUNS, Noun, Phrase
from corpora.german.phrases import column, lists, pairs
from corpora.german.sentence_form import sentence
from corpora.german.subjects import ENGLISH_OBJECT, Subject, asked_subject, pronoun, statement_subject
from corpora.pairs import Pair

THINGS = column("describing.things")
PREDICATES = lists("describing.predicates")
DEGREES = tuple(
    Phrase(*row)
    for row in (
        ("sehr", "very"),
        ("zu", "too"),
        ("nicht", "not"),
        ("nicht so", "not so"),
        ("ziemlich", "quite"),
        ("wirklich", "really"),
        ("leider", "unfortunately"),
    )
)
ABSOLUTE = ("kaputt", "offen", "geschlossen", "geöffnet", "verheiratet", "ledig", "fertig", "richtig", "falsch", "frei")
NOT_SAID = {
    ("building", "frei"),
    ("building", "pünktlich"),
    ("building", "voll"),
    ("vehicle", "offen"),
    ("vehicle", "geschlossen"),
    ("vehicle", "geöffnet"),
    ("vehicle", "frei"),
    ("opening", "voll"),
    ("opening", "frei"),
    ("opening", "pünktlich"),
    ("mass_food", "scharf"),
    ("grocery", "heiß"),
    ("thing", "praktisch"),
    ("grocery", "scharf"),
    ("grocery", "warm"),
    ("event", "kurz"),
    ("home", "leer"),
}
DETERMINERS = ("der", "der", "der", "mein", "dein", "sein", "ihr", "unser", "dieser")


def described(rng: random.Random, kinds: tuple[str, ...] = THINGS, given: Noun | None = None) -> tuple[Noun, Phrase]:
    """A noun (or the given one) and a predicate that suits it."""
    while True:
        noun = given or rng.choice(NOUNS[rng.choice(kinds)])
        word = rng.choice(HEAT if noun.section == "drink" else ADJECTIVES[rng.choice(PREDICATES[noun.section])])
        if noun.section == "study" and noun.singular not in (*JUDGED, "Prüfung") and not given:
            continue
        if (noun.section, word.de) not in NOT_SAID and (word.de not in TASTES or noun.singular in TASTES[word.de]):
            return noun, word


HEAT = tuple(
    Phrase(*row)
    for row in (("heiß", "hot"), ("kalt", "cold"), ("warm", "warm"), ("lecker", "delicious"), ("gut", "good"))
)


def own(noun: Noun, rng: random.Random) -> str:
    """A determiner for a subject; buildings and buses are nobody's."""
    return (
        "der"
        if noun.section in ("building", "vehicle", "event", "study", "mass_food", "person")
        else rng.choice(DETERMINERS)
    )


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
        return sentence(
            f"{verb} {phrase.de} {word.de}",
            english.clause(phrase.en, phrase.en_plural, "be", "", "", word.en, question=True),
            "?",
        )
    degree = rng.choice(DEGREES) if roll < 0.6 else Phrase("", "")
    if word.de in ABSOLUTE and degree.de not in ("nicht", "leider"):
        degree = Phrase("", "")
    german = " ".join(filter(None, (phrase.de, verb, degree.de, word.de)))
    if degree.de.startswith("nicht"):
        rest = " ".join(filter(None, (degree.en.removeprefix("not").strip(), word.en)))
        return sentence(german, english.clause(phrase.en, phrase.en_plural, "be", "", "", rest, negative=True))
    return sentence(
        german, english.clause(phrase.en, phrase.en_plural, "be", "", "", " ".join(filter(None, (degree.en, word.en))))
    )


def person_is(rng: random.Random) -> Pair:
    """Ich bin müde. Ist deine Schwester verheiratet? Heute bin ich krank."""
    word, roll = rng.choice(ADJECTIVES["person"]), rng.random()
    subject = asked_subject(rng) if roll < 0.25 else statement_subject(rng)
    verb = present("sein", subject.person)
    when = rng.choice(
        (Phrase("heute", "today"), Phrase("heute", "today"), Phrase("immer", "always"), Phrase("oft", "often"))
    )
    is_fixed = word.de not in (
        "müde",
        "krank",
        "glücklich",
        "traurig",
        "nervös",
        "zufrieden",
        "hungrig",
        "durstig",
        "pünktlich",
        "aufgeregt",
        "beschäftigt",
        "fertig",
    )
    if roll < 0.25:
        with_time = "" if rng.random() < 0.6 or is_fixed else "heute"
        return sentence(
            " ".join(filter(None, (verb, subject.de, with_time, word.de))),
            english.clause(
                subject.en,
                subject.en_plural,
                "be",
                "",
                "",
                " ".join(filter(None, (word.en, with_time and "today"))),
                question=True,
            ),
            "?",
        )
    if roll < 0.45 and not is_fixed:
        later = "" if when.de != "heute" else "today"
        return sentence(
            f"{subject.de} {verb} {when.de} {word.de}",
            english.clause(
                subject.en,
                subject.en_plural,
                "be",
                "",
                "",
                " ".join(filter(None, (word.en, later))),
                adverb="" if later else when.en,
            ),
        )
    if roll < 0.55 and not is_fixed:
        return sentence(
            f"heute {verb} {subject.de} {word.de}",
            "today " + english.clause(subject.en, subject.en_plural, "be", "", "", word.en),
        )
    return (
        _is(NounPhrase(subject.de, subject.en, subject.person == 5, subject.en_plural), word, rng)
        if (" " in subject.de and subject.person in (2, 5))
        else _person_statement(subject, verb, word, rng)
    )


def _person_statement(subject: Subject, verb: str, word: Phrase, rng: random.Random) -> Pair:
    degree = rng.choice(DEGREES) if rng.random() < 0.5 else Phrase("", "")
    if (word.de in ABSOLUTE and degree.de not in ("nicht", "leider")) or (
        degree.de == "zu" and word.de not in ("müde", "nervös", "faul", "ruhig", "krank")
    ):
        degree = Phrase("", "")
    negative = degree.de.startswith("nicht")
    text = english.clause(
        subject.en,
        subject.en_plural,
        "be",
        "",
        "",
        " ".join(filter(None, (degree.en.removeprefix("not").strip(), word.en))),
        negative=negative,
    )
    return sentence(" ".join(filter(None, (subject.de, verb, degree.de, word.de))), text)


def attributes(rng: random.Random) -> Pair:
    """Das ist ein schöner Garten. Der rote Pullover ist teuer. Das ist mein neues Auto."""
    roll = rng.random()
    noun = rng.choice(NOUNS[rng.choice([kind for kind in ATTRIBUTES if kind not in ("grocery", "message")])])
    adj = attribute(noun, rng)
    plural = not noun.singular or (bool(noun.plural) and rng.random() < 0.2)
    if roll < 0.55:
        kind = rng.choice(("ein", "ein", "ein", "kein", "mein", "dein", "unser", "sein", "ihr", "der"))
        if noun.section in ("building", "vehicle", "event", "person") and kind in (
            "mein",
            "dein",
            "sein",
            "ihr",
            "unser",
        ):
            kind = "ein"
        phrase = noun_phrase(noun, "ein" if kind == "kein" else kind, "nom", plural=plural, adj=adj)
        german = noun_phrase(noun, kind, "nom", plural=plural, adj=adj).de
        verb = "sind" if plural else "ist"
        if kind == "kein":
            start = "these aren't" if phrase.en_plural else "that isn't"
        else:
            start = "these are" if phrase.en_plural else "this is" if noun.section in PEOPLE else "that's"
        return sentence(f"das {verb} {german}", f"{start} {phrase.en}")
    word = (
        described(rng, given=noun)[1]
        if noun.section in PREDICATES
        else rng.choice([a for a in ADJECTIVES["people_attr"] if a.de not in ("jung", "alt")])
    )
    kind = own(noun, rng) if noun.section != "animal" else rng.choice(DETERMINERS)
    if adj and (
        adj.de == word.de
        or {adj, word} <= set(ADJECTIVES["colour"])
        or {adj.de, word.de} in ({"alt", "neu"}, {"groß", "klein"})
        or noun.section in ("study", "reading", "event", "food", "clothes", "room")
    ):
        adj = None
    return _is(noun_phrase(noun, kind, "nom", plural=plural, adj=adj), word, rng)


PEOPLE = ("person", "staff", "relative")
COMPARATIVES = lists("describing.comparatives")
PEOPLE_COMPARED = pairs("describing.people_compared")


def comparing(rng: random.Random) -> Pair:
    """Der Zug ist schneller als der Bus. Mein Bruder ist älter als ich."""
    if rng.random() < 0.5:
        first, second = statement_subject(rng), statement_subject(rng)
        while first.de == second.de or first.key == second.key or second.key == "sie-pl":
            second = statement_subject(rng)
        german, text = rng.choice(tuple(PEOPLE_COMPARED.items()))
        if rng.random() < 0.2:
            german, text = rng.choice(
                (("so alt wie", "as old as"), ("so groß wie", "as tall as"), ("so müde wie", "as tired as"))
            )
        else:
            german, text = f"{german} als", f"{text} than"
        other = ENGLISH_OBJECT[second.key] if second == pronoun(second.key) else second.en
        return sentence(
            f"{first.de} {present('sein', first.person)} {german} {second.de}",
            english.clause(first.en, first.en_plural, "be", "", "", f"{text} {other}"),
        )
    while True:
        noun, word = described(rng, ("clothes", "furniture", "home", "reading", "room", "building", "vehicle"))
        if word.de in COMPARATIVES and noun.singular and not noun.en_always_plural:
            break
    others = [n for n in NOUNS[noun.section] if n.singular and n is not noun and not n.en_always_plural]
    german, text = COMPARATIVES[word.de]
    left, right = noun_phrase(noun, "der", "nom"), noun_phrase(rng.choice(others), "der", "nom")
    return sentence(f"{left.de} ist {german} als {right.de}", f"{left.en} is {text} than {right.en}")
