"""Themes that compare: taller than, the tallest, favourites."""

import random

from corpora.chinese import english
from corpora.chinese.clauses import say, states
from corpora.chinese.dictionary import ADJECTIVES, PEOPLE, PRONOUN
from corpora.chinese.lexicon import Person, Phrase
from corpora.chinese.noun_phrases import Things, noun_of, owned, pointed
from corpora.chinese.subjects import any_owner, named, single
from corpora.chinese.topics.things import OWNED, fitting
from corpora.pairs import Pair

COMPARED = ("高", "矮", "胖", "瘦", "漂亮", "聪明", "年轻", "忙", "累", "高兴", "认真", "努力")


def comparing(rng: random.Random) -> Pair:
    """哥哥比弟弟高。这本书比那本书贵。今天比昨天冷。我没有他高。他跟我一样大。"""
    roll = rng.random()
    first: Person | Things
    second: Person | Things
    if roll < 0.5:
        first, second = single(rng), single(rng)
        while first.zh == second.zh or {first.zh, second.zh} == {"你", "您"}:
            second = single(rng)
        word = rng.choice([w for w in (*ADJECTIVES["person"], *ADJECTIVES["mood"]) if w.zh in COMPARED])
        than = second.en_object if second.pronoun else second.en
    elif roll < 0.8:
        noun = noun_of(rng, "book", "clothes", "machine", "thing", "vehicle", "room", "fruit", "furniture")
        word = fitting(rng, noun)
        pair = ("这", "那") if rng.random() < 0.7 else ("那", "这")
        first, second = (pointed(noun, p) for p in pair)
        if rng.random() < 0.3 and noun.section in OWNED:
            owners = rng.sample(PEOPLE["pronoun"], 2)
            first, second = owned(noun, owners[0]), owned(noun, owners[1])
            if {owners[0].zh, owners[1].zh} <= {"你", "您", "你们"} or owners[0].my == owners[1].my:
                second = owned(noun, PRONOUN["我"])
        than = second.en
    else:
        first, second, word = rng.choice(
            [
                (named(x[0], x[1]), named(y[0], y[1]), w)
                for x, y in (
                    (("今天", "today"), ("昨天", "yesterday")),
                    (("昨天", "yesterday"), ("今天", "today")),
                    (("北京", "Beijing"), ("上海", "Shanghai")),
                    (("上海", "Shanghai"), ("北京", "Beijing")),
                    (("这儿", "here"), ("那儿", "there")),
                )
                for w in (Phrase("冷", "cold"), Phrase("热", "hot"))
            ]
        )
        if first.zh == "这儿":
            return say(f"这儿比那儿{word.zh}", f"it's {english.comparative(word.en)} here than there")
        if first.zh in ("今天", "昨天"):
            was = "it's" if first.zh == "今天" else "it was"
            return say(
                f"{first.zh}比{second.zh}{word.zh}", f"{was} {english.comparative(word.en)} {first.en} than {second.en}"
            )
        than = second.en
    kind = rng.random()
    if kind < 0.5:
        more = rng.choice((("", ""), ("", ""), ("", ""), ("一点儿", "a bit "), ("多了", "much ")))
        return say(
            f"{first.zh}比{second.zh}{word.zh}{more[0]}",
            states(first, f"be {more[1]}{english.comparative(word.en)} than {than}"),
        )
    if kind < 0.65:
        return say(
            f"{first.zh}比{second.zh}{word.zh}吗",
            states(first, f"be {english.comparative(word.en)} than {than}", question=True),
            "？",
        )
    if kind < 0.82:
        return say(f"{first.zh}没有{second.zh}{word.zh}", states(first, f"be as {word.en} as {than}", negative=True))
    return say(f"{first.zh}{rng.choice('跟和')}{second.zh}一样{word.zh}", states(first, f"be as {word.en} as {than}"))


FAVORITES = {
    "运动": ("sport", (("踢足球", "playing football"), ("打篮球", "playing basketball"), ("游泳", "swimming"))),
    "颜色": ("color", (("红色", "red"), ("蓝色", "blue"), ("白色", "white"), ("黑色", "black"), ("绿色", "green"))),
    "水果": ("fruit", (("苹果", "the apple"), ("西瓜", "the watermelon"), ("香蕉", "the banana"))),
    "动物": ("animal", (("猫", "the cat"), ("狗", "the dog"), ("鸟", "the bird"))),
    "城市": ("city", (("北京", "Beijing"), ("上海", "Shanghai"), ("西安", "Xi'an"))),
}


def favorite(rng: random.Random) -> Pair:
    """我最喜欢的运动是踢足球。他最喜欢的颜色是什么？"""
    kind, owner = rng.choice(tuple(FAVORITES)), any_owner(rng)
    en, answers = FAVORITES[kind]
    if rng.random() < 0.3:
        return say(f"{owner.zh}最喜欢的{kind}是什么", f"what is {owner.my} favorite {en}", "？")
    zh, answer = rng.choice(answers)
    return say(f"{owner.zh}最喜欢的{kind}是{zh}", f"{owner.my} favorite {en} is {answer}")


def superlatives(rng: random.Random) -> Pair:
    """他最高。这本书最便宜。谁最高？我最喜欢的运动是踢足球。哪件衣服最贵？"""
    roll = rng.random()
    if rng.random() < 0.15:
        return favorite(rng)
    if roll < 0.4:
        who, word = single(rng), rng.choice(ADJECTIVES["person"])
        return say(f"{who.zh}最{word.zh}", states(who, f"be the {english.superlative(word.en)}"))
    if roll < 0.45:
        word = rng.choice((*ADJECTIVES["person"], *ADJECTIVES["mood"]))
        return say(f"谁最{word.zh}", f"who is the {english.superlative(word.en)}", "？")
    noun = noun_of(
        rng, "book", "clothes", "machine", "thing", "vehicle", "room", "fruit", "furniture", "place", "animal"
    )
    word = fitting(rng, noun)
    if roll < 0.6:
        return say(
            f"哪{noun.measure}{noun.zh}最{word.zh}",
            f"which {noun.unit or noun.en} is the {english.superlative(word.en)}",
            "？",
        )
    what = pointed(noun, rng.choice("这那"))
    return say(f"{what.zh}最{word.zh}", states(what, f"be the {english.superlative(word.en)}"))
