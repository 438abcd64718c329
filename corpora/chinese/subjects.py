"""Subjects of sentences: pronouns, names, relatives, people one points at."""

import random

from corpora.chinese.dictionary import KINDS, NAMES, NOUNS, PEOPLE, PRONOUN
from corpora.chinese.lexicon import Person, Phrase
from corpora.chinese.noun_phrases import pointed
from corpora.chinese.phrases import column

ASKED = ("你", "你", "你", "您", "你们", "你们", "他", "她", "他们", "她们")
STATED = column("subjects.stated")
OWNERS = ("我", "我", "你", "他", "她")


HE = ("爸爸", "哥哥", "弟弟", "爷爷", "儿子", "丈夫", "男朋友")
SHE = ("妈妈", "姐姐", "妹妹", "奶奶", "女儿", "妻子", "女朋友")


def is_of(third: str, person: Person) -> bool:
    """Whether 他 or 她 can be this person."""
    return not person.zh.endswith(SHE if third == "他" else HE)


def named(zh: str, en: str, many: bool = False) -> Person:
    """Somebody without a pronoun of their own."""
    return Person(zh, en, en, f"{en}'s", f"{en}'s", many)


def pronoun(rng: random.Random) -> Person:
    """我 and the third persons more often than you."""
    return PRONOUN[rng.choice(STATED)]


def full_name(rng: random.Random) -> Phrase:
    """李月, Li Yue; 王小红, Wang Xiaohong."""
    family, given = rng.choice(NAMES["family"]), rng.choice(NAMES["given"])
    if rng.random() < 0.3:
        first = rng.choice((Phrase("小", "xiao"), Phrase("小", "xiao"), *NAMES["given"]))
        given = Phrase(first.zh + given.zh, first.en + given.en)
    return Phrase(family.zh + given.zh, f"{family.en} {given.en.capitalize()}")


def titled(rng: random.Random) -> Phrase:
    """刘老师, Teacher Liu; 小张, Xiao Zhang."""
    family = rng.choice(NAMES["family"])
    if rng.random() < 0.2:
        return Phrase(f"小{family.zh}", f"Xiao {family.en}")
    title = rng.choice(NAMES["title"])
    return Phrase(family.zh + title.zh, f"{title.en} {family.en}")


def name(rng: random.Random) -> Person:
    """小明, 王老师, or one that is made up: 李月, 刘医生."""
    roll = rng.random()
    if roll < 0.55:
        return rng.choice(PEOPLE["name"])
    return named(*(full_name(rng) if roll < 0.8 else titled(rng)))


def relative(rng: random.Random, owner: Person | None = None) -> Person:
    """我妈妈, 他哥哥, 我的朋友, 我同学."""
    owner = owner or PRONOUN[rng.choice(OWNERS)]
    if rng.random() < 0.7:
        kin = rng.choice([kin for kin in KINDS["relative"] if owner.zh + kin.zh not in ("他丈夫", "她妻子")])
        return named(owner.zh + kin.zh, f"{owner.my} {kin.en}")
    friend = rng.choice(KINDS["friend"])
    return named(f"{owner.zh}{rng.choice(('的', ''))}{friend.zh}", f"{owner.my} {friend.en}")


def pointed_at(rng: random.Random) -> Person:
    """这个学生, 那位老师."""
    person = pointed(rng.choice(NOUNS["people"]), rng.choice("这那"))
    return named(person.zh, person.en)


def anyone(rng: random.Random) -> Person:
    """The subject of a statement."""
    roll = rng.random()
    if roll < 0.56:
        return pronoun(rng)
    if roll < 0.7:
        return name(rng)
    if roll < 0.9:
        return relative(rng)
    return rng.choice(PEOPLE["group"]) if roll < 0.96 else pointed_at(rng)


def other(rng: random.Random) -> Person:
    """Somebody who is not a pronoun."""
    roll = rng.random()
    return name(rng) if roll < 0.35 else relative(rng) if roll < 0.9 else pointed_at(rng)


def single(rng: random.Random) -> Person:
    """One person: no 我们, no 大家."""
    while "们" in (person := anyone(rng)).zh or person.zh == "大家":
        pass
    return person


def asked(rng: random.Random) -> Person:
    """The subject of a question: rarely 我."""
    roll = rng.random()
    if roll < 0.72:
        return PRONOUN[rng.choice(ASKED)]
    return name(rng) if roll < 0.85 else relative(rng, PRONOUN[rng.choice(("你", "你", "他", "她"))])


def any_owner(rng: random.Random) -> Person:
    """Draw an owner: mostly a pronoun."""
    roll = rng.random()
    return pronoun(rng) if roll < 0.65 else name(rng) if roll < 0.85 else relative(rng)


def companion(rng: random.Random, subject: Person) -> Person:
    """With whom or to whom: 小明, 我的朋友, 他; never the subject itself."""
    while True:
        roll = rng.random()
        person = pronoun(rng) if roll < 0.35 else name(rng) if roll < 0.65 else relative(rng)
        same = person.zh == subject.zh or (person.pronoun and subject.pronoun and _group(person) == _group(subject))
        if not same and not (person.zh[0] in "他她" and subject.zh[0] in "他她"):
            return person


def _group(person: Person) -> str:
    return "你" if person.zh == "您" else person.zh[0]
