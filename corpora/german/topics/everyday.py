"""Acting: who does what and when, in every word order."""

import random

from corpora.german.actions import ACTIVITIES, activity, any_action, clock, motion, object_action, staying, time
from corpora.german.clauses import Action, Clause, Time, pair
from corpora.german.conjugation import by_name
from corpora.german.lexicon import PLACES, Phrase
from corpora.german.subjects import Subject, asked_subject, middle_subject, statement_subject
from corpora.pairs import Pair

PLAIN = ("plan", "plan", "now", "weekday", "habit", "often")


def some_time(rng: random.Random, action: Action, share: float = 0.6) -> Time:
    """A time that suits the action, or none."""
    if rng.random() > share:
        return Time()
    if action.verb.stative:
        return time(rng, "plan") if action.verb.infinitive == "brauchen" else Time()
    if action.verb.infinitive in ("finden", "verlieren", "verpassen", "bekommen"):
        return Time()
    return time(rng, *PLAIN)


def statements(rng: random.Random) -> Pair:
    """Der Mann liest ein Buch. Wir trinken heute Tee."""
    subject = statement_subject(rng)
    action = object_action(subject, rng)
    return pair(Clause(subject, action, some_time(rng, action, 0.45)))


def going(rng: random.Random) -> Pair:
    """Wir gehen heute ins Kino."""
    subject = statement_subject(rng)
    action = motion(rng) if rng.random() < 0.8 else staying(rng)
    kinds = ("plan", "plan", "now", "weekday", "habit", "often", "clock")
    if far(action):
        kinds = ("plan", "weekday", "season")
    elif action.verb.infinitive in ("bleiben", "sitzen"):
        kinds = ("plan", "plan", "now", "weekday", "habit", "often")
    when = season_trip(action, time(rng, *kinds)) if rng.random() < 0.75 else Time()
    return pair(Clause(subject, action, when))


FAR = {place.to.de for section in ("city", "country", "holiday") for place in PLACES[section]}


def far(action: Action) -> bool:
    """Whether it is a journey, not something of every day."""
    return action.place.de in FAR


def season_trip(action: Action, when: Time) -> Time:
    """A journey in a month or season is a plan: in July I'm flying."""
    return Time(when.phrase, "progressive") if far(action) and when.phrase.de.startswith("im ") else when


HOURS = {
    "aufstehen": (5, 10),
    "aufwachen": (5, 10),
    "duschen": (6, 9),
    "frühstücken": (6, 10),
    "zu Mittag": (12, 2),
    "zu Abend": (6, 9),
    "einkaufen": (1, 12),
    "fernsehen": (5, 11),
    "abwaschen": (1, 9),
    "zu Fuß": (6, 10),
}


def daily_routine(rng: random.Random) -> Pair:
    """Sie steht um sieben Uhr auf."""
    subject = statement_subject(rng)
    action = activity(rng, "daily")
    name = action.place.de if action.place.de in HOURS else action.verb.prefix + action.verb.infinitive
    if rng.random() < 0.6 and name in HOURS:
        first, last = HOURS[name]
        when = Time(
            clock(rng, first, last) if first < last else clock(rng, 12, 12) if rng.random() < 0.5 else clock(rng, 1, 1)
        )
    else:
        when = time(rng, "habit", "often") if rng.random() < 0.8 else Time()
    return pair(Clause(subject, action, when))


UNPLANNED = ("finden", "verlieren", "verpassen", "bekommen", "vergessen")
SEASONAL = tuple(
    action
    for action in ACTIVITIES["free"]
    if action.place.de in ("Fußball", "Tennis", "Volleyball", "Fahrrad", "Ski", "schwimmen", "im Garten", "spazieren")
    or action.verb.en in ("swim", "hike", "travel", "jog")
)


def time_first(rng: random.Random) -> Pair:
    """Am Montag lerne ich Deutsch."""
    subject = middle_subject(rng)
    action = any_action(subject, rng)
    while (action.verb.stative and action.verb.infinitive != "brauchen") or action.verb.infinitive in UNPLANNED:
        action = any_action(subject, rng)
    kinds = ("plan", "weekday", "weekday", "plan", "habit") if not far(action) else ("plan", "weekday", "season")
    if rng.random() < 0.06:
        action, kinds = rng.choice(SEASONAL), ("season",)
    when = time(rng, "plan") if action.verb.stative else season_trip(action, time(rng, *kinds))
    negative = when.aspect == "progressive" and rng.random() < 0.15 and deniable(action)
    return pair(Clause(subject, action, when, negative), "time first")


def deniable(action: Action) -> bool:
    """Whether its negation is a sentence of a textbook: not with fixed objects like `Fußball`."""
    is_fixed = (
        action.place.de and not action.place.en and action.place.de not in ("spazieren", "einkaufen", "schwimmen")
    )
    return (
        not is_fixed
        and action.verb.en not in ("wake up", "sleep")
        and (action.settled or bool(action.none.de) or not action.obj.de)
    )


def negation(rng: random.Random) -> Pair:
    """Ich komme heute nicht. Er hat kein Auto."""
    subject = statement_subject(rng)
    action = any_action(subject, rng) if rng.random() < 0.8 else activity(rng, "short")
    while not deniable(action):
        action = any_action(subject, rng)
    when = some_time(rng, action, 0.5)
    if when.adverb or (when and when.phrase.de in ("gerade", "jetzt")) or when.phrase.de.startswith("jede"):
        when = time(rng, "plan") if not action.verb.stative else Time()
    return pair(Clause(subject, action, when, negative=True))


def yes_no_questions(rng: random.Random) -> Pair:
    """Gehst du heute ins Kino? Hast du ein Auto?"""
    subject = asked_subject(rng)
    action = any_action(subject, rng) if rng.random() < 0.85 else activity(rng, "short")
    when = Time()
    if not action.verb.stative:
        bare = not action.settled and not action.place.en
        when = (
            time(rng, "often", "habit") if bare and rng.random() < 0.4 else time(rng, "plan", "plan", "weekday", "now")
        )
        if when.phrase.en in ("never", "usually", "normally"):
            when = Time()
    return pair(Clause(subject, action, when), "question")


def w_questions(rng: random.Random) -> Pair:
    """Wann kommst du? Warum lernst du Deutsch?"""
    subject = asked_subject(rng)
    word = rng.choice(("wann", "wann", "warum", "wohin", "was", "wo", "wie oft"))
    if word == "wohin":
        action = Action(by_name(rng.choice(("gehen", "gehen", "fahren"))))
        when = time(rng, "plan", "weekday") if rng.random() < 0.7 else Time()
        return pair(Clause(subject, action, when, opening=Phrase("wohin", "where"), aspect="progressive"), "question")
    if word == "was":
        verb = rng.choice(
            (
                "machen",
                "machen",
                "kaufen",
                "kochen",
                "lesen",
                "essen",
                "trinken",
                "suchen",
                "spielen",
                "bestellen",
                "backen",
                "mitbringen",
                "anziehen",
            )
        )
        when = time(rng, "plan", "weekday", "now", "plan") if rng.random() < 0.7 else Time()
        return pair(
            Clause(subject, Action(by_name(verb)), when, opening=Phrase("was", "what"), aspect="progressive"),
            "question",
        )
    if word == "wo":
        action = Action(by_name(rng.choice(("wohnen", "arbeiten", "studieren"))))
        return pair(Clause(subject, action, opening=Phrase("wo", "where")), "question")
    if word == "wie oft":
        action = activity(rng, "free")
        return pair(Clause(subject, action, opening=Phrase("wie oft", "how often")), "question")
    if word == "wann":
        action = rng.choice((activity(rng, "daily"), activity(rng, "short"), motion(rng)))
        while action.place.de.startswith("auf "):
            action = activity(rng, "short")
        plan = time(rng, "plan") if rng.random() < 0.3 else Time()
        if plan.phrase.de not in ("heute", "morgen", ""):
            plan = Time()
        return pair(Clause(subject, action, plan, opening=Phrase("wann", "when")), "question")
    action = any_action(subject, rng)
    while action.verb.infinitive in ("sehen", "vergessen", "verlieren", "finden"):
        action = any_action(subject, rng)
    when = time(rng, "plan", "now") if not action.verb.stative else Time()
    negative = deniable(action) and rng.random() < 0.3
    if negative and when.phrase.de in ("gerade", "jetzt"):
        when = Time()
    return pair(Clause(subject, action, when, negative, opening=Phrase("warum", "why")), "question")


def liking(rng: random.Random) -> Pair:
    """Ich spiele gern Fußball. Was isst du am liebsten?"""
    word = rng.choice(("gern", "gern", "gern", "lieber", "am liebsten"))
    if rng.random() < 0.25:
        subject = asked_subject(rng)
        if rng.random() < 0.3:
            action = Action(by_name(rng.choice(("machen", "lesen", "essen", "trinken", "kochen", "hören", "kaufen"))))
            return pair(
                Clause(subject, action, gern=rng.choice(("gern", "am liebsten")), opening=Phrase("was", "what")),
                "question",
            )
        return pair(Clause(subject, liked(rng), gern="gern"), "question")
    subject = statement_subject(rng)
    return pair(Clause(subject, liked(rng), gern=word, negative=word == "gern" and rng.random() < 0.2))


def liked(rng: random.Random) -> Action:
    """Something people like doing."""
    roll = rng.random()
    if roll < 0.55:
        action = activity(rng, "free")
        return activity(rng, "free") if action.place.de == "Hausaufgaben" or action.obj.de else action
    if roll < 0.7:
        return Action(by_name("gehen"), place=rng.choice(PLACES["outing"]).to)
    if roll < 0.8:
        return Action(by_name("fahren"), place=rng.choice(PLACES["holiday"]).to)
    subject = Subject("ich", "I", "ich")
    verb = rng.choice(("trinken", "essen", "essen", "trinken", "kochen"))
    action = object_action(subject, rng, verb)
    while not action.none.de or action.obj.de.startswith("ein"):
        action = object_action(subject, rng, verb)
    return Action(action.verb, action.obj)
