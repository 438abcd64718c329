"""Asking and proposing: requests, suggestions, indirect questions, dates, and what one had to or wanted to do."""

import random

from corpora.german import english
from corpora.german.actions import activity, motion, object_action, time
from corpora.german.clauses import Action, Clause, Time, english_clause, english_rest, german
from corpora.german.conjugation import by_name, infinitive, present
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import NOUN, NOUNS, TIMES, Phrase
from corpora.german.phrases import column, table
from corpora.german.sentence_form import sentence
from corpora.german.subjects import asked_subject, pronoun, statement_subject
from corpora.german.topics.everyday import far
from corpora.german.topics.verbs.modals import UNWANTED, doable
from corpora.pairs import Pair

COULD = {
    "können": ("kann", "kannst", "kann", "können", "könnt", "können"),
    "könnten": ("könnte", "könntest", "könnte", "könnten", "könntet", "könnten"),
}
EN_COULD = {"können": "can", "könnten": "could"}
FAVOURS = (
    ("schicken", "send", ("message", "paper", "Foto", "Adresse", "Rechnung", "Datei")),
    ("geben", "give", ("thing", "tableware", "message")),
    ("zeigen", "show", ("Weg", "room", "Foto", "clothes", "thing")),
    ("erklären", "explain", ("study", "Weg", "Problem")),
    ("bringen", "bring", ("tableware", "Speisekarte", "Rechnung", "food")),
    ("leihen", "lend", ("thing", "Buch", "Fahrrad")),
)
PLAIN_FAVOURS = column("requests.plain_favours")


def polite_requests(rng: random.Random) -> Pair:
    """Könnten Sie mir bitte die Rechnung bringen? Kannst du das Fenster zumachen?"""
    whom, word = pronoun(rng.choice(("du", "Sie", "Sie", "ihr"))), rng.choice(("können", "könnten"))
    finite, please = COULD[word][whom.person], rng.random() < 0.5
    end = ", please" if please else ""
    bitte = "bitte " if please else ""
    if rng.random() < 0.45:
        action = object_action(whom, rng, rng.choice(PLAIN_FAVOURS))
        while action.pronoun or not action.settled:
            action = object_action(whom, rng, rng.choice(PLAIN_FAVOURS))
        return sentence(
            f"{finite} {whom.de} {bitte}{action.obj.de} {infinitive(action.verb)}",
            f"{EN_COULD[word]} you {action.verb.en} {english_rest(action)}{end}",
            "?",
        )
    to, en_to = rng.choice((("mir", "me"), ("mir", "me"), ("uns", "us")))
    verb, en_verb, kinds = rng.choice(FAVOURS)
    kind = rng.choice(kinds)
    noun = rng.choice(NOUNS[kind]) if kind in NOUNS else NOUN[kind]
    thing = noun_phrase(noun, rng.choice(("der", "ein")) if verb in ("geben", "bringen", "schicken") else "der", "acc")
    text = f"explain {thing.en} to {en_to}" if verb == "erklären" else f"{en_verb} {en_to} {thing.en}"
    return sentence(f"{finite} {whom.de} {to} {bitte}{thing.de} {verb}", f"{EN_COULD[word]} you {text}{end}", "?")


def suggestions(rng: random.Random) -> Pair:
    """Wollen wir heute ins Kino gehen? Lass uns Tee trinken. Ich würde gern Spanisch lernen."""
    roll = rng.random()
    we = pronoun("wir")
    action = rng.choice(
        (
            motion(rng),
            activity(rng, "free"),
            object_action(
                we,
                rng,
                rng.choice(
                    ("trinken", "essen", "kochen", "besuchen", "kaufen", "bestellen", "lesen", "anrufen", "einladen")
                ),
            ),
        )
    )
    when = time(rng, "plan", "weekday") if rng.random() < 0.5 else Time()
    base, rest = action.verb.en, english_rest(action)
    if action.pronoun:
        action = motion(rng)
        base, rest = action.verb.en, english_rest(action)
    tail = " ".join(part for part in (when.phrase.de, action.obj.de, action.place.de, infinitive(action.verb)) if part)
    text = " ".join(part for part in (base, rest, when.phrase.en) if part)
    if roll < 0.4:
        return sentence(f"wollen wir {tail}", f"shall we {text}", "?")
    if roll < 0.7:
        return sentence(f"lass uns {tail}", f"let's {text}", rng.choice((".", "!")))
    who, finite = rng.choice((("ich", "würde"), ("ich", "würde"), ("wir", "würden"), ("er", "würde"), ("sie", "würde")))
    return sentence(f"{who} {finite} gern {tail}", f"{pronoun(who).en} would like to {text}")


KNOWING = table("requests.knowing")
STARTS = table("requests.starts")
SOUGHT = column("requests.sought")


def indirect_questions(rng: random.Random) -> Pair:
    """Ich weiß nicht, ob er heute kommt. Wissen Sie, wo die Post ist?"""
    main, en_main, end = rng.choice(KNOWING)
    roll = rng.random()
    if roll < 0.4:
        subject = statement_subject(rng)
        action = rng.choice(
            (activity(rng, "short"), motion(rng), Action(by_name("arbeiten")), Action(by_name("kommen")))
        )
        clause = Clause(subject, action, time(rng, "plan", "weekday"))
        return sentence(
            f"{main}, ob {german(clause, 'subordinate')}", f"{en_main} if {english_clause(clause, 'statement')}", end
        )
    if roll < 0.65:
        noun = NOUN[rng.choice(SOUGHT)]
        spot = noun_phrase(noun, "der", "nom")
        return sentence(f"{main}, wo {spot.de} ist", f"{en_main} where {spot.en} is", end)
    if roll < 0.8:
        what, text = rng.choice(STARTS)
        when = rng.choice((Phrase("", ""), Phrase("heute ", " today"), Phrase("morgen ", " tomorrow")))
        return sentence(f"{main}, wann {what} {when.de}beginnt", f"{en_main} when {text} starts{when.en}", end)
    subject = statement_subject(rng)
    while subject.key in ("ich", "wir", "du", "ihr"):
        subject = statement_subject(rng)
    word, text, verb, en_verb = rng.choice(
        (
            ("wo", "where", "wohnen", "live"),
            ("wo", "where", "arbeiten", "work"),
            ("wo", "where", "sein", "be"),
            ("warum", "why", "weinen", "cry"),
            ("wie", "how old", "sein", "be"),
        )
    )
    ask = f"{word} alt" if text == "how old" else word
    return sentence(
        f"{main}, {ask} {subject.de} {present(verb, subject.person)}",
        f"{en_main} {text} " + _full(english.clause(subject.en, subject.en_plural, en_verb, "", "", "")),
        end,
    )


def _full(text: str) -> str:
    """No contraction at the end of a sentence: where I am."""
    return "I am" if text == "I'm" else "it is" if text == "it's" else text


ORDINALS = column("requests.ordinals")
EN_ORDINALS = column("requests.en_ordinals")
MONTHS = tuple(Phrase(p.de.removeprefix("im "), p.en.removeprefix("in ")) for p in TIMES["season"][4:])
DATED = table("requests.dated")


def dates(rng: random.Random) -> Pair:
    """Heute ist der dritte Mai. Mein Geburtstag ist im Juli. Wann hat Anna Geburtstag?"""
    index, month, roll = rng.randrange(len(ORDINALS)), rng.choice(MONTHS), rng.random()
    day, text = ORDINALS[index], f"the {EN_ORDINALS[index]} of {month.en}"
    if roll < 0.2:
        when, en_when = rng.choice((("heute", "today"), ("morgen", "tomorrow")))
        return sentence(f"{when} ist der {day}e {month.de}", f"{en_when} is {text}")
    if roll < 0.55:
        what, en_what = rng.choice(DATED)
        if rng.random() < 0.3:
            return sentence(f"{what} im {month.de}", f"{en_what} in {month.en}")
        return sentence(f"{what} am {day}en {month.de}", f"{en_what} on {text}")
    subject = statement_subject(rng) if roll < 0.85 else asked_subject(rng)
    whose = (
        {
            "ich": "my",
            "du": "your",
            "er": "his",
            "sie": "her",
            "wir": "our",
            "ihr": "your",
            "sie-pl": "their",
            "Sie": "your",
        }[subject.key]
        if subject == pronoun(subject.key)
        else f"{subject.en}{chr(39)}{'' if subject.en.endswith('s') and subject.key == 'sie-pl' else 's'}"
        if (subject.key != "es" or " " in subject.en)
        else "its"
    )
    if subject.key in ("wir", "ihr", "sie-pl"):
        subject, whose = pronoun("ich" if roll < 0.85 else "du"), "my" if roll < 0.85 else "your"
    finite = present("haben", subject.person)
    if roll < 0.7:
        return sentence(f"{subject.de} {finite} im {month.de} Geburtstag", f"{whose} birthday is in {month.en}")
    if roll < 0.85:
        return sentence(f"{subject.de} {finite} am {day}en {month.de} Geburtstag", f"{whose} birthday is on {text}")
    return sentence(f"wann {finite} {subject.de} Geburtstag", f"when is {whose} birthday", "?")


PAST_MODALS = {"müssen": ("musste", "had to"), "wollen": ("wollte", "wanted to"), "können": ("konnte", "could")}
ENDINGS = ("", "st", "", "n", "t", "n")


def past_modals(rng: random.Random) -> Pair:
    """Ich musste gestern arbeiten. Er wollte ein Auto kaufen. Wir konnten nicht kommen."""
    subject, modal = statement_subject(rng), rng.choice(tuple(PAST_MODALS))
    action = doable(subject, rng)
    while far(action) or action.verb.infinitive in UNWANTED:
        action = doable(subject, rng)
    form, text = PAST_MODALS[modal]
    when = rng.choice(TIMES["past"]) if rng.random() < 0.6 else Phrase("", "")
    finite = form + ENDINGS[subject.person]
    obj = "" if action.pronoun else action.obj.de
    is_fixed = action.obj.de and not action.pronoun
    negative = (
        modal != "müssen" and not is_fixed and not (action.place.de and not action.place.en) and rng.random() < 0.25
    )
    words = (
        subject.de,
        finite,
        action.pronoun,
        when.de,
        "nicht" if negative else "",
        obj,
        action.place.de,
        infinitive(action.verb),
    )
    if modal == "können" and not negative:  # "could" alone would say "was allowed to"
        modal, (form, text) = "wollen", PAST_MODALS["wollen"]
        words = (subject.de, form + ENDINGS[subject.person], *words[2:])
    if negative:
        text = {"wanted to": "didn't want to", "could": "couldn't"}[text]
    base, rest = action.verb.en, english_rest(action)
    particle = base.partition(" ")[2]
    if action.pronoun and particle in ("up", "back"):
        base, rest = base.partition(" ")[0], f"{action.obj.en} {particle}"
    return sentence(" ".join(filter(None, words)), " ".join(filter(None, (subject.en, text, base, rest, when.en))))
