"""Sentences learned by heart: everyday sentences, and the entries of a word list."""

import random

from corpora.chinese.dictionary import ACTIVITIES, ADJECTIVES, KINDS, NOUN, PLACES, TIMES
from corpora.chinese.english import a
from corpora.chinese.lexicon import phrases
from corpora.chinese.numbers import number
from corpora.pairs import Pair

EVERYDAY = tuple(Pair(*row) for row in phrases("everyday.txt")["everyday"])
ENTRIES = phrases("entries.txt")["phrase"]


def everyday_sentences(rng: random.Random) -> Pair:
    """你好！没关系。认识你很高兴。"""
    return rng.choice(EVERYDAY)


def _entries() -> dict[str, str]:
    """Every entry once; a word with two readings keeps the one that comes first."""
    entries: dict[str, str] = dict(ENTRIES)
    for noun in NOUN.values():
        entries.setdefault(noun.zh, noun.en)
        entries.setdefault(f"一{noun.measure}{noun.zh}", a(noun.unit or noun.en))
    for group in ADJECTIVES.values():
        for word in group:
            entries.setdefault(word.zh, word.en)
    for activities in ACTIVITIES.values():
        for activity in activities:
            entries.setdefault(activity.zh, f"to {activity.en}")
    for group in TIMES.values():
        for time in group:
            entries.setdefault(time.zh, time.en)
    for places in PLACES.values():
        for place in places:
            entries.setdefault(place.zh, place.en.removeprefix("the "))
            entries.setdefault(f"在{place.zh}", place.at)
    for key in ("relative", "friend", "profession", "language"):
        for kin in KINDS[key]:
            entries.setdefault(kin.zh, kin.en)
    for value in (*range(101), *range(200, 1000, 100)):
        entries[number(value).zh] = number(value).en
    return entries


WORD_LIST = tuple(Pair(*entry) for entry in _entries().items())
BY_HEART = (*EVERYDAY, *WORD_LIST)


def word_list(rng: random.Random) -> Pair:
    """苹果, 看书, 二十一, 在学校."""
    return rng.choice(WORD_LIST)
