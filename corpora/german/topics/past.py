"""Sentences about the past: Perfekt, and the past of sein and haben."""

import random

from corpora.german import english
from corpora.german.actions import activity, any_action, object_action, time
from corpora.german.clauses import Action, Clause, Time, english_clause, pair
from corpora.german.conjugation import by_name, present
from corpora.german.lexicon import ADJECTIVES, PLACES, TIMES, Phrase
from corpora.german.phrases import column
from corpora.german.sentence_form import sentence
from corpora.german.subjects import asked_subject, middle_subject, statement_subject
from corpora.german.topics.everyday import deniable, far
from corpora.pairs import Pair


def perfekt(rng: random.Random) -> Pair:
    """Ich habe gestern ein Buch gelesen. Bist du schon aufgestanden?"""
    roll = rng.random()
    subject = asked_subject(rng) if roll < 0.25 else middle_subject(rng) if roll < 0.5 else statement_subject(rng)
    action = any_action(subject, rng)
    while action.verb.infinitive in ("haben", "brauchen", "kennen", "lieben"):
        action = any_action(subject, rng)
    ago = time(rng, "past", "long_past") if far(action) else time(rng, "past")
    when = ago if rng.random() < 0.75 else Time()
    negative = deniable(action) and rng.random() < 0.15
    if roll < 0.25:
        return pair(Clause(subject, action, when, perfect=True), "question")
    if roll < 0.5:
        return pair(Clause(subject, action, ago, negative, perfect=True), "time first")
    return pair(Clause(subject, action, when, negative, perfect=True))


def perfekt_questions(rng: random.Random) -> Pair:
    """Was hast du gestern gemacht? Wann ist er angekommen?"""
    subject = asked_subject(rng)
    word, en_word = rng.choice((("was", "what"), ("wann", "when"), ("wohin", "where"), ("wo", "where")))
    when = time(rng, "past") if rng.random() < 0.6 else Time()
    if word == "was":
        verbs = (
            "machen",
            "machen",
            "kaufen",
            "kochen",
            "essen",
            "trinken",
            "lesen",
            "spielen",
            "bestellen",
            "lernen",
            "mitbringen",
            "vergessen",
            "sagen",
            "sehen",
            "finden",
            "schreiben",
            "bekommen",
        )
        action = Action(by_name(rng.choice(verbs)))
    elif word == "wohin":
        action = Action(by_name(rng.choice(("gehen", "fahren", "fliegen", "reisen"))))
    elif word == "wo":
        action = Action(by_name(rng.choice(("wohnen", "arbeiten", "schlafen", "studieren", "warten", "sitzen"))))
    else:
        action = rng.choice((activity(rng, "daily"), activity(rng, "short"), object_action(subject, rng)))
        when = Time()
    return pair(Clause(subject, action, when, perfect=True, opening=Phrase(word, en_word)), "question")


DONE = column("past.done")


def already(rng: random.Random) -> Pair:
    """Ich habe die Rechnung schon bezahlt. Hast du schon gegessen?"""
    question = rng.random() < 0.4
    subject = asked_subject(rng) if question else statement_subject(rng)
    if rng.random() < 0.25:
        action = Action(
            by_name(
                rng.choice(
                    (
                        "essen",
                        "frühstücken",
                        "duschen",
                        "aufstehen",
                        "ankommen",
                        "einkaufen",
                        "bezahlen",
                        "bestellen",
                        "aufräumen",
                    )
                )
            )
        )
    else:
        action = object_action(subject, rng, rng.choice(DONE))
        while not action.settled:
            action = object_action(subject, rng, rng.choice(DONE))
    if question:
        return pair(Clause(subject, action, perfect=True, already=True), "question")
    obj = "" if action.pronoun else action.obj.de
    finite = present(action.verb.auxiliary, subject.person)
    negative = rng.random() < 0.4
    words = (subject.de, finite, action.pronoun, obj, "noch nicht" if negative else "schon", action.verb.participle)
    clause = Clause(subject, action, negative=negative, perfect=True, already=True)
    return sentence(" ".join(word for word in words if word), english_clause(clause, "statement"))


def at_a_place(rng: random.Random) -> tuple[Phrase, Phrase]:
    """Where people were, and when."""
    section = rng.choice(("outing", "daily", "daily", "holiday", "city", "country"))
    ago = "long_past" if section in ("holiday", "city", "country") and rng.random() < 0.6 else "past"
    return rng.choice(PLACES[section]).at, rng.choice(TIMES[ago])


def past_of_being(rng: random.Random) -> Pair:
    """Ich war gestern im Kino. Hattest du Zeit?"""
    question, had = rng.random() < 0.35, rng.random() < 0.3
    subject = asked_subject(rng) if question else statement_subject(rng)
    when = rng.choice(TIMES["past"])
    if had:
        thing = rng.choice(tuple(HAVING))
        verb, rest, english_verb = "hatte", thing, "have"
    else:
        word, ago = at_a_place(rng)
        if rng.random() < 0.35:
            word = rng.choice(
                [a for a in ADJECTIVES["person"] if a.de not in ("verheiratet", "ledig", "faul", "stark", "gesund")]
            )
        else:
            when = ago
        verb, rest, english_verb = "war", word, "be"
    text = english.clause(
        subject.en,
        subject.en_plural,
        english_verb,
        "had",
        "had",
        f"{rest.en} {when.en}",
        tense="past",
        question=question,
    )
    finite = present(verb, subject.person)
    front = (finite, subject.de) if question else (subject.de, finite)
    return sentence(f"{' '.join(front)} {when.de} {rest.de}", text, "?" if question else ".")


HAVING = tuple(
    Phrase(*item)
    for item in (
        ("Zeit", "time"),
        ("Hunger", ""),
        ("Geld", "money"),
        ("Glück", "luck"),
        ("viel Arbeit", "a lot of work"),
        ("viel Spaß", "a lot of fun"),
        ("Besuch", "visitors"),
        ("Fieber", "a fever"),
        ("Kopfschmerzen", "a headache"),
        ("einen Termin", "an appointment"),
        ("Unterricht", "lessons"),
        ("Urlaub", "time off"),
        ("eine Prüfung", "an exam"),
        ("eine Besprechung", "a meeting"),
        ("Husten", "a cough"),
        ("Ruhe", "rest"),
        ("viele Fragen", "many questions"),
        ("Deutschkurs", "German class"),
        ("Bauchschmerzen", "stomach ache"),
        ("ein Problem", "a problem"),
    )
    if item[1]
)
