"""Themes of the first chapters about people: names, origin, jobs, languages, age, family."""

import random

from corpora.german.conjugation import by_name, present
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import NOUN, NOUNS, PLACES, Phrase
from corpora.german.numbers import number
from corpora.german.phrases import pairs
from corpora.german.sentence_form import sentence
from corpora.german.subjects import (
    MEN,
    OWN,
    WOMEN,
    Subject,
    asked_subject,
    name,
    people,
    pronoun,
    statement_subject,
)
from corpora.german.topics.saying import join, states
from corpora.pairs import Pair

LANGUAGES = tuple(
    Phrase(*row)
    for row in (
        ("Deutsch", "German"),
        ("Englisch", "English"),
        ("Französisch", "French"),
        ("Spanisch", "Spanish"),
        ("Italienisch", "Italian"),
        ("Polnisch", "Polish"),
        ("Russisch", "Russian"),
        ("Türkisch", "Turkish"),
        ("Arabisch", "Arabic"),
        ("Chinesisch", "Chinese"),
        ("Japanisch", "Japanese"),
        ("Portugiesisch", "Portuguese"),
        ("Griechisch", "Greek"),
        ("Ukrainisch", "Ukrainian"),
    )
)
DEGREES = tuple(
    Phrase(*row)
    for row in (
        ("", ""),
        ("gut", "well"),
        ("sehr gut", "very well"),
        ("ein bisschen", "a little"),
        ("nicht gut", "NOT well"),
        ("schon gut", "already well"),
    )
)[:5]


def introductions(rng: random.Random) -> Pair:
    """Ich heiße Anna. Er kommt aus Spanien. Woher kommst du?"""
    roll = rng.random()
    if roll < 0.3:
        subject = pronoun(rng.choice(("ich", "ich", "er", "sie")))
        full = rng.choice(
            WOMEN[:16] if subject.key == "sie" else MEN[:13] if subject.key == "er" else WOMEN[:16] + MEN[:13]
        )
        if rng.random() < 0.5:
            full += " " + rng.choice(SURNAMES)
        if rng.random() < 0.4:
            return sentence(f"{OWN[subject.key]} Name ist {full}", f"{POSSESSIVE[subject.key]} name is {full}")
        return sentence(
            f"{subject.de} {present('heißen', subject.person)} {full}", f"{POSSESSIVE[subject.key]} name is {full}"
        )
    if roll < 0.4:
        kin = people(rng)
        while kin.key == "sie-pl" or not kin.de.split()[0].startswith(("mein", "dein", "unser", "sein", "ihr")):
            kin = people(rng)
        full = rng.choice(WOMEN[:16] if kin.key == "sie" else MEN[:13])
        return sentence(f"{kin.de} heißt {full}", f"{kin.en}'s name is {full}")
    if roll < 0.75:
        subject, place = statement_subject(rng), rng.choice(PLACES[rng.choice(("country", "city"))])
        origin = rng.random() < 0.5
        verb = present("kommen" if origin else rng.choice(("wohnen", "leben")), subject.person)
        german = place.at.de.replace("in ", "aus ", 1) if origin else place.at.de
        text = (
            states(subject, "be", place.at.en.replace("in ", "from ", 1))
            if origin
            else states(subject, "live", place.at.en)
        )
        return sentence(f"{subject.de} {verb} {german}", text)
    if roll < 0.87:
        subject, place = asked_subject(rng), rng.choice(PLACES[rng.choice(("country", "city"))])
        if rng.random() < 0.5:
            return sentence(
                f"{present('kommen', subject.person)} {subject.de} {place.at.de.replace('in ', 'aus ', 1)}",
                states(subject, "be", place.at.en.replace("in ", "from ", 1), question=True),
                "?",
            )
        return sentence(
            f"{present('wohnen', subject.person)} {subject.de} {place.at.de}",
            states(subject, "live", place.at.en, question=True),
            "?",
        )
    subject = asked_subject(rng)
    if rng.random() < 0.5:
        return sentence(
            f"woher {present('kommen', subject.person)} {subject.de}",
            f"where {states(subject, 'be', 'from', question=True)}",
            "?",
        )
    whose = POSSESSIVE.get(subject.key, "") if subject == pronoun(subject.key) else subject.en + "'s"
    if subject.key in ("wir", "sie-pl", "ihr"):
        subject, whose = pronoun("du"), "your"
    return sentence(f"wie {present('heißen', subject.person)} {subject.de}", f"what is {whose} name", "?")


SURNAMES = ("Müller", "Schmidt", "Weber", "Fischer", "Schneider", "Becker", "Wagner", "Koch", "Klein", "Wolf")
POSSESSIVE = pairs("people.possessive")
FEMALE = tuple(
    noun
    for noun in (*NOUNS["profession"], *NOUNS["staff"])
    if noun.gender == "f" and noun.singular not in ("Kollegin", "Chefin", "Vermieterin", "Mitarbeiterin")
)
MALE = tuple(
    noun
    for noun in (*NOUNS["profession"], *NOUNS["staff"])
    if noun.gender == "m" and noun.singular not in ("Kollege", "Chef", "Vermieter", "Mitarbeiter")
)


def professions(rng: random.Random) -> Pair:
    """Sie ist Ärztin. Arbeitest du als Koch? Was bist du von Beruf?"""
    roll = rng.random()
    subject = asked_subject(rng) if roll < 0.35 else statement_subject(rng)
    if roll < 0.1:
        return sentence(
            f"was {present('sein', subject.person)} {subject.de} von Beruf",
            f"what {states(subject, 'do', 'for a living', question=True)}",
            "?",
        )
    plural = subject.key in ("wir", "ihr", "sie-pl")
    nouns = FEMALE if subject.key == "sie" else MALE if subject.key in ("er", "wir", "ihr", "sie-pl") else FEMALE + MALE
    while plural and subject.key == "wir" and roll < 0.35:
        subject = asked_subject(rng)
        plural, nouns = subject.key in ("ihr", "sie-pl"), FEMALE if subject.key == "sie" else MALE
    noun = rng.choice([n for n in nouns if n.singular not in subject.de])
    works = rng.random() < 0.3 and not noun.singular.startswith(("Student", "Schüler"))
    job = noun_phrase(noun, "", "nom", plural=plural).de
    role = noun_phrase(noun, "ein", "nom", plural=plural).en
    german, verb, rest = (f"als {job}", "arbeiten", f"as {role}") if works else (job, "sein", role)
    finite, en_verb = present(verb, subject.person), "work" if works else "be"
    if roll < 0.35:
        return sentence(f"{finite} {subject.de} {german}", states(subject, en_verb, rest, question=True), "?")
    return sentence(f"{subject.de} {finite} {german}", states(subject, en_verb, rest))


def languages(rng: random.Random) -> Pair:
    """Ich spreche gut Deutsch. Lernst du Spanisch?"""
    roll, language = rng.random(), rng.choice(LANGUAGES)
    subject = asked_subject(rng) if roll < 0.35 else statement_subject(rng)
    verb = rng.choice(("sprechen", "sprechen", "lernen", "verstehen"))
    form = present(by_name(verb), subject.person)
    en_verb = {"sprechen": "speak", "lernen": "learn", "verstehen": "understand"}[verb]
    if roll < 0.08:
        return sentence(
            f"welche Sprachen {form} {subject.de}", f"which languages {states(subject, en_verb, question=True)}", "?"
        )
    if roll < 0.35:
        return sentence(f"{form} {subject.de} {language.de}", states(subject, en_verb, language.en, question=True), "?")
    if roll < 0.55 and verb != "lernen":
        second = rng.choice([other for other in LANGUAGES if other != language])
        return sentence(
            f"{subject.de} {form} {language.de} und {second.de}",
            states(subject, en_verb, f"{language.en} and {second.en}"),
        )
    if roll < 0.65:
        return sentence(f"{subject.de} {form} kein {language.de}", states(subject, en_verb, language.en, negative=True))
    degree = DEGREES[0] if verb == "lernen" else rng.choice(DEGREES)
    if verb == "lernen" and rng.random() < 0.5:
        years = number(rng.randint(2, 9))
        unit = rng.choice((("Jahren", "years"), ("Monaten", "months"), ("Wochen", "weeks")))
        have = "has" if not subject.en_plural and subject.en != "I" else "have"
        return sentence(
            f"{subject.de} {form} seit {years.de} {unit[0]} {language.de}",
            f"{subject.en} {have} been learning {language.en} for {years.en} {unit[1]}",
        )
    if degree.en.startswith("NOT"):
        return sentence(
            f"{subject.de} {form} nicht gut {language.de}",
            states(subject, en_verb, f"{language.en} well", negative=True),
        )
    return sentence(
        join(subject.de, form, degree.de, language.de), states(subject, en_verb, join(language.en, degree.en))
    )


def age_family(rng: random.Random) -> Pair:
    """Meine Schwester ist zwölf Jahre alt. Hast du Geschwister? Ich habe zwei Brüder."""
    roll = rng.random()
    if roll < 0.3:
        subject, years = statement_subject(rng), number(rng.randint(2, 99))
        exact = rng.random() < 0.7
        return sentence(
            join(subject.de, present("sein", subject.person), years.de, "Jahre alt" if exact else ""),
            states(subject, "be", join(years.en, "years old" if exact else "")),
        )
    if roll < 0.4:
        subject = asked_subject(rng)
        return sentence(
            f"wie alt {present('sein', subject.person)} {subject.de}",
            f"how old {states(subject, 'be', question=True)}",
            "?",
        )
    noun = rng.choice(
        [
            n
            for n in NOUNS["relative"]
            if n.singular in ("Bruder", "Schwester", "Sohn", "Tochter", "Tante", "Onkel", "Cousine")
        ]
        + [NOUN["Kind"], NOUN["Freund"], NOUN["Hund"], NOUN["Katze"]]
    )
    if roll < 0.75:
        subject, many = statement_subject(rng), rng.randint(2, 6)
        amount = number(many)
        if rng.random() < 0.3:
            thing = noun_phrase(noun, rng.choice(("ein", "kein")), "acc", plural=rng.random() < 0.3)
            negative = thing.de.startswith("kein")
            thing_en = noun_phrase(noun, "ein", "acc", plural=thing.plural).en
            if not negative and thing.plural:
                thing = noun_phrase(noun, "ein", "acc")
                thing_en = thing.en
            return sentence(
                f"{subject.de} {present('haben', subject.person)} {thing.de}",
                states(subject, "have", thing_en, negative=negative),
            )
        return sentence(
            f"{subject.de} {present('haben', subject.person)} {amount.de} {noun.plural}",
            states(subject, "have", f"{amount.en} {noun.en_plural}"),
        )
    subject = asked_subject(rng)
    if rng.random() < 0.3:
        return sentence(
            f"wie viele {noun.plural} {present('haben', subject.person)} {subject.de}",
            f"how many {noun.en_plural} {states(subject, 'have', question=True)}",
            "?",
        )
    thing = noun_phrase(noun, "ein", "acc", plural=rng.random() < 0.3)
    if rng.random() < 0.2:
        return sentence(
            f"{present('haben', subject.person)} {subject.de} Geschwister",
            states(subject, "have", "siblings", question=True),
            "?",
        )
    return sentence(
        f"{present('haben', subject.person)} {subject.de} {thing.de}",
        states(subject, "have", thing.en, question=True),
        "?",
    )


def who_is_it(rng: random.Random) -> Pair:
    """Wer ist das? Das ist meine Mutter. Wer liest das Buch?"""
    if rng.random() < 0.5:
        who = people(rng) if rng.random() < 0.7 else name(rng)
        verb, text = ("sind", "these are") if who.key == "sie-pl" else ("ist", "this is")
        if rng.random() < 0.2:
            order = ("is this", "are these")[who.key == "sie-pl"]
            return sentence(f"{verb} das {who.de}", f"{order} {who.en}", "?")
        return sentence(f"das {verb} {who.de}", f"{text} {who.en}")
    from corpora.german.actions import activity, object_action, time
    from corpora.german.clauses import Clause, english_clause, german

    wer = Subject("wer", "who", "er")
    action = object_action(wer, rng) if rng.random() < 0.6 else activity(rng, "free", "daily", "short")
    when = time(rng, "plan", "plan", "weekday") if not action.verb.stative else time(rng, "plan")
    if action.verb.stative:
        from corpora.german.clauses import Time

        when = Time()
    clause = Clause(wer, action, when)
    return sentence(german(clause, "statement"), english_clause(clause, "statement"), "?")
