"""Modal verbs and commands."""

import random
import re

from corpora.german.actions import activity, any_action, motion, object_action, staying, time
from corpora.german.clauses import Action, Clause, Time, english_verb, pair
from corpora.german.conjugation import by_name, imperative, present
from corpora.german.lexicon import Phrase
from corpora.german.phrases import column
from corpora.german.sentence_form import sentence
from corpora.german.subjects import Subject, asked_subject, middle_subject, pronoun, statement_subject
from corpora.german.topics.everyday import deniable, far
from corpora.pairs import Pair

MODALS = ("können", "können", "müssen", "müssen", "wollen", "wollen", "möchten", "möchten", "dürfen", "sollen")
UNWANTED = column("modals.unwanted")


def doable(subject: Subject, rng: random.Random) -> Action:
    """An action one can want, plan or be told."""
    while True:
        action = any_action(subject, rng) if rng.random() < 0.85 else activity(rng, "short")
        if action.verb.infinitive not in UNWANTED and action.verb.en not in ("arrive", "wake up"):
            return action


def modals(rng: random.Random) -> Pair:
    """Ich muss heute arbeiten. Kannst du mich morgen abholen?"""
    modal, roll = rng.choice(MODALS), rng.random()
    if roll < 0.35:
        subject = asked_subject(rng)
        if modal == "dürfen" or (modal == "sollen" and rng.random() < 0.8):
            subject = pronoun(rng.choice(("ich", "wir")))
        action = doable(subject, rng)
        when = time(rng, "plan", "weekday") if rng.random() < 0.5 else Time()
        return pair(Clause(subject, action, when, modal=modal), "question")
    if roll < 0.55:
        subject = middle_subject(rng)
        return pair(
            Clause(subject, doable(subject, rng), time(rng, "plan", "weekday", "habit"), modal=modal), "time first"
        )
    subject = statement_subject(rng)
    action = doable(subject, rng)
    negative = deniable(action) and rng.random() < 0.3
    when = time(rng, "plan", "plan", "weekday", "clock") if rng.random() < 0.6 else Time()
    if negative and when and not re.match("heute|morgen|am", when.phrase.de):
        when = Time()
    return pair(Clause(subject, action, when, negative, modal=modal))


def modal_questions(rng: random.Random) -> Pair:
    """Was möchtest du heute essen? Wann kannst du kommen?"""
    subject, modal = asked_subject(rng), rng.choice(("können", "müssen", "wollen", "möchten"))
    when = time(rng, "plan", "weekday") if rng.random() < 0.5 else Time()
    word, en_word = rng.choice((("was", "what"), ("wann", "when"), ("wohin", "where"), ("warum", "why")))
    if word == "was":
        verbs = (
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
        )
        action = Action(by_name(rng.choice(verbs)))
    elif word == "wohin":
        action = Action(by_name(rng.choice(("gehen", "fahren", "fliegen"))))
    else:
        action = doable(subject, rng)
    if word == "wann":
        when = Time(Phrase("heute", "today")) if rng.random() < 0.3 else Time()
    return pair(Clause(subject, action, when, modal=modal, opening=Phrase(word, en_word)), "question")


TOLD = column("modals.told")


def imperatives(rng: random.Random) -> Pair:
    """Komm bitte mit! Machen Sie bitte das Fenster zu. Ruf mich morgen an!"""
    key = rng.choice(("du", "du", "Sie", "Sie", "ihr"))
    subject = Subject("Sie", "you", key)
    action = (
        object_action(subject, rng, rng.choice(TOLD))
        if rng.random() < 0.75
        else rng.choice((activity(rng, "short"), motion(rng), staying(rng)))
    )
    while far(action) or action.verb.en in ("arrive", "move"):
        action = motion(rng)
    when = (
        Time(Phrase(*rng.choice((("heute", "today"), ("morgen", "tomorrow"), ("jetzt", "now")))))
        if rng.random() < 0.2
        else Time()
    )
    verb = action.verb
    forms = {"du": imperative(verb), "Sie": f"{verb.infinitive} Sie", "ihr": present(verb, 4)}
    please = rng.random() < 0.5
    obj = action.obj.de
    words = [
        forms[key],
        action.pronoun,
        "bitte" if please else "",
        when.phrase.de,
        "" if action.pronoun else obj,
        action.place.de,
        verb.prefix,
    ]

    (base, _, _), rest = english_verb(action)
    english_words = ["please" if please else "", base, rest, when.phrase.en]
    return sentence(" ".join(filter(None, words)), " ".join(filter(None, english_words)), rng.choice((".", "!")))
