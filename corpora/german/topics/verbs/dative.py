"""Verbs with a dative: helping someone, giving someone something."""

import random

from corpora.german import english
from corpora.german.actions import time
from corpora.german.clauses import NOTHING, Time
from corpora.german.conjugation import by_name, present
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import NOUN, NOUNS, TIMES
from corpora.german.sentence_form import sentence
from corpora.german.subjects import asked_subject, person_object, statement_subject
from corpora.pairs import Pair


def dative(rng: random.Random) -> Pair:
    """Er hilft seiner Mutter. Ich schenke meinem Bruder ein Buch."""
    question = rng.random() < 0.25
    subject = asked_subject(rng) if question else statement_subject(rng)
    to = person_object(rng, subject, "dat")
    if rng.random() < 0.4:
        verb = by_name(rng.choice(("helfen", "helfen", "danken", "antworten", "zuhören")))
        can_plan = verb.infinitive != "danken"
        en_verb = {"antworten": "answer", "zuhören": "listen to"}.get(verb.prefix + verb.infinitive, verb.en)
        when = rng.choice(TIMES["plan"]) if can_plan and (rng.random() < 0.4 or question) else NOTHING
        negative = rng.random() < 0.2
        before, after = (to.de, when.de) if (to.de.islower() and " " not in to.de) or negative else (when.de, to.de)
        order = (present(verb, subject.person), subject.de) if question else (subject.de, present(verb, subject.person))
        words = (*order, before, after, "nicht" if negative else "", verb.prefix)
        head, _, tail = en_verb.partition(" ")
        text = english.clause(
            subject.en,
            subject.en_plural,
            head,
            "",
            "",
            " ".join(filter(None, (tail, to.en, when.en))),
            tense="progressive" if when.de else "present",
            negative=negative,
            question=question,
        )
        return sentence(" ".join(filter(None, words)), text, "?" if question else ".")
    verb, sections = rng.choice(
        (
            ("geben", ("thing", "reading", "drink")),
            ("zeigen", ("thing", "room", "reading", "clothes")),
            ("schenken", ("clothes", "reading", "Blume", "Uhr", "Kamera")),
            ("bringen", ("drink", "food", "paper")),
            ("schicken", ("message", "paper", "Foto", "Paket")),
            ("leihen", ("thing", "Fahrrad", "Auto", "reading")),
            ("kaufen", ("clothes", "food", "Blume", "reading")),
            ("erklären", ("study",)),
            ("erzählen", ("Geschichte",)),
            ("kochen", ("Suppe",)),
            ("schreiben", ("message",)),
        )
    )
    what = rng.choice(sections)
    noun = rng.choice(NOUNS[what]) if what in NOUNS else NOUN[what]
    kinds = {
        "schenken": ("ein",),
        "bringen": ("ein", "der"),
        "kaufen": ("ein",),
        "erzählen": ("ein",),
        "kochen": ("ein",),
        "schreiben": ("ein",),
        "erklären": ("der",),
        "zeigen": ("der",),
        "leihen": ("der", "mein"),
    }.get(verb, ("ein", "der"))
    kind = rng.choice(kinds)
    if kind == "mein":
        from corpora.german.subjects import OWN

        kind = OWN.get(subject.key, "der")
    thing = noun_phrase(noun, "" if noun.section == "drink" and kind == "ein" else kind, "acc", plural=what == "Blume")
    when = time(rng, "plan") if rng.random() < 0.35 or question else Time()
    if verb in ("schicken", "leihen") and noun.section == "drink":
        when = Time()
    order = (
        (present(by_name(verb), subject.person), subject.de)
        if question
        else (subject.de, present(by_name(verb), subject.person))
    )
    words = (*order, to.de, when.phrase.de, thing.de)
    link = {"kaufen": "for", "kochen": "for", "erklären": "to"}.get(verb)
    rest = f"{thing.en} {link} {to.en}" if link else f"{to.en} {thing.en}"
    base = by_name(verb).en
    text = english.clause(
        subject.en,
        subject.en_plural,
        base,
        "",
        "",
        " ".join(filter(None, (rest, when.phrase.en))),
        tense="progressive" if when else "present",
        question=question,
    )
    return sentence(" ".join(filter(None, words)), text, "?" if question else ".")
