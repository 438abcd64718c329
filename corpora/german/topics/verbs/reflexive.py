"""Reflexive verbs."""

import random

from corpora.german import english
from corpora.german.clauses import NOTHING
from corpora.german.conjugation import present
from corpora.german.lexicon import TIMES, Phrase
from corpora.german.sentence_form import sentence
from corpora.german.subjects import REFLEXIVE, Subject, asked_subject, middle_subject, pronoun, statement_subject
from corpora.pairs import Pair

REFLEXIVES = tuple(
    (stem, Phrase(*rest))
    for stem, *rest in (
        ("freuen", "auf den Urlaub", "look forward to the holiday"),
        ("freuen", "auf das Wochenende", "look forward to the weekend"),
        ("freuen", "auf das Konzert", "look forward to the concert"),
        ("freuen", "auf die Party", "look forward to the party"),
        ("freuen", "auf die Ferien", "look forward to the holidays"),
        ("freuen", "über das Geschenk", "be happy about the present"),
        ("freuen", "", "be happy"),
        ("waschen", "", "wash"),
        ("duschen", "", "shower"),
        ("anziehen", "", "get dressed"),
        ("ausruhen", "", "rest"),
        ("beeilen", "", "hurry"),
        ("treffen", "im Café", "meet at the café"),
        ("treffen", "am Bahnhof", "meet at the train station"),
        ("treffen", "im Park", "meet in the park"),
        ("treffen", "vor dem Kino", "meet in front of the cinema"),
        ("langweilen", "", "be bored"),
        ("entspannen", "", "relax"),
        ("ärgern", "über den Fehler", "be annoyed about the mistake"),
        ("ärgern", "über das Wetter", "be annoyed about the weather"),
        ("interessieren", "für Musik", "be interested in music"),
        ("interessieren", "für Sport", "be interested in sport"),
        ("interessieren", "für Kunst", "be interested in art"),
        ("interessieren", "für Geschichte", "be interested in history"),
        ("fühlen", "gut", "feel good"),
        ("fühlen", "nicht wohl", "NOT feel well"),
        ("fühlen", "krank", "feel ill"),
        ("fühlen", "wohl", "feel at home"),
        ("fühlen", "müde", "feel tired"),
        ("anmelden", "für den Kurs", "register for the course"),
        ("anmelden", "", "register"),
        ("verspäten", "", "be late"),
        ("konzentrieren", "", "concentrate"),
        ("vorbereiten", "auf die Prüfung", "prepare for the exam"),
        ("unterhalten", "über den Film", "talk about the film"),
        ("unterhalten", "über die Arbeit", "talk about work"),
        ("erinnern", "an den Urlaub", "remember the holiday"),
        ("erinnern", "an den Lehrer", "remember the teacher"),
        ("setzen", "an den Tisch", "sit down at the table"),
        ("setzen", "auf das Sofa", "sit down on the sofa"),
        ("kümmern", "um die Kinder", "take care of the children"),
        ("kümmern", "um den Garten", "take care of the garden"),
        ("kümmern", "um das Essen", "take care of the food"),
        ("beschweren", "über die Rechnung", "complain about the bill"),
        ("beschweren", "über das Essen", "complain about the food"),
    )
)
PREFIXED = {
    "anziehen": ("an", "ziehen"),
    "ausruhen": ("aus", "ruhen"),
    "anmelden": ("an", "melden"),
    "vorbereiten": ("vor", "bereiten"),
}
CHANGED = {
    "waschen": {1: "wäschst", 2: "wäscht"},
    "treffen": {1: "triffst", 2: "trifft"},
    "unterhalten": {1: "unterhältst", 2: "unterhält"},
}


def reflexive_form(verb: str, person: int) -> tuple[str, str]:
    """Finite form and prefix of a reflexive verb."""
    prefix, base = PREFIXED.get(verb, ("", verb))
    return CHANGED.get(verb, {}).get(person) or present(base, person), prefix


def reflexives(rng: random.Random) -> Pair:
    """Ich freue mich auf den Urlaub. Wäscht du dich jeden Morgen?"""
    verb, (rest, en) = rng.choice(REFLEXIVES)
    roll = rng.random()
    subject = asked_subject(rng) if roll < 0.25 else middle_subject(rng) if roll < 0.5 else statement_subject(rng)
    while verb in ("treffen", "unterhalten") and subject.person < 3:
        subject = pronoun(rng.choice(("wir", "ihr", "sie-pl"))) if roll >= 0.25 else pronoun(rng.choice(("wir", "ihr")))
    action = verb in (
        "treffen",
        "waschen",
        "duschen",
        "anziehen",
        "ausruhen",
        "beeilen",
        "unterhalten",
        "setzen",
        "vorbereiten",
        "anmelden",
        "entspannen",
        "kümmern",
        "freuen",
    )
    when = NOTHING
    if 0.25 <= roll < 0.5 or (action and rng.random() < 0.5):
        when = rng.choice(TIMES[rng.choice(("plan", "weekday") if verb in ("treffen", "anmelden") else ("plan",))])
        if verb in ("freuen", "fühlen", "langweilen", "ärgern", "interessieren", "erinnern", "beschweren", "verspäten"):
            when = Phrase("heute", "today")
    finite, prefix = reflexive_form(verb, subject.person)
    pronoun_form = REFLEXIVE[subject.key]
    negative = en.startswith("NOT ")
    base = en.removeprefix("NOT ")
    progressive = base.startswith(("look forward", "meet ")) or (when.de and action and not base.startswith("be "))
    question, first = roll < 0.25, 0.25 <= roll < 0.5
    text = english.clause(
        subject.en,
        subject.en_plural,
        base.split()[0],
        "",
        "",
        " ".join(filter(None, (" ".join(base.split()[1:]), "" if first else when.en))),
        tense="progressive" if progressive else "present",
        negative=negative,
        question=question,
    )
    if first:
        words, text = (when.de, finite, *_reflexive_order(subject, pronoun_form), rest, prefix), f"{when.en} {text}"
    elif question:
        words = (finite, *_reflexive_order(subject, pronoun_form), when.de, rest, prefix)
    else:
        words = (subject.de, finite, pronoun_form, when.de, rest, prefix)
    return sentence(" ".join(word for word in words if word), text, "?" if question else ".")


def _reflexive_order(subject: Subject, pronoun_form: str) -> tuple[str, str]:
    """Sich stands after a pronoun but before a noun."""
    return (subject.de, pronoun_form) if subject == pronoun(subject.key) else (pronoun_form, subject.de)
