"""Themes of daily life: ordering, being hungry or in pain, prices."""

import random

from corpora.german.conjugation import by_name, present
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import NOUN, NOUNS, TIMES, Phrase
from corpora.german.numbers import number
from corpora.german.phrases import column, table
from corpora.german.sentence_form import sentence
from corpora.german.subjects import DATIVE, OWN, Subject, asked_subject, people, pronoun, statement_subject
from corpora.german.topics.saying import join, states
from corpora.pairs import Pair

ORDERS = ("food", "drink", "drink", "clothes", "thing")


def orders(rng: random.Random) -> Pair:
    """Ich möchte einen Kaffee, bitte. Möchtest du ein Eis? Ich hätte gern zwei Brötchen."""
    kind, roll = rng.choice(ORDERS), rng.random()
    noun = rng.choice([n for n in NOUNS[kind] if n.singular])
    if kind == "drink" and noun.singular == "Milch":
        noun = NOUN["Kaffee"]
    item = noun_phrase(noun, "ein", "acc")
    text = (
        f"a {noun.en}"
        if noun.section == "drink" and noun.en[0] not in "aeiou"
        else f"an {noun.en}"
        if noun.section == "drink"
        else item.en
    )
    item = Phrase(item.de, text)
    if kind in ("food",) and rng.random() < 0.25:
        many = number(rng.randint(2, 6))
        item = Phrase(f"{many.de} {noun.plural}", f"{many.en} {noun.en_plural}")
    if kind == "drink" and rng.random() < 0.2:
        extra = rng.choice(
            (
                ("ohne Zucker", "without sugar"),
                ("mit Milch", "with milk"),
                ("ohne Milch", "without milk"),
                ("mit Zucker", "with sugar"),
            )
        )
        noun = NOUN[rng.choice(("Kaffee", "Tee"))]
        item = Phrase(f"einen {noun.singular} {extra[0]}", f"a {noun.en} {extra[1]}")
    please = rng.random() < 0.5
    end = ", bitte" if please else ""
    en_end = ", please" if please else ""
    if roll < 0.3:
        who = pronoun(rng.choice(("ich", "ich", "ich", "wir")))
        return sentence(
            f"{who.de} {present('möchten', who.person)} {item.de}{end}", f"{who.en} would like {item.en}{en_end}"
        )
    if roll < 0.45:
        who = rng.choice((("ich hätte", "I"), ("wir hätten", "we")))
        return sentence(f"{who[0]} gern {item.de}{end}", f"{who[1]} would like {item.en}{en_end}")
    if roll < 0.55:
        return sentence(f"ich nehme {item.de}{end}", f"I'll take {item.en}{en_end}")
    if roll < 0.62:
        return sentence(f"{item.de}, bitte", f"{item.en}, please")
    if roll < 0.75:
        who = statement_subject(rng)
        return sentence(f"{who.de} {present('möchten', who.person)} {item.de}", f"{who.en} would like {item.en}")
    who = pronoun(rng.choice(("du", "Sie", "ihr"))) if roll < 0.92 else asked_subject(rng)
    if roll < 0.85:
        return sentence(f"{present('möchten', who.person)} {who.de} {item.de}", f"would {who.en} like {item.en}", "?")
    return sentence(
        f"{present(by_name('nehmen'), who.person)} {who.de} {item.de}", states(who, "take", item.en, question=True), "?"
    )


HAVING = tuple(
    Phrase(*row)
    for row in (
        ("Zeit", "time"),
        ("Geld", "money"),
        ("Urlaub", "time off"),
        ("Fieber", "a fever"),
        ("Kopfschmerzen", "a headache"),
        ("Bauchschmerzen", "stomach ache"),
        ("Husten", "a cough"),
        ("Schnupfen", "a cold"),
        ("Unterricht", "lessons"),
        ("Deutschkurs", "German class"),
        ("Besuch", "visitors"),
        ("Probleme", "problems"),
        ("Pause", "a break"),
    )
)
FEELING = (("Hunger", "hungry"), ("Durst", "thirsty"), ("Angst", "scared"), ("recht", "right"), ("Glück", "lucky"))
LUST = table("daily.lust")


def having(rng: random.Random) -> Pair:
    """Ich habe Hunger. Hast du heute Zeit? Am Montag habe ich Deutschkurs."""
    roll = rng.random()
    question, first = roll < 0.3, 0.3 <= roll < 0.45
    subject = asked_subject(rng) if question else statement_subject(rng)
    finite, kind = present("haben", subject.person), rng.random()
    if kind < 0.35:
        german, word = rng.choice(FEELING)
        verb, rest = "be", word
        german_rest, none = (
            german,
            f"keine{'n' if german in ('Hunger', 'Durst') else ''} {german}"
            if german in ("Hunger", "Durst", "Angst")
            else "nicht recht"
            if german == "recht"
            else "kein Glück",
        )
    elif kind < 0.5:
        what, text = rng.choice(LUST)
        verb, rest, german_rest, none = "fancy", text, f"Lust {what}", f"keine Lust {what}"
    else:
        phrase = rng.choice(HAVING)
        masculine = phrase.de in ("Urlaub", "Unterricht", "Deutschkurs", "Besuch", "Husten", "Schnupfen")
        bare = "kein" if phrase.de in ("Geld", "Fieber", "Glück") else "keinen" if masculine else "keine"
        verb, rest, german_rest, none = "have", phrase.en, phrase.de, f"{bare} {phrase.de}"
    negative = not question and rng.random() < 0.25
    german_rest = none if negative else german_rest
    when = Phrase("", "")
    if first or rng.random() < 0.4:
        when = (
            rng.choice(TIMES["weekday"] + TIMES["plan"])
            if kind >= 0.5 and german_rest.split()[-1] in ("Zeit", "Unterricht", "Deutschkurs", "Besuch", "Urlaub")
            else Phrase("heute", "today")
        )
    if german_rest.endswith(("recht", "Angst")):
        when, first = Phrase("", ""), False
    if first:
        return sentence(
            join(when.de, finite, subject.de, german_rest),
            f"{when.en} {states(subject, verb, rest, negative=negative)}",
        )
    words = (finite, subject.de) if question else (subject.de, finite)
    return sentence(
        join(*words, when.de, german_rest),
        states(subject, verb, join(rest, when.en), question=question, negative=negative),
        "?" if question else ".",
    )


ACHES = column("daily.aches")


def body(rng: random.Random) -> Pair:
    """Mein Kopf tut weh. Tut dein Rücken weh? Mir tut der Bauch weh."""
    noun = NOUN[rng.choice(ACHES)]
    plural = (
        noun.singular in ("Bein", "Arm", "Fuß", "Hand", "Auge", "Ohr", "Zahn", "Knie", "Finger") and rng.random() < 0.5
    )
    key, roll = rng.choice(("ich", "ich", "ich", "du", "er", "sie", "Sie")), rng.random()
    if roll < 0.3:
        key = rng.choice(("du", "er", "sie", "Sie"))
    elif key == "Sie":
        key = "ich"
    finite = "tun" if plural else "tut"
    own = noun_phrase(noun, OWN[key], "nom", plural=plural)
    when = rng.choice(
        (Phrase("", ""), Phrase("", ""), Phrase("heute", "today"), Phrase("sehr", "a lot"), Phrase("wieder", "again"))
    )
    part = Subject(own.de, own.en, "sie-pl" if plural else "er")
    if roll < 0.3:
        return sentence(join(finite, own.de, when.de, "weh"), states(part, "hurt", when.en, question=True), "?")
    if roll < 0.5 and key in DATIVE:
        the = noun_phrase(noun, "der", "nom", plural=plural)
        return sentence(f"{DATIVE[key]} {finite} {the.de} weh", states(part, "hurt"))
    if roll < 0.65:
        since = rng.choice(
            (
                Phrase("gestern", "yesterday"),
                Phrase("heute Morgen", "this morning"),
                Phrase("Montag", "Monday"),
                Phrase("Freitag", "Friday"),
            )
        )
        return sentence(
            f"{own.de} {finite} seit {since.de} weh", f"{own.en} {'have' if plural else 'has'} hurt since {since.en}"
        )
    who = people(rng)
    if roll < 0.8 and who.key in OWN and who.key != "sie-pl":
        hers = noun_phrase(noun, OWN[who.key], "nom", plural=plural)
        return sentence(
            f"{who.de} ist krank, {hers.de} {finite} weh", f"{who.en} is ill, {hers.en} {'hurt' if plural else 'hurts'}"
        )
    return sentence(join(own.de, finite, when.de, "weh"), states(part, "hurt", when.en))


PRICES = {"clothes": (9, 99), "furniture": (40, 900), "machine": (50, 900), "thing": (5, 80), "reading": (2, 30)}


def prices(rng: random.Random) -> Pair:
    """Was kostet das Buch? Die Äpfel kosten drei Euro. Das macht zehn Euro."""
    roll, euros = rng.random(), number(rng.randint(2, 100))
    noun = rng.choice(
        NOUNS[
            rng.choice(("clothes", "food", "grocery", "reading", "furniture", "machine", "drink", "thing", "mass_food"))
        ]
    )
    while noun.singular in ("Ausweis", "Reisepass", "Foto", "Tüte", "Quittung", "Text", "Geschichte", "Schlüssel"):
        noun = rng.choice(NOUNS["clothes"])
    plural = not noun.singular or (noun.section in ("grocery", "food") and rng.random() < 0.5)
    phrase = noun_phrase(noun, rng.choice(("der", "der", "dieser")), "nom", plural=plural)
    low, high = PRICES.get(noun.section, (2, 9))
    if roll < 0.9:
        euros = number(rng.randint(low, high))
    verb, thing = (
        "kosten" if phrase.plural else "kostet",
        Subject(phrase.de, phrase.en, "sie-pl" if phrase.en_plural else "er"),
    )
    if roll < 0.45:
        word = rng.choice(("was", "wie viel"))
        return sentence(f"{word} {verb} {phrase.de}", f"how much {states(thing, 'cost', question=True)}", "?")
    cents = number(rng.choice((10, 20, 30, 50, 80, 90, 99))) if rng.random() < 0.35 and high < 40 else Phrase("", "")
    if roll < 0.9:
        return sentence(
            join(phrase.de, verb, euros.de, "Euro", cents.de), states(thing, "cost", join(euros.en, "euros", cents.en))
        )
    return sentence(join("das macht", euros.de, "Euro", cents.de), join("that comes to", euros.en, "euros", cents.en))
