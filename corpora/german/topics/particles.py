"""Small words (leider, auch, noch, schon, vielleicht) and questions with welch-, wie viel and wie lange."""

import random

from corpora.german.actions import activity, choose, motion, object_action, time
from corpora.german.clauses import Action, Clause, Time, english_clause, german, pair
from corpora.german.conjugation import by_name
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import NOUNS, Phrase
from corpora.german.phrases import table
from corpora.german.sentence_form import sentence
from corpora.german.subjects import Subject, asked_subject, person_object, relative, statement_subject
from corpora.german.topics.everyday import deniable
from corpora.pairs import Pair


def small_words(rng: random.Random) -> Pair:
    """Ich habe leider kein Auto. Er trinkt auch Tee. Sie arbeitet noch. Vielleicht kommt er morgen."""
    subject, word = statement_subject(rng), rng.choice(("leider", "auch", "noch", "vielleicht", "nur", "natürlich"))
    if word == "leider":
        action = rng.choice(
            (
                object_action(subject, rng, rng.choice(("haben", "verstehen", "kennen", "brauchen", "finden"))),
                activity(rng, "short"),
                motion(rng),
            )
        )
        while not deniable(action):
            action = motion(rng)
        clause = Clause(subject, action, Time(Phrase("leider", "")), negative=True)
        text = english_clause(Clause(subject, action, negative=True), "statement")
        return sentence(german(clause, "statement"), f"unfortunately {text}")
    if word in ("vielleicht", "natürlich"):
        when = time(rng, "plan", "weekday")
        action = rng.choice((activity(rng, "short"), motion(rng), object_action(subject, rng, "kaufen")))
        english = {"vielleicht": "maybe", "natürlich": "of course"}[word]
        front = Clause(subject, action, when, opening=Phrase(word, ""))
        return sentence(german(front, "question"), f"{english} {english_clause(front, 'statement')}")
    if word == "noch":
        action = rng.choice(
            (
                activity(rng, "daily"),
                Action(by_name("schlafen")),
                Action(by_name("arbeiten")),
                Action(by_name("warten"), place=Phrase("auf den Bus", "for the bus")),
            )
        )
        return pair(Clause(subject, action, Time(Phrase("noch", "still"), "progressive", adverb=True)))
    action = object_action(
        subject, rng, rng.choice(("trinken", "essen", "lesen", "haben", "kaufen", "kennen", "brauchen"))
    )
    if word == "nur":
        action = object_action(subject, rng, rng.choice(("trinken", "essen")))
        while action.settled or action.obj.de.startswith("ein"):
            action = object_action(subject, rng, "trinken")
    while action.pronoun:
        action = object_action(subject, rng, "trinken")
    return pair(Clause(subject, action, Time(Phrase(word, {"auch": "also", "nur": "only"}[word]), adverb=True)))


WHICH = table("particles.which")


def which(rng: random.Random) -> Pair:
    """Welches Buch liest du? Welche Farbe hat das Auto? Wie findest du den Film?"""
    roll = rng.random()
    if roll < 0.5:
        verb, what, _ = rng.choice(WHICH)
        subject, noun = asked_subject(rng), choose(what, rng)
        plural = not noun.singular or rng.random() < 0.15
        thing = noun_phrase(noun, "welcher", "acc", plural=plural)
        when = time(rng, "plan") if rng.random() < 0.5 and not by_name(verb).stative else Time()
        return pair(
            Clause(subject, Action(by_name(verb)), when, opening=Phrase(thing.de, thing.en), aspect="progressive"),
            "question",
        )
    if roll < 0.62:
        noun = rng.choice([n for n in NOUNS[rng.choice(("clothes", "machine", "furniture", "thing"))] if n.singular])
        thing = noun_phrase(noun, rng.choice(("der", "dein", "Ihr")), "nom")
        return sentence(
            f"welche Farbe hat {thing.de}", f"what colour {'are' if thing.en_plural else 'is'} {thing.en}", "?"
        )
    if roll < 0.8:
        noun = choose(
            rng.choice(("clothes", "reading", "home", "event", "Idee", "Stadt", "Restaurant", "Lehrer", "Lehrerin")),
            rng,
        )
        thing = noun_phrase(
            noun, rng.choice(("der", "der", "dieser", "mein")) if noun.section in ("clothes", "home") else "der", "acc"
        )
        subject = Subject(*rng.choice((("du", "you", "du"), ("Sie", "you", "Sie"), ("ihr", "you", "ihr"))))
        return pair(
            Clause(subject, Action(by_name("finden"), Phrase(thing.de, "")), opening=Phrase("wie", "")), "question"
        )._replace(target=f"What do you think of {thing.en}?")
    subject = asked_subject(rng)
    if roll < 0.9:
        noun = rng.choice(
            [
                n
                for n in (*NOUNS["reading"], *NOUNS["grocery"], *NOUNS["thing"], *NOUNS["study"])
                if n.plural and not n.en_mass
            ]
        )
        verb = by_name(
            rng.choice(
                {"reading": ("haben", "lesen"), "grocery": ("kaufen", "brauchen")}.get(
                    noun.section, ("haben", "brauchen") if noun.section == "thing" else ("haben",)
                )
            )
        )
        return pair(
            Clause(subject, Action(verb), opening=Phrase(f"wie viele {noun.plural}", f"how many {noun.en_plural}")),
            "question",
        )
    action = rng.choice(
        (
            Action(by_name("bleiben")),
            Action(by_name("arbeiten")),
            Action(by_name("schlafen")),
            Action(by_name("warten")),
            Action(by_name("lernen")),
        )
    )
    when = time(rng, "plan") if action.verb.infinitive in ("bleiben", "arbeiten", "lernen") else Time()
    opening = Phrase("wie lange", "how long")
    return pair(Clause(subject, action, when, opening=opening), "question")


def companions(rng: random.Random) -> Pair:
    """Ich gehe mit meinem Bruder ins Kino. Das Geschenk ist für meine Mutter. Sie wohnt bei ihren Eltern."""
    roll, subject = rng.random(), statement_subject(rng)
    if roll < 0.6:
        preposition, english = rng.choice((("mit", "with"), ("mit", "with"), ("ohne", "without")))
        who = person_object(rng, subject, "dat" if preposition == "mit" else "acc")
        action = rng.choice((motion(rng), activity(rng, "free")))
        while action.obj.de or "mit" in action.place.de or action.verb.en.startswith(("meet", "learn", "work")):
            action = motion(rng)
        action = Action(
            action.verb,
            place=Phrase(
                f"{preposition} {who.de} {action.place.de}".strip(), f"{action.place.en} {english} {who.en}".strip()
            ),
        )
        when = time(rng, "plan", "weekday") if rng.random() < 0.6 else Time()
        return pair(Clause(subject, action, when))
    if roll < 0.8:
        noun = choose(
            rng.choice(("Geschenk", "Brief", "Blume", "Buch", "Kuchen", "E-Mail", "Paket", "Karte", "Nachricht")), rng
        )
        who = person_object(rng, Subject("es", "it", "es"), "acc" if roll < 0.72 else "dat")
        thing = noun_phrase(noun, "der", "nom", plural=noun.singular == "Blume")
        preposition, english = ("für", "for") if roll < 0.72 else ("von", "from")
        return sentence(
            f"{thing.de} {'sind' if thing.plural else 'ist'} {preposition} {who.de}",
            f"{thing.en} {'are' if thing.en_plural else 'is'} {english} {who.en}",
        )
    who = relative(rng, subject, "dat")
    verb = by_name(rng.choice(("wohnen", "wohnen", "bleiben")))
    when = time(rng, "plan") if verb.infinitive == "bleiben" else Time()
    text = Phrase(f"bei {who.de}", f"with {who.en}")
    return pair(Clause(subject, Action(verb, place=text), when))
