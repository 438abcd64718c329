"""Noun phrases: counted, pointed at, owned; the measure word is the noun's own."""

import random
from typing import NamedTuple

from corpora.chinese.dictionary import NOUNS
from corpora.chinese.english import a
from corpora.chinese.lexicon import Noun, Person, Phrase
from corpora.chinese.numbers import counting


class Things(NamedTuple):
    """A noun phrase; `many` is said of the English verb."""

    zh: str
    en: str
    many: bool = False


def counted(noun: Noun, value: int, adjective: Phrase | None = None) -> Things:
    """一本书, a book; 三杯水, three glasses of water; 两本新书, two new books."""
    quality, of = (adjective.en + " ", adjective.zh) if adjective else ("", "")
    many, one = noun.unit_many or noun.en_many, noun.unit or noun.en
    english = a(quality + one) if value == 1 else f"{counting(value).en} {quality}{many}"
    return Things(counting(value).zh + noun.measure + of + noun.zh, english, value > 1)


def bare(noun: Noun) -> Things:
    """书, books; 水, water."""
    return Things(noun.zh, noun.en_many, noun.counted or noun.always_plural)


def the(noun: Noun) -> Things:
    """书, the book; 鞋, the shoes."""
    return Things(noun.zh, f"the {noun.en}", noun.always_plural)


def pointed(noun: Noun, word: str = "这") -> Things:
    """这本书, this book; 那双鞋, that pair of shoes."""
    return Things(f"{word}{noun.measure}{noun.zh}", f"{'this' if word == '这' else 'that'} {noun.unit or noun.en}")


def several(noun: Noun, word: str = "这") -> Things:
    """这些书, these books; 那些水果, that fruit."""
    many = noun.counted or noun.always_plural
    english = {("这", True): "these", ("那", True): "those", ("这", False): "this", ("那", False): "that"}[word, many]
    return Things(f"{word}些{noun.zh}", f"{english} {noun.en_many}", many)


def owned(noun: Noun, owner: Person) -> Things:
    """我的书, my book; 小明的衣服, Xiaoming's clothes."""
    return Things(f"{owner.zh}的{noun.zh}", f"{owner.my} {noun.en}", noun.always_plural)


def noun_of(rng: random.Random, *kinds: str) -> Noun:
    """Any noun of some sections."""
    return rng.choice([noun for kind in kinds for noun in NOUNS[kind]])
