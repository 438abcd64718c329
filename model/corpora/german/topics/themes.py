"""Themes of the first chapters: introductions, family, food orders, time, weather, health, prices, travel."""

import random

from model.corpora.german import english
from model.corpora.german.actions import clock
from model.corpora.german.conjugation import by_name, present
from model.corpora.german.declension import noun_phrase
from model.corpora.german.lexicon import ADJECTIVES, NOUN, NOUNS, PLACES, TIMES, Phrase
from model.corpora.german.numbers import number
from model.corpora.german.pairs import sentence
from model.corpora.german.subjects import (DATIVE, ENGLISH_OBJECT, MEN, OWN, WOMEN, Subject, asked_subject, name, people,
                                           pronoun, statement_subject)
from model.corpora.pairs import Pair

LANGUAGES = tuple(Phrase(*row) for row in (
    ("Deutsch", "German"), ("Englisch", "English"), ("Französisch", "French"), ("Spanisch", "Spanish"),
    ("Italienisch", "Italian"), ("Polnisch", "Polish"), ("Russisch", "Russian"), ("Türkisch", "Turkish"),
    ("Arabisch", "Arabic"), ("Chinesisch", "Chinese"), ("Japanisch", "Japanese"), ("Portugiesisch", "Portuguese"),
    ("Griechisch", "Greek"), ("Ukrainisch", "Ukrainian")))
DEGREES = tuple(Phrase(*row) for row in (("", ""), ("gut", "well"), ("sehr gut", "very well"), ("ein bisschen", "a little"),
                                         ("nicht gut", "NOT well"), ("schon gut", "already well")))[:5]


def join(*words: str) -> str:
    """Words with single spaces, empty ones left out."""
    return " ".join(word for word in words if word)


def states(subject: Subject, verb: str, rest: str = "", *, question: bool = False, negative: bool = False) -> str:
    """An English clause in the simple present."""
    return english.clause(subject.en, subject.en_plural, verb, "", "", rest, question=question, negative=negative)


def introductions(rng: random.Random) -> Pair:
    """Ich heiße Anna. Er kommt aus Spanien. Woher kommst du?"""
    roll = rng.random()
    if roll < 0.3:
        subject = pronoun(rng.choice(("ich", "ich", "er", "sie")))
        full = rng.choice(WOMEN[:16] if subject.key == "sie" else MEN[:13] if subject.key == "er" else WOMEN[:16] + MEN[:13])
        if rng.random() < 0.5:
            full += " " + rng.choice(SURNAMES)
        if rng.random() < 0.4:
            return sentence(f"{OWN[subject.key]} Name ist {full}", f"{POSSESSIVE[subject.key]} name is {full}")
        return sentence(f"{subject.de} {present('heißen', subject.person)} {full}", f"{POSSESSIVE[subject.key]} name is {full}")
    if roll < 0.4:
        kin = people(rng)
        while kin.key == "sie-pl" or not kin.de.split()[0].startswith(("mein", "dein", "unser", "sein", "ihr")):
            kin = people(rng)
        full = rng.choice(WOMEN[:16] if kin.key == "sie" else MEN[:13])
        return sentence(f"{kin.de} heißt {full}", f"{kin.en}'s name is {full}")
    if roll < 0.75:
        subject, place = statement_subject(rng), rng.choice(PLACES[rng.choice(("country", "city"))])
        origin = rng.random() < 0.5
        verb = present("kommen" if origin else rng.choice(("wohnen", "leben")), subject.person)
        german = place.at.de.replace("in ", "aus ", 1) if origin else place.at.de
        text = states(subject, "be", place.at.en.replace("in ", "from ", 1)) if origin else states(subject, "live", place.at.en)
        return sentence(f"{subject.de} {verb} {german}", text)
    if roll < 0.87:
        subject, place = asked_subject(rng), rng.choice(PLACES[rng.choice(("country", "city"))])
        if rng.random() < 0.5:
            return sentence(f"{present('kommen', subject.person)} {subject.de} {place.at.de.replace('in ', 'aus ', 1)}",
                            states(subject, "be", place.at.en.replace("in ", "from ", 1), question=True), "?")
        return sentence(f"{present('wohnen', subject.person)} {subject.de} {place.at.de}",
                        states(subject, "live", place.at.en, question=True), "?")
    subject = asked_subject(rng)
    if rng.random() < 0.5:
        return sentence(f"woher {present('kommen', subject.person)} {subject.de}",
                        f"where {states(subject, 'be', 'from', question=True)}", "?")
    whose = POSSESSIVE.get(subject.key, "") if subject == pronoun(subject.key) else subject.en + "'s"
    if subject.key in ("wir", "sie-pl", "ihr"):
        subject, whose = pronoun("du"), "your"
    return sentence(f"wie {present('heißen', subject.person)} {subject.de}", f"what is {whose} name", "?")


SURNAMES = ("Müller", "Schmidt", "Weber", "Fischer", "Schneider", "Becker", "Wagner", "Koch", "Klein", "Wolf")
POSSESSIVE = {"ich": "my", "du": "your", "er": "his", "sie": "her", "wir": "our", "ihr": "your", "sie-pl": "their", "Sie": "your"}
FEMALE = tuple(noun for noun in (*NOUNS["profession"], *NOUNS["staff"]) if noun.gender == "f" and noun.singular not in (
    "Kollegin", "Chefin", "Vermieterin", "Mitarbeiterin"))
MALE = tuple(noun for noun in (*NOUNS["profession"], *NOUNS["staff"]) if noun.gender == "m" and noun.singular not in (
    "Kollege", "Chef", "Vermieter", "Mitarbeiter"))


def professions(rng: random.Random) -> Pair:
    """Sie ist Ärztin. Arbeitest du als Koch? Was bist du von Beruf?"""
    roll = rng.random()
    subject = asked_subject(rng) if roll < 0.35 else statement_subject(rng)
    if roll < 0.1:
        return sentence(f"was {present('sein', subject.person)} {subject.de} von Beruf",
                        f"what {states(subject, 'do', 'for a living', question=True)}", "?")
    plural = subject.key in ("wir", "ihr", "sie-pl")
    nouns = FEMALE if subject.key == "sie" else MALE if subject.key in ("er", "wir", "ihr", "sie-pl") else FEMALE + MALE
    while plural and subject.key == "wir" and roll < 0.35:
        subject = asked_subject(rng)
        plural, nouns = subject.key in ("ihr", "sie-pl"), FEMALE if subject.key == "sie" else MALE
    noun = rng.choice([n for n in nouns if n.singular not in subject.de])
    works = rng.random() < 0.3 and not noun.singular.startswith(("Student", "Schüler"))
    job = noun_phrase(noun, "", "nom", plural=plural).de
    role = noun_phrase(noun, "ein", "nom", plural=plural).en
    german, verb, rest = (f"als {job}", "arbeiten", f"as {role}") if works else (job, "sein", role)
    finite, en_verb = present(verb, subject.person), "work" if works else "be"
    if roll < 0.35:
        return sentence(f"{finite} {subject.de} {german}", states(subject, en_verb, rest, question=True), "?")
    return sentence(f"{subject.de} {finite} {german}", states(subject, en_verb, rest))


def languages(rng: random.Random) -> Pair:
    """Ich spreche gut Deutsch. Lernst du Spanisch?"""
    roll, language = rng.random(), rng.choice(LANGUAGES)
    subject = asked_subject(rng) if roll < 0.35 else statement_subject(rng)
    verb = rng.choice(("sprechen", "sprechen", "lernen", "verstehen"))
    form = present(by_name(verb), subject.person)
    en_verb = {"sprechen": "speak", "lernen": "learn", "verstehen": "understand"}[verb]
    if roll < 0.08:
        return sentence(f"welche Sprachen {form} {subject.de}", f"which languages {states(subject, en_verb, question=True)}", "?")
    if roll < 0.35:
        return sentence(f"{form} {subject.de} {language.de}", states(subject, en_verb, language.en, question=True), "?")
    if roll < 0.55 and verb != "lernen":
        second = rng.choice([other for other in LANGUAGES if other != language])
        return sentence(f"{subject.de} {form} {language.de} und {second.de}", states(subject, en_verb, f"{language.en} and {second.en}"))
    if roll < 0.65:
        return sentence(f"{subject.de} {form} kein {language.de}", states(subject, en_verb, language.en, negative=True))
    degree = DEGREES[0] if verb == "lernen" else rng.choice(DEGREES)
    if verb == "lernen" and rng.random() < 0.5:
        years = number(rng.randint(2, 9))
        unit = rng.choice((("Jahren", "years"), ("Monaten", "months"), ("Wochen", "weeks")))
        have = "has" if not subject.en_plural and subject.en != "I" else "have"
        return sentence(f"{subject.de} {form} seit {years.de} {unit[0]} {language.de}",
                        f"{subject.en} {have} been learning {language.en} for {years.en} {unit[1]}")
    if degree.en.startswith("NOT"):
        return sentence(f"{subject.de} {form} nicht gut {language.de}", states(subject, en_verb, f"{language.en} well", negative=True))
    return sentence(join(subject.de, form, degree.de, language.de), states(subject, en_verb, join(language.en, degree.en)))


def age_family(rng: random.Random) -> Pair:
    """Meine Schwester ist zwölf Jahre alt. Hast du Geschwister? Ich habe zwei Brüder."""
    roll = rng.random()
    if roll < 0.3:
        subject, years = statement_subject(rng), number(rng.randint(2, 99))
        exact = rng.random() < 0.7
        return sentence(join(subject.de, present("sein", subject.person), years.de, "Jahre alt" if exact else ""),
                        states(subject, "be", join(years.en, "years old" if exact else "")))
    if roll < 0.4:
        subject = asked_subject(rng)
        return sentence(f"wie alt {present('sein', subject.person)} {subject.de}", f"how old {states(subject, 'be', question=True)}", "?")
    noun = rng.choice([n for n in NOUNS["relative"] if n.singular in ("Bruder", "Schwester", "Sohn", "Tochter", "Tante", "Onkel", "Cousine")] + [
        NOUN["Kind"], NOUN["Freund"], NOUN["Hund"], NOUN["Katze"]])
    if roll < 0.75:
        subject, many = statement_subject(rng), rng.randint(2, 6)
        amount = number(many)
        if rng.random() < 0.3:
            thing = noun_phrase(noun, rng.choice(("ein", "kein")), "acc", plural=rng.random() < 0.3)
            negative = thing.de.startswith("kein")
            thing_en = noun_phrase(noun, "ein", "acc", plural=thing.plural).en
            if not negative and thing.plural:
                thing = noun_phrase(noun, "ein", "acc")
                thing_en = thing.en
            return sentence(f"{subject.de} {present('haben', subject.person)} {thing.de}", states(subject, "have", thing_en, negative=negative))
        return sentence(f"{subject.de} {present('haben', subject.person)} {amount.de} {noun.plural}",
                        states(subject, "have", f"{amount.en} {noun.en_plural}"))
    subject = asked_subject(rng)
    if rng.random() < 0.3:
        return sentence(f"wie viele {noun.plural} {present('haben', subject.person)} {subject.de}",
                        f"how many {noun.en_plural} {states(subject, 'have', question=True)}", "?")
    thing = noun_phrase(noun, "ein", "acc", plural=rng.random() < 0.3)
    if rng.random() < 0.2:
        return sentence(f"{present('haben', subject.person)} {subject.de} Geschwister", states(subject, "have", "siblings", question=True), "?")
    return sentence(f"{present('haben', subject.person)} {subject.de} {thing.de}", states(subject, "have", thing.en, question=True), "?")


ORDERS = ("food", "drink", "drink", "clothes", "thing")


def orders(rng: random.Random) -> Pair:
    """Ich möchte einen Kaffee, bitte. Möchtest du ein Eis? Ich hätte gern zwei Brötchen."""
    kind, roll = rng.choice(ORDERS), rng.random()
    noun = rng.choice([n for n in NOUNS[kind] if n.singular])
    if kind == "drink" and noun.singular == "Milch":
        noun = NOUN["Kaffee"]
    item = noun_phrase(noun, "ein", "acc")
    text = f"a {noun.en}" if noun.section == "drink" and noun.en[0] not in "aeiou" else f"an {noun.en}" if noun.section == "drink" else item.en
    item = Phrase(item.de, text)
    if kind in ("food",) and rng.random() < 0.25:
        many = number(rng.randint(2, 6))
        item = Phrase(f"{many.de} {noun.plural}", f"{many.en} {noun.en_plural}")
    if kind == "drink" and rng.random() < 0.2:
        extra = rng.choice((("ohne Zucker", "without sugar"), ("mit Milch", "with milk"), ("ohne Milch", "without milk"), ("mit Zucker", "with sugar")))
        noun = NOUN[rng.choice(("Kaffee", "Tee"))]
        item = Phrase(f"einen {noun.singular} {extra[0]}", f"a {noun.en} {extra[1]}")
    please = rng.random() < 0.5
    end = ", bitte" if please else ""
    en_end = ", please" if please else ""
    if roll < 0.3:
        who = pronoun(rng.choice(("ich", "ich", "ich", "wir")))
        return sentence(f"{who.de} {present('möchten', who.person)} {item.de}{end}", f"{who.en} would like {item.en}{en_end}")
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
    return sentence(f"{present(by_name('nehmen'), who.person)} {who.de} {item.de}",
                    states(who, "take", item.en, question=True), "?")


HAVING = tuple(Phrase(*row) for row in (
    ("Zeit", "time"), ("Geld", "money"), ("Urlaub", "time off"), ("Fieber", "a fever"), ("Kopfschmerzen", "a headache"),
    ("Bauchschmerzen", "stomach ache"), ("Husten", "a cough"), ("Schnupfen", "a cold"), ("Unterricht", "lessons"),
    ("Deutschkurs", "German class"), ("Besuch", "visitors"), ("Probleme", "problems"), ("Pause", "a break")))
FEELING = (("Hunger", "hungry"), ("Durst", "thirsty"), ("Angst", "scared"), ("recht", "right"), ("Glück", "lucky"))
LUST = (("auf ein Eis", "an ice cream"), ("auf Pizza", "pizza"), ("auf Kino", "the cinema"), ("auf einen Kaffee", "a coffee"),
        ("auf Tee", "tea"), ("auf ein Bier", "a beer"), ("auf Kuchen", "cake"), ("auf Schokolade", "chocolate"), ("auf Musik", "music"))


def having(rng: random.Random) -> Pair:
    """Ich habe Hunger. Hast du heute Zeit? Am Montag habe ich Deutschkurs."""
    roll = rng.random()
    question, first = roll < 0.3, 0.3 <= roll < 0.45
    subject = asked_subject(rng) if question else statement_subject(rng)
    finite, kind = present("haben", subject.person), rng.random()
    if kind < 0.35:
        german, word = rng.choice(FEELING)
        verb, rest = "be", word
        german_rest, none = german, f"keine{'n' if german in ('Hunger', 'Durst') else ''} {german}" if german in ("Hunger", "Durst", "Angst") else "nicht recht" if german == "recht" else "kein Glück"
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
        when = rng.choice(TIMES["weekday"] + TIMES["plan"]) if kind >= 0.5 and german_rest.split()[-1] in (
            "Zeit", "Unterricht", "Deutschkurs", "Besuch", "Urlaub") else Phrase("heute", "today")
    if german_rest.endswith(("recht", "Angst")):
        when, first = Phrase("", ""), False
    if first:
        return sentence(join(when.de, finite, subject.de, german_rest), f"{when.en} {states(subject, verb, rest, negative=negative)}")
    words = (finite, subject.de) if question else (subject.de, finite)
    return sentence(join(*words, when.de, german_rest),
                    states(subject, verb, join(rest, when.en), question=question, negative=negative), "?" if question else ".")


ACHES = ("Kopf", "Bauch", "Rücken", "Bein", "Arm", "Fuß", "Hand", "Finger", "Auge", "Ohr", "Zahn", "Hals", "Knie", "Nase")


def body(rng: random.Random) -> Pair:
    """Mein Kopf tut weh. Tut dein Rücken weh? Mir tut der Bauch weh."""
    noun = NOUN[rng.choice(ACHES)]
    plural = noun.singular in ("Bein", "Arm", "Fuß", "Hand", "Auge", "Ohr", "Zahn", "Knie", "Finger") and rng.random() < 0.5
    key, roll = rng.choice(("ich", "ich", "ich", "du", "er", "sie", "Sie")), rng.random()
    if roll < 0.3:
        key = rng.choice(("du", "er", "sie", "Sie"))
    elif key == "Sie":
        key = "ich"
    finite = "tun" if plural else "tut"
    own = noun_phrase(noun, OWN[key], "nom", plural=plural)
    when = rng.choice((Phrase("", ""), Phrase("", ""), Phrase("heute", "today"), Phrase("sehr", "a lot"), Phrase("wieder", "again")))
    part = Subject(own.de, own.en, "sie-pl" if plural else "er")
    if roll < 0.3:
        return sentence(join(finite, own.de, when.de, "weh"), states(part, "hurt", when.en, question=True), "?")
    if roll < 0.5 and key in DATIVE:
        the = noun_phrase(noun, "der", "nom", plural=plural)
        return sentence(f"{DATIVE[key]} {finite} {the.de} weh", states(part, "hurt"))
    if roll < 0.65:
        since = rng.choice((Phrase("gestern", "yesterday"), Phrase("heute Morgen", "this morning"), Phrase("Montag", "Monday"), Phrase("Freitag", "Friday")))
        return sentence(f"{own.de} {finite} seit {since.de} weh", f"{own.en} {'have' if plural else 'has'} hurt since {since.en}")
    who = people(rng)
    if roll < 0.8 and who.key in OWN and who.key != "sie-pl":
        hers = noun_phrase(noun, OWN[who.key], "nom", plural=plural)
        return sentence(f"{who.de} ist krank, {hers.de} {finite} weh", f"{who.en} is ill, {hers.en} {'hurt' if plural else 'hurts'}")
    return sentence(join(own.de, finite, when.de, "weh"), states(part, "hurt", when.en))


SKY = tuple(Phrase(*row) for row in (("schön", "nice"), ("schlecht", "bad"), ("gut", "good"), ("kalt", "cold"), ("warm", "warm")))
FEELS = tuple(Phrase(*row) for row in (("kalt", "cold"), ("warm", "warm"), ("heiß", "hot"), ("windig", "windy"), ("sonnig", "sunny"),
                                       ("bewölkt", "cloudy"), ("neblig", "foggy"), ("kühl", "cool"), ("nass", "wet"), ("dunkel", "dark")))
FALLS = tuple(Phrase(*row) for row in (("regnet", "rain"), ("schneit", "snow")))


def weather(rng: random.Random) -> Pair:
    """Es regnet heute. Im Winter ist es kalt. Wie ist das Wetter in Berlin?"""
    place = rng.choice(PLACES["city"] + PLACES["country"]).at if rng.random() < 0.45 else Phrase("", "")
    season = rng.choice(TIMES["season"])
    it, roll = Subject("es", "it", "es"), rng.random()
    degree = rng.choice((Phrase("", ""), Phrase("sehr", "very"), Phrase("nicht", "not"), Phrase("zu", "too"), Phrase("ziemlich", "quite")))
    if roll < 0.25:
        word = rng.choice(FEELS)
        rest = join("" if degree.en == "not" else degree.en, word.en)
        return sentence(join("heute ist es", place.de, degree.de, word.de), join("today", states(it, "be", join(rest, place.en), negative=degree.en == "not")))
    if roll < 0.45:
        word = rng.choice(FEELS)
        return sentence(join(season.de, "ist es", place.de, degree.de, word.de), join(season.en, states(
            it, "be", join("" if degree.en == "not" else degree.en, word.en, place.en), negative=degree.en == "not")))
    if roll < 0.55:
        fall, often = rng.choice(FALLS), rng.choice((Phrase("oft", "often"), Phrase("viel", "a lot"), Phrase("selten", "rarely")))
        verb = english.third(fall.en)
        text = f"it {verb} a lot" if often.en == "a lot" else f"it {often.en} {verb}"
        return sentence(join(season.de, fall.de, "es", place.de, often.de), join(season.en, text, place.en))
    if roll < 0.68:
        fall, when = rng.choice(FALLS), rng.choice((Phrase("", ""), Phrase("heute", "today"), Phrase("gerade", "right now"), Phrase("jetzt", "now"), Phrase("den ganzen Tag", "all day")))
        if rng.random() < 0.4:
            return sentence(join(fall.de, "es", when.de, place.de), join("is it", english.ing(fall.en), place.en, when.en), "?")
        negative = rng.random() < 0.25
        return sentence(join("es", fall.de, when.de, place.de, "nicht" if negative else ""), join(
            "it isn't" if negative else "it's", english.ing(fall.en), place.en, when.en))
    if roll < 0.8:
        word = rng.choice(SKY[:3])
        when = rng.choice((Phrase("heute", "today"), Phrase("", "")))
        rest = join("" if degree.en == "not" else degree.en, word.en, place.en, when.en)
        return sentence(join("das Wetter ist", when.de, place.de, degree.de, word.de), join("the weather", "isn't" if degree.en == "not" else "is", rest))
    if roll < 0.9:
        return sentence(join("wie ist das Wetter", rng_when := "heute" if rng.random() < 0.5 else "", place.de),
                        join("how is the weather", place.en, "today" if rng_when else ""), "?")
    degrees = number(rng.randint(2, 35))
    return sentence(join("es sind heute", place.de, degrees.de, "Grad"), join("it's", degrees.en, "degrees", place.en, "today"))


def clock_times(rng: random.Random) -> Pair:
    """Es ist halb acht. Der Zug fährt um neun Uhr ab. Wann beginnt der Film?"""
    roll, at = rng.random(), clock(rng)
    if roll < 0.25:
        return sentence(f"es ist {at.de.removeprefix('um ')}", f"it's {at.en.removeprefix('at ')}")
    german, text = rng.choice(STARTS)
    section, verb, prefix = german
    noun = NOUN[rng.choice(section)]
    phrase = noun_phrase(noun, "der", "nom")
    when = rng.choice((Phrase("", ""), Phrase("", ""), Phrase("heute", "today"), Phrase("morgen", "tomorrow")))
    thing = Subject(phrase.de, phrase.en, "er")
    if roll < 0.5:
        return sentence(join(rng.choice(("wann", "wann")), verb, phrase.de, when.de, prefix), join("when", states(thing, text, when.en, question=True)), "?")
    if roll < 0.58:
        return sentence(join("um wie viel Uhr", verb, phrase.de, when.de, prefix), join("at what time", states(thing, text, when.en, question=True)), "?")
    if roll < 0.7:
        return sentence(join(at.de, verb, phrase.de, prefix), join(at.en, states(thing, text)))
    return sentence(join(phrase.de, verb, when.de, at.de, prefix), states(thing, text, join(at.en, when.en)))


VEHICLES, EVENTS = ("Bus", "Zug", "S-Bahn", "Straßenbahn", "U-Bahn"), ("Film", "Kurs", "Unterricht", "Konzert", "Deutschkurs", "Sitzung", "Party", "Spiel", "Besprechung", "Prüfung")
SHOPS = ("Supermarkt", "Bank", "Post", "Apotheke", "Bäckerei", "Museum", "Bibliothek", "Restaurant", "Café", "Schwimmbad")
STARTS = (((VEHICLES, "fährt", "ab"), "leave"), ((VEHICLES, "kommt", "an"), "arrive"), ((EVENTS, "beginnt", ""), "start"),
          ((EVENTS, "fängt", "an"), "start"), ((EVENTS, "endet", ""), "end"), ((SHOPS, "öffnet", ""), "open"), ((SHOPS, "schließt", ""), "close"),
          ((SHOPS, "macht", "auf"), "open"), ((SHOPS, "macht", "zu"), "close"))


PRICES = {"clothes": (9, 99), "furniture": (40, 900), "machine": (50, 900), "thing": (5, 80), "reading": (2, 30)}


def prices(rng: random.Random) -> Pair:
    """Was kostet das Buch? Die Äpfel kosten drei Euro. Das macht zehn Euro."""
    roll, euros = rng.random(), number(rng.randint(2, 100))
    noun = rng.choice(NOUNS[rng.choice(("clothes", "food", "grocery", "reading", "furniture", "machine", "drink", "thing", "mass_food"))])
    while noun.singular in ("Ausweis", "Reisepass", "Foto", "Tüte", "Quittung", "Text", "Geschichte", "Schlüssel"):
        noun = rng.choice(NOUNS["clothes"])
    plural = not noun.singular or (noun.section in ("grocery", "food") and rng.random() < 0.5)
    phrase = noun_phrase(noun, rng.choice(("der", "der", "dieser")), "nom", plural=plural)
    low, high = PRICES.get(noun.section, (2, 9))
    if roll < 0.9:
        euros = number(rng.randint(low, high))
    verb, thing = "kosten" if phrase.plural else "kostet", Subject(phrase.de, phrase.en, "sie-pl" if phrase.en_plural else "er")
    if roll < 0.45:
        word = rng.choice(("was", "wie viel"))
        return sentence(f"{word} {verb} {phrase.de}", f"how much {states(thing, 'cost', question=True)}", "?")
    cents = number(rng.choice((10, 20, 30, 50, 80, 90, 99))) if rng.random() < 0.35 and high < 40 else Phrase("", "")
    if roll < 0.9:
        return sentence(join(phrase.de, verb, euros.de, "Euro", cents.de), states(thing, "cost", join(euros.en, "euros", cents.en)))
    return sentence(join("das macht", euros.de, "Euro", cents.de), join("that comes to", euros.en, "euros", cents.en))


TRAVEL = tuple(place.to for section in ("outing", "daily") for place in PLACES[section])
TO_TOWN = ("Bahnhof", "Post", "Apotheke", "Bank", "Schule", "Museum", "Marktplatz", "Rathaus", "Bushaltestelle", "Flughafen",
           "Supermarkt", "Krankenhaus", "Universität", "Park", "Kirche", "Theater", "Hotel", "Bibliothek", "Schwimmbad", "Kino")


def directions(rng: random.Random) -> Pair:
    """Wie komme ich zum Bahnhof? Gehen Sie an der Ampel links. Ist es weit bis zur Post?"""
    noun, roll = NOUN[rng.choice(TO_TOWN)], rng.random()
    zu = ("zur" if noun.gender == "f" else "zum") + " " + noun.singular
    polite, en_polite = ("Entschuldigung, ", "excuse me, ") if rng.random() < 0.3 else ("", "")
    if roll < 0.3:
        who = pronoun(rng.choice(("ich", "ich", "wir")))
        verb = present("kommen", who.person)
        return sentence(f"{polite}wie {verb} {who.de} {zu}", f"{en_polite}how do {who.en} get to the {noun.en}", "?")
    if roll < 0.4:
        return sentence(f"{polite}ist es weit bis {zu}", f"{en_polite}is it far to the {noun.en}", "?")
    if roll < 0.5:
        near = noun_phrase(noun, "der", "nom", adj=Phrase("nächst", "nearest"))
        return sentence(f"{polite}wo ist {near.de}", f"{en_polite}where is {near.en}", "?")
    if roll < 0.6:
        vehicle = noun_phrase(NOUN[rng.choice(VEHICLES)], rng.choice(("der", "dieser", "welcher")), "nom")
        if vehicle.en.startswith("which"):
            return sentence(f"{vehicle.de} fährt {zu}", f"{vehicle.en} goes to the {noun.en}", "?")
        return sentence(f"fährt {vehicle.de} {zu}", f"does {vehicle.en} go to the {noun.en}", "?")
    turn = rng.choice((("geradeaus", "straight ahead"), ("nach links", "left"), ("nach rechts", "right")))
    spot = noun_phrase(NOUN[rng.choice(("Ampel", "Ecke", "Kirche", "Brücke", "Post"))], "der", "dat")
    key = rng.choice(("Sie", "Sie", "du"))
    go = "gehen Sie" if key == "Sie" else "geh"
    if roll < 0.7:
        first, en_first = rng.choice((("zuerst ", "first "), ("dann ", "then "), ("", "")))
        if first and key == "Sie":
            return sentence(f"{first}gehen Sie {turn[0]}", f"{en_first}you go {turn[1]}")
        return sentence(f"{go} {turn[0]}", f"go {turn[1]}")
    if roll < 0.85:
        return sentence(f"{go} {turn[0]} bis {zu}", f"go {turn[1]} to the {noun.en}")
    return sentence(f"{go} an {spot.de} {turn[0]}", f"go {turn[1]} at {spot.en}")


def lengths(rng: random.Random) -> Pair:
    """Wie lange dauert der Film? Die Fahrt dauert zwei Stunden."""
    noun = NOUN[rng.choice(("Film", "Kurs", "Konzert", "Reise", "Pause", "Spiel", "Prüfung", "Party", "Sitzung", "Unterricht", "Besprechung"))]
    phrase = noun_phrase(noun, "der", "nom")
    if rng.random() < 0.3:
        return sentence(f"wie lange dauert {phrase.de}", f"how long does {phrase.en} take", "?")
    short = noun.singular != "Reise"
    unit = rng.choice((("Stunden", "hours", 2, 5), ("Minuten", "minutes", 5, 60)) if short else (("Tage", "days", 2, 9), ("Wochen", "weeks", 2, 6), ("Stunden", "hours", 2, 12)))
    amount = rng.randint(unit[2], unit[3])
    many = number(amount - amount % 5 if unit[0] == "Minuten" else amount)
    return sentence(f"{phrase.de} dauert {many.de} {unit[0]}", f"{phrase.en} takes {many.en} {unit[1]}")


def who_is_it(rng: random.Random) -> Pair:
    """Wer ist das? Das ist meine Mutter. Wer liest das Buch?"""
    if rng.random() < 0.5:
        who = people(rng) if rng.random() < 0.7 else name(rng)
        verb, text = ("sind", "these are") if who.key == "sie-pl" else ("ist", "this is")
        if rng.random() < 0.2:
            order = ("is this", "are these")[who.key == "sie-pl"]
            return sentence(f"{verb} das {who.de}", f"{order} {who.en}", "?")
        return sentence(f"das {verb} {who.de}", f"{text} {who.en}")
    from model.corpora.german.actions import activity, object_action, time
    from model.corpora.german.clauses import Clause, english_clause, german
    wer = Subject("wer", "who", "er")
    action = object_action(wer, rng) if rng.random() < 0.6 else activity(rng, "free", "daily", "short")
    when = time(rng, "plan", "plan", "weekday") if not action.verb.stative else time(rng, "plan")
    if action.verb.stative:
        from model.corpora.german.clauses import Time
        when = Time()
    clause = Clause(wer, action, when)
    return sentence(german(clause, "statement"), english_clause(clause, "statement"), "?")


def one_does(rng: random.Random) -> Pair:
    """Hier darf man nicht rauchen. In Deutschland spricht man Deutsch."""
    places = [place.at for place in PLACES["outing"] if place.at.de != "in der Disco"] + [Phrase("hier", "here")] * 12
    places += [place.at for place in PLACES["daily"] if place.at.de in ("in der Schule", "im Büro", "am Bahnhof", "in der Bibliothek")]
    place = rng.choice(places)
    german, text = rng.choice(DOING)
    modal, helper = rng.choice((("kann man", "you can"), ("darf man", "you are allowed to"), ("darf man nicht", "you aren't allowed to"),
                                ("muss man", "you have to"), ("kann man nicht", "you can't")))
    if rng.random() < 0.25:
        helper = {"kann man": "can you", "darf man": "are you allowed to"}.get(modal, "can you")
        modal = modal if modal in ("kann man", "darf man") else "kann man"
        return sentence(f"{modal} {place.de} {german}", f"{helper} {text} {place.en}", "?")
    return sentence(f"{place.de} {modal} {german}", f"{place.en} {helper} {text}")


DOING = (("rauchen", "smoke"), ("parken", "park"), ("fotografieren", "take photos"), ("telefonieren", "talk on the phone"),
         ("essen", "eat"), ("warten", "wait"), ("gut essen", "eat well"), ("bar bezahlen", "pay in cash"),
         ("mit Karte bezahlen", "pay by card"), ("Musik hören", "listen to music"), ("arbeiten", "work"))
