"""Verb forms beyond the present: modals, Perfekt, past of sein and haben, imperative, reflexives, joined clauses."""

import random
import re
from dataclasses import replace

from model.corpora.german.actions import activity, any_action, motion, object_action, staying, time
from model.corpora.german.clauses import NOTHING, Action, Clause, Time, english_clause, english_verb, german, pair
from model.corpora.german.conjugation import by_name, imperative, infinitive, present
from model.corpora.german.declension import noun_phrase
from model.corpora.german import english
from model.corpora.german.lexicon import ADJECTIVES, NOUN, NOUNS, PLACES, TIMES, Phrase
from model.corpora.german.pairs import sentence
from model.corpora.german.subjects import (ENGLISH_REFLEXIVE, REFLEXIVE, Subject, asked_subject, middle_subject, name,
                                           person_object, pronoun, statement_subject)
from model.corpora.german.topics.everyday import deniable, far
from model.corpora.pairs import Pair

MODALS = ("können", "können", "müssen", "müssen", "wollen", "wollen", "möchten", "möchten", "dürfen", "sollen")
UNWANTED = ("vergessen", "verlieren", "verpassen", "finden", "bekommen", "kennen", "lieben", "sehen", "haben", "brauchen",
            "tragen")


def doable(subject: Subject, rng: random.Random) -> Action:
    """An action one can want, plan or be told."""
    while True:
        action = any_action(subject, rng) if rng.random() < 0.85 else activity(rng, "short")
        if action.verb.infinitive not in UNWANTED:
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
        return pair(Clause(subject, doable(subject, rng), time(rng, "plan", "weekday", "habit"), modal=modal), "time first")
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
        verbs = ("machen", "kaufen", "kochen", "essen", "trinken", "lesen", "spielen", "bestellen", "lernen", "mitbringen")
        action = Action(by_name(rng.choice(verbs)))
    elif word == "wohin":
        action = Action(by_name(rng.choice(("gehen", "fahren", "fliegen"))))
    else:
        action = doable(subject, rng)
    if word == "wann":
        when = Time(Phrase("heute", "today")) if rng.random() < 0.3 else Time()
    return pair(Clause(subject, action, when, modal=modal, opening=Phrase(word, en_word)), "question")


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
        verbs = ("machen", "machen", "kaufen", "kochen", "essen", "trinken", "lesen", "spielen", "bestellen", "lernen",
                 "mitbringen", "vergessen", "sagen", "sehen", "finden", "schreiben", "bekommen")
        action = Action(by_name(rng.choice(verbs)))
    elif word == "wohin":
        action = Action(by_name(rng.choice(("gehen", "fahren", "fliegen", "reisen"))))
    elif word == "wo":
        action = Action(by_name(rng.choice(("wohnen", "arbeiten", "schlafen", "studieren", "warten", "sitzen"))))
    else:
        action = rng.choice((activity(rng, "daily"), activity(rng, "short"), object_action(subject, rng)))
        when = Time()
    return pair(Clause(subject, action, when, perfect=True, opening=Phrase(word, en_word)), "question")


DONE = ("essen", "lesen", "kaufen", "bezahlen", "putzen", "waschen", "reparieren", "aufräumen", "ausfüllen", "anrufen",
        "packen", "abholen", "bestellen", "besuchen", "fragen", "schreiben", "ausdrucken", "unterschreiben", "besichtigen")


def already(rng: random.Random) -> Pair:
    """Ich habe die Rechnung schon bezahlt. Hast du schon gegessen?"""
    question = rng.random() < 0.4
    subject = asked_subject(rng) if question else statement_subject(rng)
    if rng.random() < 0.25:
        action = Action(by_name(rng.choice(("essen", "frühstücken", "duschen", "aufstehen", "ankommen", "einkaufen",
                                            "bezahlen", "bestellen", "aufräumen"))))
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
            word = rng.choice([a for a in ADJECTIVES["person"] if a.de not in ("verheiratet", "ledig", "faul", "stark", "gesund")])
        else:
            when = ago
        verb, rest, english_verb = "war", word, "be"
    text = english.clause(subject.en, subject.en_plural, english_verb, "had", "had", f"{rest.en} {when.en}", tense="past",
                          question=question)
    finite = present(verb, subject.person)
    front = (finite, subject.de) if question else (subject.de, finite)
    return sentence(f"{' '.join(front)} {when.de} {rest.de}", text, "?" if question else ".")


HAVING = tuple(Phrase(*item) for item in (
    ("Zeit", "time"), ("Hunger", ""), ("Geld", "money"), ("Glück", "luck"), ("viel Arbeit", "a lot of work"),
    ("viel Spaß", "a lot of fun"), ("Besuch", "visitors"), ("Fieber", "a fever"), ("Kopfschmerzen", "a headache"),
    ("einen Termin", "an appointment"), ("Unterricht", "lessons"), ("Urlaub", "time off"), ("eine Prüfung", "an exam"),
    ("eine Besprechung", "a meeting"), ("Husten", "a cough"), ("Ruhe", "rest"), ("viele Fragen", "many questions"),
    ("Deutschkurs", "German class"), ("Bauchschmerzen", "stomach ache"), ("ein Problem", "a problem")) if item[1])


REFLEXIVES = tuple((stem, Phrase(*rest)) for stem, *rest in (
    ("freuen", "auf den Urlaub", "look forward to the holiday"), ("freuen", "auf das Wochenende", "look forward to the weekend"),
    ("freuen", "auf das Konzert", "look forward to the concert"), ("freuen", "auf die Party", "look forward to the party"),
    ("freuen", "auf die Ferien", "look forward to the holidays"), ("freuen", "über das Geschenk", "be happy about the present"),
    ("freuen", "", "be happy"), ("waschen", "", "wash"), ("duschen", "", "shower"), ("anziehen", "", "get dressed"),
    ("ausruhen", "", "rest"), ("beeilen", "", "hurry"), ("treffen", "im Café", "meet at the café"),
    ("treffen", "am Bahnhof", "meet at the train station"), ("treffen", "im Park", "meet in the park"),
    ("treffen", "vor dem Kino", "meet in front of the cinema"),
    ("langweilen", "", "be bored"), ("entspannen", "", "relax"), ("ärgern", "über den Fehler", "be annoyed about the mistake"),
    ("ärgern", "über das Wetter", "be annoyed about the weather"), ("interessieren", "für Musik", "be interested in music"),
    ("interessieren", "für Sport", "be interested in sport"), ("interessieren", "für Kunst", "be interested in art"),
    ("interessieren", "für Geschichte", "be interested in history"), ("fühlen", "gut", "feel good"),
    ("fühlen", "nicht wohl", "NOT feel well"), ("fühlen", "krank", "feel ill"), ("fühlen", "wohl", "feel at home"),
    ("fühlen", "müde", "feel tired"), ("anmelden", "für den Kurs", "register for the course"),
    ("anmelden", "", "register"), ("verspäten", "", "be late"), ("konzentrieren", "", "concentrate"),
    ("vorbereiten", "auf die Prüfung", "prepare for the exam"), ("unterhalten", "über den Film", "talk about the film"),
    ("unterhalten", "über die Arbeit", "talk about work"), ("erinnern", "an den Urlaub", "remember the holiday"),
    ("erinnern", "an den Lehrer", "remember the teacher"), ("setzen", "an den Tisch", "sit down at the table"),
    ("setzen", "auf das Sofa", "sit down on the sofa"), ("kümmern", "um die Kinder", "take care of the children"),
    ("kümmern", "um den Garten", "take care of the garden"), ("kümmern", "um das Essen", "take care of the food"),
    ("beschweren", "über die Rechnung", "complain about the bill"), ("beschweren", "über das Essen", "complain about the food")))
PREFIXED = {"anziehen": ("an", "ziehen"), "ausruhen": ("aus", "ruhen"), "anmelden": ("an", "melden"),
            "vorbereiten": ("vor", "bereiten")}
CHANGED = {"waschen": {1: "wäschst", 2: "wäscht"}, "treffen": {1: "triffst", 2: "trifft"},
           "unterhalten": {1: "unterhältst", 2: "unterhält"}}


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
    action = verb in ("treffen", "waschen", "duschen", "anziehen", "ausruhen", "beeilen", "unterhalten", "setzen",
                      "vorbereiten", "anmelden", "entspannen", "kümmern", "freuen")
    when = NOTHING
    if 0.25 <= roll < 0.5 or (action and rng.random() < 0.5):
        when = rng.choice(TIMES[rng.choice(("plan", "weekday") if verb in ("treffen", "anmelden") else ("plan",))])
        if verb in ("freuen", "fühlen", "langweilen", "ärgern", "interessieren", "erinnern", "beschweren", "verspäten"):
            when = Phrase("heute", "today")
    finite, prefix = reflexive_form(verb, subject.person)
    pronoun_form = REFLEXIVE[subject.key]
    negative = en.startswith("NOT ")
    base = en.removeprefix("NOT ")
    progressive = base.startswith("look forward") or (when.de and action and not base.startswith("be "))
    question, first = roll < 0.25, 0.25 <= roll < 0.5
    text = english.clause(subject.en, subject.en_plural, base.split()[0], "", "",
                          " ".join(filter(None, (" ".join(base.split()[1:]), "" if first else when.en))),
                          tense="progressive" if progressive else "present", negative=negative, question=question)
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


TOLD = ("kaufen", "lesen", "schreiben", "öffnen", "aufmachen", "zumachen", "schließen", "anmachen", "ausmachen", "mitbringen",
        "bezahlen", "aufräumen", "putzen", "ausfüllen", "ausfüllen", "unterschreiben", "wiederholen", "wiederholen", "buchstabieren",
        "erklären", "beantworten", "anrufen", "anrufen", "zurückrufen", "abholen", "fragen", "fragen", "besuchen", "nehmen",
        "überprüfen", "ausdrucken", "einladen", "packen", "anziehen", "anprobieren", "waschen", "bestellen")


def imperatives(rng: random.Random) -> Pair:
    """Komm bitte mit! Machen Sie bitte das Fenster zu. Ruf mich morgen an!"""
    key = rng.choice(("du", "du", "Sie", "Sie", "ihr"))
    subject = Subject("Sie", "you", key)
    action = object_action(subject, rng, rng.choice(TOLD)) if rng.random() < 0.75 else rng.choice(
        (activity(rng, "short"), motion(rng), staying(rng)))
    while far(action) or action.verb.en in ("arrive", "move"):
        action = motion(rng)
    when = Time(Phrase(*rng.choice((("heute", "today"), ("morgen", "tomorrow"), ("jetzt", "now"))))) if rng.random() < 0.2 else Time()
    verb = action.verb
    forms = {"du": imperative(verb), "Sie": f"{verb.infinitive} Sie", "ihr": present(verb, 4)}
    please = rng.random() < 0.5
    obj = action.obj.de
    words = [forms[key], action.pronoun, "bitte" if please else "", when.phrase.de,
             "" if action.pronoun else obj, action.place.de, verb.prefix]

    (base, _, _), rest = english_verb(action)
    english_words = ["please" if please else "", base, rest, when.phrase.en]
    return sentence(" ".join(filter(None, words)), " ".join(filter(None, english_words)), rng.choice((".", "!")))


MAIN = (("Ich glaube", "I think"), ("Ich denke", "I think"), ("Ich weiß", "I know"), ("Ich hoffe", "I hope"),
        ("Er sagt", "he says"), ("Sie sagt", "she says"), ("Wir wissen", "we know"), ("Es ist schön", "it's nice"),
        ("Es ist gut", "it's good"), ("Es ist schade", "it's a pity"), ("Weißt du", "do you know"))


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
        return sentence(f"{main}, dass {german(clause, 'subordinate')}",
                        f"{en_main} that {english_clause(clause, 'statement')}", "?" if question else ".")
    subject = statement_subject(rng)
    if subject.de[0].isupper() or " " in subject.de:
        subject = pronoun(rng.choice(("ich", "ich", "er", "sie", "wir", "sie-pl", "du")))
    if roll < 0.75:
        return because(subject, rng)
    condition = rng.choice((_state(subject, rng), ("es regnet", "it's raining"), ("das Wetter schön ist", "the weather is nice"),
                            ("es kalt ist", "it's cold"), ("es warm ist", "it's warm"), ("die Sonne scheint", "the sun is shining"),
                            _time_off(subject)))
    action = activity(rng, "free") if rng.random() < 0.6 else staying(rng) if rng.random() < 0.5 else Action(
        by_name("gehen"), place=rng.choice(PLACES["outing"]).to)
    main_clause = Clause(subject, action, gern="gern" if rng.random() < 0.2 else "")
    order = german(Clause(subject, action, gern=main_clause.gern, opening=Phrase("", "")), "question")
    return sentence(f"wenn {condition[0]}, {order}", f"when {condition[1]}, {_plain(main_clause)}")


def _plain(clause: Clause) -> str:
    """The English of a habit: no -ing."""
    return english_clause(replace(clause, habit=True), "statement")


def _state(subject: Subject, rng: random.Random) -> tuple[str, str]:
    word = rng.choice([a for a in ADJECTIVES["person"] if a.de in (
        "müde", "krank", "hungrig", "nervös", "traurig", "glücklich", "beschäftigt", "erkältet")])
    return (f"{subject.de} {word.de} {present('sein', subject.person)}",
            english.clause(subject.en, subject.en_plural, "be", "", "", word.en))


def _time_off(subject: Subject) -> tuple[str, str]:
    return (f"{subject.de} Zeit {present('haben', subject.person)}",
            english.clause(subject.en, subject.en_plural, "have", "had", "had", "time"))


REASONS = (("in den Supermarkt", "to the supermarket", ("einkaufen",)), ("ins Restaurant", "to the restaurant", ("Hunger", "essen")),
           ("ins Café", "to the café", ("Durst", "Freunde")), ("in die Bibliothek", "to the library", ("Bücher", "lernen")),
           ("in den Park", "to the park", ("joggen", "spazieren")), ("zum Arzt", "to the doctor's", ("krank", "Fieber")),
           ("nach Hause", "home", ("müde", "krank", "schlafen")), ("ins Bett", "to bed", ("müde", "krank", "schlafen")),
           ("zum Deutschkurs", "to German class", ("lernen",)), ("ins Schwimmbad", "to the swimming pool", ("schwimmen",)),
           ("ins Kino", "to the cinema", ("Zeit", "Freunde")), ("in die Stadt", "into town", ("einkaufen", "Freunde", "Zeit")),
           ("ins Büro", "to the office", ("arbeiten",)), ("zur Arbeit", "to work", ("arbeiten",)))
WISHES = {"einkaufen": "go shopping", "schlafen": "sleep", "joggen": "jog", "schwimmen": "swim", "arbeiten": "work", "essen": "eat",
          "Freunde": "meet friends", "Bücher": "read books", "lernen": "learn German", "spazieren": "go for a walk"}
WISHED = {"Freunde": "Freunde treffen", "Bücher": "Bücher lesen", "lernen": "Deutsch lernen", "spazieren": "spazieren gehen"}
STATES = {"Hunger": ("be", "hungry"), "Durst": ("be", "thirsty"), "Fieber": ("have", "a fever"), "Zeit": ("have", "time")}


def reason(subject: Subject, what: str, rng: random.Random) -> tuple[str, str]:
    """The clause after weil."""
    if what in STATES:
        verb, rest = STATES[what]
        return (f"{subject.de} {what} {present('haben', subject.person)}",
                english.clause(subject.en, subject.en_plural, verb, "", "", rest))
    if what not in WISHES:
        word = next(a for a in ADJECTIVES["person"] if a.de == what)
        return (f"{subject.de} {what} {present('sein', subject.person)}",
                english.clause(subject.en, subject.en_plural, "be", "", "", word.en))
    modal = rng.choice(("möchten", "wollen", "müssen")) if what in ("einkaufen", "arbeiten", "lernen") else rng.choice(
        ("möchten", "wollen"))
    return (f"{subject.de} {WISHED.get(what, what)} {present(modal, subject.person)}",
            english.clause(subject.en, subject.en_plural, WISHES[what], "", "", "", modal=modal))


def because(subject: Subject, rng: random.Random) -> Pair:
    """Ich gehe heute nach Hause, weil ich müde bin. Er kommt morgen nicht, weil er arbeiten muss."""
    roll = rng.random()
    when = time(rng, "plan", "plan", "weekday") if rng.random() < 0.7 else Time()
    if roll < 0.55:
        place, en_place, reasons = rng.choice(REASONS)
        clause, what = Clause(subject, Action(by_name("gehen"), place=Phrase(place, en_place)), when), rng.choice(reasons)
    elif roll < 0.75:
        clause = Clause(subject, Action(by_name("bleiben"), place=Phrase("zu Hause", "at home")), when)
        what = rng.choice(("müde", "krank", "Fieber", "arbeiten", "lernen", "schlafen"))
    else:
        action = rng.choice((Action(by_name("kommen")), Action(by_name("arbeiten")), Action(by_name("mitkommen")),
                             Action(by_name("einkaufen")), Action(by_name("gehen"), place=Phrase("ins Kino", "to the cinema"))))
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
    return sentence(f"{german(left, 'statement')}{word} {german(right, 'statement')}",
                    f"{english_clause(left, 'statement')}{en_word} {english_clause(right, 'statement')}")


def _pastime(rng: random.Random) -> Action:
    roll = rng.random()
    if roll < 0.45:
        return activity(rng, "free")
    return Action(by_name("gehen"), place=rng.choice(PLACES["outing"]).to) if roll < 0.75 else staying(rng)


def two_things(subject: Subject, rng: random.Random) -> Pair:
    """Ich koche und höre Musik. Zuerst koche ich, dann lese ich ein Buch."""
    left, right = Clause(subject, _pastime(rng)), Clause(subject, _pastime(rng))
    while right.action == left.action:
        right = Clause(subject, _pastime(rng))
    if rng.random() < 0.5:
        first, then = (german(replace(clause, opening=Phrase(word, "")), "question")
                       for clause, word in ((left, "zuerst"), (right, "dann")))
        left, right = replace(left, habit=True), replace(right, habit=True)
        return sentence(f"{first}, {then}",
                        f"first {english_clause(left, 'statement')}, then {english_clause(right, 'statement')}")
    left, right = replace(left, habit=True), replace(right, habit=True)
    rest = german(right, "statement").removeprefix(subject.de + " ")
    text = english_clause(right, "statement").removeprefix(subject.en + " ")
    return sentence(f"{german(left, 'statement')} und {rest}", f"{english_clause(left, 'statement')} and {text}")


def dative(rng: random.Random) -> Pair:
    """Er hilft seiner Mutter. Ich schenke meinem Bruder ein Buch."""
    question = rng.random() < 0.25
    subject = asked_subject(rng) if question else statement_subject(rng)
    to = person_object(rng, subject, "dat")
    if rng.random() < 0.4:
        verb = by_name(rng.choice(("helfen", "helfen", "danken", "antworten", "zuhören")))
        planned = verb.infinitive != "danken"
        spoken = {"antworten": "answer", "zuhören": "listen to"}.get(verb.prefix + verb.infinitive, verb.en)
        when = rng.choice(TIMES["plan"]) if planned and (rng.random() < 0.4 or question) else NOTHING
        negative = rng.random() < 0.2
        before, after = (to.de, when.de) if to.de.islower() and " " not in to.de or negative else (when.de, to.de)
        order = (present(verb, subject.person), subject.de) if question else (subject.de, present(verb, subject.person))
        words = (*order, before, after, "nicht" if negative else "", verb.prefix)
        head, _, tail = spoken.partition(" ")
        text = english.clause(subject.en, subject.en_plural, head, "", "", " ".join(filter(None, (tail, to.en, when.en))),
                              tense="progressive" if when.de else "present", negative=negative, question=question)
        return sentence(" ".join(filter(None, words)), text, "?" if question else ".")
    verb, sections = rng.choice((("geben", ("thing", "reading", "drink")), ("zeigen", ("thing", "room", "reading", "clothes")),
                                 ("schenken", ("clothes", "reading", "Blume", "Uhr", "Kamera")), ("bringen", ("drink", "food", "paper")),
                                 ("schicken", ("message", "paper", "Foto", "Paket")), ("leihen", ("thing", "Fahrrad", "Auto", "reading")),
                                 ("kaufen", ("clothes", "food", "Blume", "reading")), ("erklären", ("study",)),
                                 ("erzählen", ("Geschichte",)), ("kochen", ("Suppe",)), ("schreiben", ("message",))))
    what = rng.choice(sections)
    noun = rng.choice(NOUNS[what]) if what in NOUNS else NOUN[what]
    kinds = {"schenken": ("ein",), "bringen": ("ein", "der"), "kaufen": ("ein",), "erzählen": ("ein",), "kochen": ("ein",),
             "schreiben": ("ein",), "erklären": ("der",), "zeigen": ("der",), "leihen": ("der", "mein") }.get(verb, ("ein", "der"))
    kind = rng.choice(kinds)
    if kind == "mein":
        from model.corpora.german.subjects import OWN
        kind = OWN.get(subject.key, "der")
    thing = noun_phrase(noun, "" if noun.section == "drink" and kind == "ein" else kind, "acc",
                        plural=what == "Blume")
    when = time(rng, "plan") if rng.random() < 0.35 or question else Time()
    if verb in ("schicken", "leihen") and noun.section == "drink":
        when = Time()
    order = (present(by_name(verb), subject.person), subject.de) if question else (
        subject.de, present(by_name(verb), subject.person))
    words = (*order, to.de, when.phrase.de, thing.de)
    link = {"kaufen": "for", "kochen": "for", "erklären": "to"}.get(verb)
    rest = f"{thing.en} {link} {to.en}" if link else f"{to.en} {thing.en}"
    base = by_name(verb).en
    text = english.clause(subject.en, subject.en_plural, base, "", "", " ".join(filter(None, (rest, when.phrase.en))),
                          tense="progressive" if when else "present", question=question)
    return sentence(" ".join(filter(None, words)), text, "?" if question else ".")
