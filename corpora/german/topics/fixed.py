"""Sentences learned by heart: everyday sentences, and the entries of a word list."""

import random

from corpora.german.conjugation import infinitive
from corpora.german.declension import noun_phrase
from corpora.german.lexicon import ADJECTIVES, NOUNS, PLACES, TIMES, VERB, phrases
from corpora.german.numbers import number
from corpora.pairs import Pair

EVERYDAY = tuple(Pair(*phrase) for phrase in phrases("everyday.txt")["everyday"])
ENTRIES = phrases("entries.txt")["phrase"]


def everyday_sentences(rng: random.Random) -> Pair:
    """Wie geht es dir? Guten Morgen!"""
    return rng.choice(EVERYDAY)


def _entries() -> dict[str, str]:
    """Every entry once; a word with two readings keeps the one that comes first."""
    entries: dict[str, str] = dict(ENTRIES)
    for verb in VERB.values():
        entries.setdefault(infinitive(verb), f"to {verb.en}")
    for group in (*ADJECTIVES.values(), TIMES["season"], TIMES["weekday"], TIMES["means"], TIMES["habit"]):
        for phrase in group:
            entries.setdefault(phrase.de, phrase.en)
    for phrase in TIMES["weekday"]:
        day, english = phrase.de.removeprefix("am "), phrase.en.removeprefix("on ")
        entries[f"bis {day}"] = f"until {english}"
        entries[day] = english
    for value in range(101):
        entries[number(value).de] = number(value).en
    for index, hour in enumerate(TIMES["hour"]):
        entries[f"um {hour.de} Uhr"] = f"at {hour.en} o'clock"
        entries[f"um halb {number(index + 1).de}"] = f"at half past {TIMES['hour'][index - 1].en}"
    for group in PLACES.values():
        for place in group:
            entries.setdefault(place.at.de, place.at.en)
    for group in NOUNS.values():
        for noun in group:
            for plural in (False, True):
                if noun.plural if plural else noun.singular:
                    phrase = noun_phrase(noun, "der", "nom", plural=plural)
                    entries.setdefault(phrase.de, phrase.en)
    return entries


WORD_LIST = tuple(Pair(*entry) for entry in _entries().items())
BY_HEART = (*EVERYDAY, *WORD_LIST)  # nobody can work these out from other sentences, so none is held out


def word_list(rng: random.Random) -> Pair:
    """der Tisch, die Tische, kaufen, im Januar, bis Freitag."""
    return rng.choice(WORD_LIST)
