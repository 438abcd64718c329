"""Two clauses in a sentence: dass, weil, wenn, und, aber, dann."""

import random
from dataclasses import replace

from corpora.german import english
from corpora.german.actions import ACTIVITIES, activity, any_action, staying, time
from corpora.german.clauses import Action, Clause, Time, english_clause, german
from corpora.german.conjugation import by_name, present
from corpora.german.lexicon import ADJECTIVES, PLACES, Phrase
from corpora.german.phrases import column, pairs, table
from corpora.german.sentence_form import sentence
from corpora.german.subjects import Subject, pronoun, statement_subject
from corpora.pairs import Pair

MAIN = table("joining.main")


def subordinate(rng: random.Random) -> Pair:
    """Ich glaube, dass er heute kommt. Ich bleibe zu Hause, weil ich krank bin."""
    roll = rng.random()
    if roll < 0.35:
        main, en_main = rng.choice(MAIN)
        subject = statement_subject(rng)
        action = any_action(subject, rng)
        while action.verb.infinitive in ("vergessen", "verlieren"):
            action = any_action(subject, rng)
        when = time(rng, "plan", "weekday") if not action.verb.stative else Time()
        clause = Clause(subject, action, when)
        question = main.startswith("Weiß")
        return sentence(
            f"{main}, dass {german(clause, 'subordinate')}",
            f"{en_main} that {english_clause(clause, 'statement')}",
            "?" if question else ".",
        )
    subject = statement_subject(rng)
    if subject.de[0].isupper() or " " in subject.de:
        subject = pronoun(rng.choice(("ich", "ich", "er", "sie", "wir", "sie-pl", "du")))
    if roll < 0.75:
        return because(subject, rng)
    condition = rng.choice(
        (
            _state(subject, rng),
            ("es regnet", "it's raining"),
            ("das Wetter schön ist", "the weather is nice"),
            ("es kalt ist", "it's cold"),
            ("es warm ist", "it's warm"),
            ("die Sonne scheint", "the sun is shining"),
            _time_off(subject),
        )
    )
    home = Action(by_name("bleiben"), place=Phrase("zu Hause", "at home"))
    action = (
        activity(rng, "free")
        if rng.random() < 0.6
        else home
        if rng.random() < 0.4
        else Action(by_name("gehen"), place=rng.choice(PLACES["outing"]).to)
    )
    main_clause = Clause(subject, action, gern="gern" if rng.random() < 0.2 else "")
    order = german(Clause(subject, action, gern=main_clause.gern, opening=Phrase("", "")), "question")
    return sentence(f"wenn {condition[0]}, {order}", f"when {condition[1]}, {_plain(main_clause)}")


def _plain(clause: Clause) -> str:
    """The English of a habit: no -ing."""
    return english_clause(replace(clause, habit=True), "statement")


def _state(subject: Subject, rng: random.Random) -> tuple[str, str]:
    word = rng.choice(
        [
            a
            for a in ADJECTIVES["person"]
            if a.de in ("müde", "krank", "hungrig", "nervös", "traurig", "glücklich", "beschäftigt", "erkältet")
        ]
    )
    return (
        f"{subject.de} {word.de} {present('sein', subject.person)}",
        english.clause(subject.en, subject.en_plural, "be", "", "", word.en),
    )


def _time_off(subject: Subject) -> tuple[str, str]:
    return (
        f"{subject.de} Zeit {present('haben', subject.person)}",
        english.clause(subject.en, subject.en_plural, "have", "had", "had", "time"),
    )


REASONS = (
    ("in den Supermarkt", "to the supermarket", ("einkaufen",)),
    ("ins Restaurant", "to the restaurant", ("Hunger", "essen")),
    ("ins Café", "to the café", ("Durst", "Freunde")),
    ("in die Bibliothek", "to the library", ("Bücher", "lernen")),
    ("in den Park", "to the park", ("joggen", "spazieren")),
    ("zum Arzt", "to the doctor's", ("krank", "Fieber")),
    ("nach Hause", "home", ("müde", "krank", "schlafen")),
    ("ins Bett", "to bed", ("müde", "krank", "schlafen")),
    ("zum Deutschkurs", "to German class", ("lernen",)),
    ("ins Schwimmbad", "to the swimming pool", ("schwimmen",)),
    ("ins Kino", "to the cinema", ("Zeit", "Freunde")),
    ("in die Stadt", "into town", ("einkaufen", "Freunde", "Zeit")),
    ("ins Büro", "to the office", ("arbeiten",)),
    ("zur Arbeit", "to work", ("arbeiten",)),
)
WISHES = pairs("joining.wishes")
WISHED = {
    "Freunde": "Freunde treffen",
    "Bücher": "Bücher lesen",
    "lernen": "Deutsch lernen",
    "spazieren": "spazieren gehen",
}
STATES = {
    "Hunger": ("be", "hungry"),
    "Durst": ("be", "thirsty"),
    "Fieber": ("have", "a fever"),
    "Zeit": ("have", "time"),
}


def reason(subject: Subject, what: str, rng: random.Random) -> tuple[str, str]:
    """The clause after weil."""
    if what in STATES:
        verb, rest = STATES[what]
        return (
            f"{subject.de} {what} {present('haben', subject.person)}",
            english.clause(subject.en, subject.en_plural, verb, "", "", rest),
        )
    if what not in WISHES:
        word = next(a for a in ADJECTIVES["person"] if a.de == what)
        return (
            f"{subject.de} {what} {present('sein', subject.person)}",
            english.clause(subject.en, subject.en_plural, "be", "", "", word.en),
        )
    modal = (
        rng.choice(("möchten", "wollen", "müssen"))
        if what in ("einkaufen", "arbeiten", "lernen")
        else rng.choice(("möchten", "wollen"))
    )
    return (
        f"{subject.de} {WISHED.get(what, what)} {present(modal, subject.person)}",
        english.clause(subject.en, subject.en_plural, WISHES[what], "", "", "", modal=modal),
    )


def because(subject: Subject, rng: random.Random) -> Pair:
    """Ich gehe heute nach Hause, weil ich müde bin. Er kommt morgen nicht, weil er arbeiten muss."""
    roll = rng.random()
    when = time(rng, "plan", "plan", "weekday") if rng.random() < 0.7 else Time()
    if roll < 0.55:
        place, en_place, reasons = rng.choice(REASONS)
        clause, what = (
            Clause(subject, Action(by_name("gehen"), place=Phrase(place, en_place)), when),
            rng.choice(reasons),
        )
    elif roll < 0.75:
        clause = Clause(subject, Action(by_name("bleiben"), place=Phrase("zu Hause", "at home")), when)
        what = rng.choice(("müde", "krank", "Fieber", "arbeiten", "lernen", "schlafen"))
    else:
        action = rng.choice(
            (
                Action(by_name("kommen")),
                Action(by_name("arbeiten")),
                Action(by_name("mitkommen")),
                Action(by_name("einkaufen")),
                Action(by_name("gehen"), place=Phrase("ins Kino", "to the cinema")),
            )
        )
        clause = Clause(subject, action, when or time(rng, "plan"), negative=True)
        what = rng.choice(("müde", "krank", "beschäftigt", "Fieber", "lernen", "schlafen"))
    first, second = (german(clause, "statement"), english_clause(clause, "statement")), reason(subject, what, rng)
    return sentence(f"{first[0]}, weil {second[0]}", f"{first[1]} because {second[1]}")


def joined(rng: random.Random) -> Pair:
    """Ich koche heute und du machst die Hausaufgaben. Er geht ins Kino, aber ich bleibe zu Hause."""
    first, second = statement_subject(rng), statement_subject(rng)
    if rng.random() < 0.4:
        return two_things(first, rng)
    while second.key == first.key or second.de == first.de:
        second = statement_subject(rng)
    word, en_word = rng.choice(((" und", " and"), (", aber", ", but")))
    left, right = (Clause(subject, _pastime(rng)) for subject in (first, second))
    while right.action.verb == left.action.verb and right.action.place == left.action.place:
        right = Clause(second, _pastime(rng))
    return sentence(
        f"{german(left, 'statement')}{word} {german(right, 'statement')}",
        f"{english_clause(left, 'statement')}{en_word} {english_clause(right, 'statement')}",
    )


def _pastime(rng: random.Random) -> Action:
    roll = rng.random()
    if roll < 0.45:
        return activity(rng, "free")
    return Action(by_name("gehen"), place=rng.choice(PLACES["outing"]).to) if roll < 0.75 else staying(rng)


AT_HOME = column("joining.at_home")


def two_things(subject: Subject, rng: random.Random) -> Pair:
    """Ich koche und höre Musik. Zuerst koche ich, dann lese ich ein Buch."""
    roll, free = rng.random(), [action for action in ACTIVITIES["free"] if not action.obj.de]
    left = Clause(subject, rng.choice(free))
    in_turn = roll < 0.6  # zuerst …, dann …: the English of both is that of a habit
    if roll < 0.3:
        left = Clause(subject, Action(by_name("bleiben"), place=Phrase("zu Hause", "at home")))
        free = [action for action in free if action.verb.en in AT_HOME]
    elif roll < 0.6:
        left = Clause(subject, Action(by_name("gehen"), place=rng.choice(PLACES["outing"]).to))
        free = [action for action in free if action.verb.en not in AT_HOME]
    right = Clause(subject, rng.choice([action for action in free if action != left.action]))
    if in_turn or rng.random() < 0.3:
        first, then = (
            german(replace(clause, opening=Phrase(word, "")), "question")
            for clause, word in ((left, "zuerst"), (right, "dann"))
        )
        left, right = replace(left, habit=True), replace(right, habit=True)
        return sentence(
            f"{first}, {then}", f"first {english_clause(left, 'statement')}, then {english_clause(right, 'statement')}"
        )
    left, right = replace(left, habit=True), replace(right, habit=True)
    rest = german(right, "statement").removeprefix(subject.de + " ")
    text = english_clause(right, "statement").removeprefix(subject.en + " ")
    return sentence(f"{german(left, 'statement')} und {rest}", f"{english_clause(left, 'statement')} and {text}")
