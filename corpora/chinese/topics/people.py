"""Sentences about people: names, professions, countries, languages, family, age."""

import random

from corpora.chinese.clauses import say, states
from corpora.chinese.dictionary import KINDS, NAMES, NOUNS, PLACE, PRONOUN
from corpora.chinese.english import a, join
from corpora.chinese.lexicon import Person, Phrase
from corpora.chinese.numbers import counting, number
from corpora.chinese.phrases import pairs
from corpora.chinese.subjects import (
    HE,
    any_owner,
    anyone,
    asked,
    full_name,
    is_of,
    named,
    other,
    relative,
    single,
)
from corpora.pairs import Pair

WORKPLACE = pairs("people.workplace")


MEN = ("李明", "大卫", "汤姆", "王小明")
AGES: dict[tuple[str, ...], tuple[int, int]] = {
    ("爷爷", "奶奶"): (60, 90),
    ("爸爸", "妈妈"): (30, 60),
    ("儿子", "女儿"): (1, 25),
    ("丈夫", "妻子"): (22, 70),
}
AGES |= {("孩子",): (1, 12), ("老师", "医生", "先生", "司机", "同事"): (23, 60), ("人",): (18, 70)}


def _plural(who: Person, word: Phrase) -> str:
    """a teacher, or teachers of we and they; of 你们 nothing else tells that they are many."""
    many = who.zh in ("我们", "你们", "他们", "她们", "大家", "孩子们", "学生们")
    return f"{word.en}s" if many and who.zh != "大家" else a(word.en)


def being(rng: random.Random) -> Pair:
    """我是学生。她不是老师。你是医生吗？他们都是学生。你是不是大学生？"""
    word, roll = rng.choice(KINDS["profession"]), rng.random()
    who = asked(rng) if roll < 0.35 else anyone(rng)
    while who.zh == "大家" or who.zh in ("老师", "医生", "服务员"):
        who = anyone(rng)
    rest = f"be {_plural(who, word)}"
    if roll < 0.2:
        return say(f"{who.zh}是{word.zh}吗", states(who, rest, question=True), "？")
    if roll < 0.35:
        return say(f"{who.zh}是不是{word.zh}", states(who, rest, question=True), "？")
    if roll < 0.5:
        return say(f"{who.zh}不是{word.zh}", states(who, rest, negative=True))
    if roll < 0.65:
        return say(f"{who.zh}也是{word.zh}", states(who, rest, adverb="also"))
    if rest.endswith("s") and roll < 0.8:
        return say(f"{who.zh}都是{word.zh}", states(who, rest, adverb="all"))
    return say(f"{who.zh}是{word.zh}", states(who, rest))


def professions(rng: random.Random) -> Pair:
    """你做什么工作？我爸爸是医生，他在医院工作。她想当老师。"""
    roll, who = rng.random(), single(rng)
    if roll < 0.15:
        who = asked(rng)
        return say(f"{who.zh}做什么工作", f"what job {states(who, 'do', question=True)}", "？")
    word = rng.choice(KINDS["profession"])
    if roll < 0.45:
        return say(f"{who.zh}想当{word.zh}", states(who, f"like to be {a(word.en)}", modal="would"))
    if roll < 0.6:
        no = rng.random() < 0.5
        who = asked(rng) if not no else who
        if no:
            return say(f"{who.zh}不想当{word.zh}", states(who, f"want to be {a(word.en)}", negative=True))
        return say(
            f"{who.zh}想当{word.zh}吗",
            states(who, f"like to be {_plural(who, word)}", modal="would", question=True),
            "？",
        )
    zh = rng.choice(tuple(WORKPLACE))
    word = next(word for word in KINDS["profession"] if word.zh == zh)
    place = PLACE[WORKPLACE[zh]]
    third = rng.choice(("他", "她"))
    who = named(*_kin(rng, third))
    return say(
        f"{who.zh}是{word.zh}，{third}在{place.zh}工作",
        f"{who.en} is {a(word.en)}, {PRONOUN[third].en} works {place.at}",
    )


def _kin(rng: random.Random, third: str) -> tuple[str, str]:
    his = third == "他"
    kin = [k for k in KINDS["relative"] if (k.zh in HE) == his]
    owner, word = PRONOUN[rng.choice(("我", "我", "你", "他", "她"))], rng.choice(kin)
    return owner.zh + word.zh, f"{owner.my} {word.en}"


def introductions(rng: random.Random) -> Pair:
    """你叫什么名字？我叫大卫。她姓王。我来介绍一下，这是我的朋友。"""
    roll = rng.random()
    if roll < 0.15:
        who = asked(rng)
        while who.zh in ("你们", "他们", "她们", "我们"):
            who = asked(rng)
        return say(f"{who.zh}叫什么名字", f"what is {who.my} name", "？")
    given, surname = rng.choice(KINDS["given"]), rng.choice(NAMES["family"])
    who = PRONOUN[rng.choice("我我他她你")]
    while (who.zh == "他" and given.zh not in MEN) or (who.zh == "她" and given.zh in MEN):
        given = rng.choice(KINDS["given"])
    if rng.random() < 0.5:
        given = full_name(rng)
    if rng.random() < 0.5:
        owner = PRONOUN[rng.choice("我我他她你")]
        friend = rng.choice([kin for kin in KINDS["friend"] if kin.zh[0] not in "男女"])
        who = named(f"{owner.zh}的{friend.zh}", f"{owner.my} {friend.en}")
    if roll < 0.45:
        return say(f"{who.zh}叫{given.zh}", f"{who.my} name is {given.en}")
    if roll < 0.6:
        return say(f"{who.zh}姓{surname.zh}", f"{who.my} last name is {surname.en}")
    full = [name for name in KINDS["given"] if name.zh[0] == surname.zh and (who.zh != "他" or name.zh in MEN)]
    if roll < 0.7 and full and who.zh != "她":
        name = rng.choice(full)
        text = f"{who.my} last name is {surname.en}, {who.my} name is {name.en}"
        return say(f"{who.zh}姓{surname.zh}，叫{name.zh}", text)
    if roll < 0.8:
        return say(f"{who.zh}不叫{given.zh}", f"{who.my} name isn't {given.en}")
    if roll < 0.9:
        return say(f"{who.zh}是叫{given.zh}吗", f"is {who.my} name {given.en}", "？")
    friend_ = relative(rng)
    return say(f"我来介绍一下，这是{friend_.zh}", f"let me introduce you, this is {friend_.en}")


def countries(rng: random.Random) -> Pair:
    """我是中国人。你是哪国人？他不是美国人。你是英国人吗？她从法国来。"""
    roll, row = rng.random(), rng.choice(KINDS["country"])
    country, adjective = row.en.split(" | ")
    who = asked(rng) if roll < 0.35 else anyone(rng)
    while who.zh in ("大家", "你妈妈"):
        who = anyone(rng)
    if roll < 0.12:
        ask = rng.choice((f"{who.zh}是哪国人", f"{who.zh}是哪国人", f"{who.zh}从哪儿来"))
        return say(
            ask,
            f"where {states(who, 'be', question=True)} from"
            if "哪国" in ask
            else f"where {states(who, 'come', question=True)} from",
            "？",
        )
    if roll < 0.35:
        mark = rng.random() < 0.6
        chinese = f"{who.zh}是{row.zh}人吗" if mark else f"{who.zh}是不是{row.zh}人"
        return say(chinese, states(who, f"be {adjective}", question=True), "？")
    if roll < 0.5:
        return say(f"{who.zh}不是{row.zh}人", states(who, f"be {adjective}", negative=True))
    if roll < 0.65:
        return say(f"{who.zh}从{row.zh}来", states(who, f"come from {country}"))
    if roll < 0.75:
        city = rng.choice(KINDS["citizen"])
        return say(f"{who.zh}是{city.zh}人", states(who, f"be {city.en}"))
    adverb = rng.choice(("", "", "也"))
    return say(f"{who.zh}{adverb}是{row.zh}人", states(who, f"be {adjective}", adverb="also" if adverb else ""))


def languages(rng: random.Random) -> Pair:
    """我会说汉语。你会说英语吗？他在学法语。她会说一点儿日语。你们学什么语言？"""
    roll, language = rng.random(), rng.choice(KINDS["language"])
    if roll < 0.3:
        who = asked(rng)
        return say(
            f"{who.zh}会说{language.zh}吗", states(who, f"speak {language.en}", modal="can", question=True), "？"
        )
    who = anyone(rng)
    if roll < 0.45:
        return say(f"{who.zh}会说一点儿{language.zh}", states(who, f"speak a little {language.en}", modal="can"))
    if roll < 0.55:
        return say(f"{who.zh}不会说{language.zh}", states(who, f"speak {language.en}", modal="can", negative=True))
    if roll < 0.7:
        return say(f"{who.zh}在学{language.zh}", states(who, f"study {language.en}", tense="progressive"))
    if roll < 0.8:
        return say(f"{who.zh}想学{language.zh}", states(who, f"like to study {language.en}", modal="would"))
    second = rng.choice([x for x in KINDS["language"] if x != language])
    if roll < 0.9:
        return say(
            f"{who.zh}会说{language.zh}和{second.zh}", states(who, f"speak {language.en} and {second.en}", modal="can")
        )
    return say(
        f"{who.zh}会说{language.zh}，不会说{second.zh}",
        f"{states(who, f'speak {language.en}', modal='can')}, but not {second.en}",
    )


def family(rng: random.Random) -> Pair:
    """我家有四口人。你家有几口人？我有一个哥哥。她没有妹妹。他有孩子吗？"""
    roll, owner = rng.random(), any_owner(rng)
    if roll < 0.1:
        owner = PRONOUN[rng.choice(("你", "您", "他", "她", "你们"))]
        return say(f"{owner.zh}家有几口人", f"how many people are there in {owner.my} family", "？")
    if roll < 0.25:
        value = counting(rng.randint(3, 8))
        return say(f"{owner.zh}家有{value.zh}口人", f"there are {value.en} people in {owner.my} family")
    who = anyone(rng)
    while who.zh == "大家" or "们" in who.zh:
        who = anyone(rng)
    kin = rng.choice((*KINDS["sibling"], *KINDS["child"]))
    many = {"child": "children"}.get(kin.en, f"{kin.en}s")
    if roll < 0.45:
        value = rng.choice((1, 1, 1, 2, 2, 3))
        return say(
            f"{who.zh}有{counting(value).zh}个{kin.zh}",
            states(who, f"have {a(kin.en) if value == 1 else f'{counting(value).en} {many}'}"),
        )
    if roll < 0.6:
        two = rng.choice([k for k in KINDS["sibling"] if k != kin])
        return say(f"{who.zh}有一个{kin.zh}和一个{two.zh}", states(who, f"have {a(kin.en)} and {a(two.en)}"))
    if roll < 0.75:
        return say(
            f"{who.zh}没有{kin.zh}",
            states(who, f"have {a(kin.en) if kin.en != 'child' else 'children'}", negative=True),
        )
    who = asked(rng)
    if roll < 0.87:
        ask = f"{who.zh}有没有{kin.zh}" if rng.random() < 0.4 else f"{who.zh}有{kin.zh}吗"
        return say(ask, states(who, f"have {a(kin.en) if kin.en != 'child' else 'children'}", question=True), "？")
    return say(f"{who.zh}有几个{kin.zh}", f"how many {many} {states(who, 'have', question=True)}", "？")


def ages(rng: random.Random) -> Pair:
    """你多大？我二十岁。他今年五岁。你儿子几岁了？她不是八岁。"""
    roll = rng.random()
    who = single(rng)
    while who.zh in ("老师", "医生", "服务员", "妈妈", "爸爸"):
        who = single(rng)
    this_year = Phrase("今年", "this year") if rng.random() < 0.35 else Phrase("", "")
    if roll < 0.15:
        who = asked(rng)
        return say(f"{who.zh}{this_year.zh}多大", join("how old", states(who, "be", question=True), this_year.en), "？")
    if roll < 0.25:
        owner, kin = PRONOUN[rng.choice(("你", "他", "她"))], rng.choice(KINDS["child"])
        return say(f"{owner.zh}{kin.zh}{this_year.zh}几岁", join(f"how old is {owner.my} {kin.en}", this_year.en), "？")
    value = rng.randint(*next((span for ends, span in AGES.items() if who.zh.endswith(ends)), (6, 50)))
    age = number(value)
    if value == 2:
        age = counting(2)
    if roll < 0.4:
        return say(
            f"{who.zh}不是{age.zh}岁",
            states(who, f"be {age.en} years old" if value > 1 else "be one year old", negative=True),
        )
    text = states(who, f"be {age.en} years old" if value > 1 else "be one year old")
    return say(f"{who.zh}{this_year.zh}{age.zh}岁", join(text, this_year.en))


def who_is(rng: random.Random) -> Pair:
    """他是谁？这是我的朋友。那个人是谁？他是我哥哥。这是谁的书？"""
    roll = rng.random()
    if roll < 0.15:
        who = rng.choice((named("这", "this"), named("那", "that"), *(PRONOUN[w] for w in ("你", "他", "她", "他们"))))
        return say(f"{who.zh}是谁", f"who {states(who, 'be', question=True)}", "？")
    if roll < 0.25:
        noun = rng.choice(NOUNS["people"])
        word = rng.choice("这那")
        return say(f"{word}{noun.measure}{noun.zh}是谁", f"who is {'this' if word == '这' else 'that'} {noun.en}", "？")
    person = other(rng)
    while person.zh[0] in "这那":
        person = other(rng)
    if roll < 0.5:
        word = rng.choice((("这", "this is"), ("那", "that's")))
        return say(f"{word[0]}是{person.zh}", f"{word[1]} {person.en}")
    third = PRONOUN[rng.choice(("他", "她"))]
    if roll < 0.8:
        while not is_of(third.zh, kin := relative(rng)):
            pass
        no = rng.random() < 0.3
        return say(f"{third.zh}{'不' * no}是{kin.zh}", states(third, f"be {kin.en}", negative=no))
    if roll < 0.9:
        while not is_of(third.zh, kin := relative(rng, PRONOUN["你"])):
            pass
        return say(f"{third.zh}是{kin.zh}吗", states(third, f"be {kin.en}", question=True), "？")
    noun = rng.choice(NOUNS["people"])
    word = rng.choice("这那")
    return say(
        f"{word}{noun.measure}{noun.zh}是{person.zh}", f"{'this' if word == '这' else 'that'} {noun.en} is {person.en}"
    )
