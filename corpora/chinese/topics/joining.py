"""Longer sentences and small words: because, although, if, also, all, again, still, thinking and knowing."""

import random

from corpora.chinese.clauses import (
    PLAIN,
    Action,
    at_home_or_sport,
    nearby,
    plan_time,
    planned,
    present,
    say,
    states,
)
from corpora.chinese.dictionary import ADJECTIVES, OBJECTS, PLACE, PRONOUN, TIMES, WHERE
from corpora.chinese.english import join
from corpora.chinese.lexicon import NOTHING, Person, Phrase, phrases
from corpora.chinese.noun_phrases import noun_of, pointed
from corpora.chinese.subjects import anyone, asked, companion, pronoun
from corpora.chinese.topics.things import FITTING
from corpora.pairs import Pair

LINKS = phrases("links.txt")
AT_HOME = tuple(Action("在家", doing.verb, doing.obj, f"{doing.en} at home") for doing in WHERE[PLACE["家"]])
AT_HOME += (Action("", "回", "家", "go home"),)
SOON = (NOTHING, *(time for time in TIMES["plan"] if time.zh in ("明天", "后天", "星期六", "今天晚上", "这个周末")))


def _half(who: Person, phrase: str) -> str:
    """The English of half a sentence: can't go, didn't eat, !have time."""
    if phrase.startswith("!"):
        return states(who, phrase[1:], negative=True)
    first, _, rest = phrase.partition(" ")
    if first in ("can't", "didn't", "bought"):
        return f"{who.en} {phrase}"
    if first == "would":
        return states(who, rest, modal="would")
    return states(who, phrase)


def because(rng: random.Random) -> Pair:
    """因为我很忙，所以不能去。因为天气很冷，所以我们在家休息。我没去，因为我很累。"""
    who, roll = pronoun(rng), rng.random()
    so = rng.choice(LINKS["so"])
    act = nearby(rng, *PLAIN)
    if rng.random() < 0.5:
        so = rng.choice(
            (
                Phrase(f"不想{act.zh}", f"!want to {act.en}"),
                Phrase(f"不能{act.zh}", f"can't {act.en}"),
                Phrase(f"没{act.zh}", f"didn't {act.en}"),
            )
        )
    cause = rng.choice(LINKS["because"])
    if roll < 0.35:
        return say(f"因为{who.zh}{cause.zh}，所以{so.zh}", f"because {_half(who, cause.en)}, {_half(who, so.en)}")
    if roll < 0.65:
        return say(f"{who.zh}{so.zh}，因为{who.zh}{cause.zh}", f"{_half(who, so.en)} because {_half(who, cause.en)}")
    reason, so = rng.choice(LINKS["cause"]), rng.choice(LINKS["stay"])
    who = anyone(rng)
    if rng.random() < 0.4:
        act = nearby(rng, "go", "visit")
        so = rng.choice((Phrase(f"不想{act.zh}", f"!want to {act.en}"), Phrase(f"没{act.zh}", f"didn't {act.en}")))
    return say(f"因为{reason.zh}，所以{who.zh}{so.zh}", f"because {reason.en}, {_half(who, so.en)}")


def although(rng: random.Random) -> Pair:
    """虽然汉语很难，但是我喜欢学汉语。虽然我很累，但是我想看书。"""
    who = anyone(rng)
    but = rng.choice(("但是", "但是", "可是"))
    if rng.random() < 0.4:
        row = rng.choice(LINKS["although"])
        first_en, second = row.en.split(" | ")
        first, second_zh = row.zh.split(" | ")
        return say(f"虽然{first}，{but}{who.zh}{second_zh}", f"although {first_en}, {_half(who, second)}")
    who = pronoun(rng)
    cause = rng.choice([row for row in LINKS["because"] if row.zh not in ("没有钱", "要上班", "要上课", "要考试")])
    act = nearby(rng, *PLAIN)
    kind = rng.choice(
        (
            ("想", f"would like to {act.en}"),
            ("要", f"want to {act.en}"),
            ("还是", f"still {act.en}"),
            ("不想", f"!want to {act.en}"),
        )
    )
    if kind[0] == "还是":
        return say(
            f"虽然{who.zh}{cause.zh}，{but}还是想{act.zh}",
            f"although {_half(who, cause.en)}, {states(who, f'like to {act.en}', modal='would', adverb='still')}",
        )
    if kind[0] == "不想" and "没有" in cause.zh:
        kind = ("想", f"would like to {act.en}")
    return say(
        f"虽然{who.zh}{cause.zh}，{but}{kind[0]}{act.zh}", f"although {_half(who, cause.en)}, {_half(who, kind[1])}"
    )


def conditions(rng: random.Random) -> Pair:
    """如果明天下雨，我就不去公园。要是你有时间，你就去看电影。如果我很累，我就不做饭。"""
    who, word = anyone(rng), rng.choice(("如果", "如果", "要是"))
    if rng.random() < 0.55:
        time, condition = rng.choice(SOON), rng.choice(LINKS["weather_if"])
        fine = condition.zh == "天气好"
        first = Phrase(time.zh + condition.zh, join(condition.en, time.en))
    else:
        who, fine = pronoun(rng), rng.random() < 0.5
        having = rng.choice(LINKS["free" if fine else "busy"])
        first = Phrase(who.zh + having.zh, _half(who, having.en))
    # fine: one goes out; else one stays at home, or does not go
    stays = not fine and rng.random() < 0.4
    act = rng.choice(AT_HOME) if stays else nearby(rng, "go", "visit", "visit") if not fine else nearby(rng, *PLAIN)
    no = not fine and not stays
    text = states(who, act.en, modal="will", negative=no)
    return say(f"{word}{first.zh}，{who.zh}就{'不' * no}{act.zh}", f"if {first.en}, {text}")


def also_all(rng: random.Random) -> Pair:
    """我也喜欢看书。我们都去公园。他也不看电视。我们都会游泳。"""
    roll = rng.random()
    act = planned(rng, "do", "do", "place", "visit")
    if roll < 0.45:
        who = anyone(rng)
        like = rng.random() < 0.4
        if rng.random() < 0.2:
            act = at_home_or_sport(rng)
            return say(f"{who.zh}也在{act.zh}", states(who, act.en, tense="progressive", adverb="also"))
        if like:
            return say(f"{who.zh}也想{act.zh}", states(who, f"like to {act.en}", modal="would", adverb="also"))
        return say(f"{who.zh}也{act.zh}", present(who, act, adverb="also"))
    if roll < 0.55:
        who = anyone(rng)
        return say(f"{who.zh}也不{act.zh}", f"{present(who, act, negative=True)} either")
    if roll < 0.65:
        who = anyone(rng)
        time = plan_time(rng, act)
        return say(f"{who.zh}{time.zh}也{act.zh}", f"{states(who, act.en, modal='will', adverb='also')} {time.en}")
    who = PRONOUN[rng.choice(("我们", "我们", "他们", "她们", "你们"))]
    if roll < 0.85:
        return say(f"{who.zh}都{act.zh}", present(who, act, adverb="all"))
    word = rng.choice((*ADJECTIVES["mood"], *ADJECTIVES["person"]))
    return say(f"{who.zh}都很{word.zh}", states(who, f"be very {word.en}", adverb="all"))


def again_still(rng: random.Random) -> Pair:
    """他又来了。我还在学习。明天再去吧。他还喜欢看电影。你还想吃什么？"""
    roll, act = rng.random(), at_home_or_sport(rng) if rng.random() < 0.6 else planned(rng, "visit", "go")
    if roll < 0.3:
        who = anyone(rng)
        return say(f"{who.zh}又{act.zh}了", f"{states(who, act.en, tense='past')} again")
    if roll < 0.5:
        who, act = anyone(rng), at_home_or_sport(rng)
        return say(f"{who.zh}还在{act.zh}", states(who, act.en, tense="progressive", adverb="still"))
    if roll < 0.7:
        who = anyone(rng)
        return say(
            f"{who.zh}想再{act.zh}一次" if not act.before else f"{who.zh}想再{act.zh}",
            f"{states(who, f'like to {act.en}', modal='would')} again",
        )
    if roll < 0.85:
        who, time = anyone(rng), plan_time(rng, act)
        return say(f"{who.zh}{time.zh}再{act.zh}", f"{states(who, act.en, modal='will')} again {time.en}")
    who, row = asked(rng), rng.choice((("吃", "eat"), ("喝", "drink"), ("买", "buy"), ("做", "do"), ("说", "say")))
    return say(
        f"{who.zh}还想{row[0]}什么", f"what else {states(who, f'like to {row[1]}', modal='would', question=True)}", "？"
    )


def thinking(rng: random.Random) -> Pair:
    """我觉得汉语很难。你觉得这本书怎么样？他认为北京很漂亮。我希望明天不下雨。"""
    who, roll, opinion = anyone(rng), rng.random(), rng.choice(LINKS["opinion"])
    if roll < 0.4:
        return say(f"{who.zh}觉得{opinion.zh}", states(who, f"think {opinion.en}"))
    if roll < 0.5:
        who = asked(rng)
        return say(f"{who.zh}觉得{opinion.zh}吗", states(who, f"think {opinion.en}", question=True), "？")
    if roll < 0.65:
        who = asked(rng)
        what = pointed(noun_of(rng, *FITTING), rng.choice("这那"))
        return say(f"{who.zh}觉得{what.zh}怎么样", f"what {states(who, f'think of {what.en}', question=True)}", "？")
    act, other = planned(rng, "do", "go", "visit"), pronoun(rng)
    time = plan_time(rng, act) if rng.random() < 0.3 else NOTHING
    if roll < 0.85:
        return say(
            f"{who.zh}希望{other.zh}{time.zh}{act.zh}", join(states(who, f"hope {other.en} will {act.en}"), time.en)
        )
    return say(f"{who.zh}觉得{other.zh}应该{act.zh}", states(who, f"think {other.en} should {act.en}"))


def knowing(rng: random.Random) -> Pair:
    """我知道他是老师。你知道火车站在哪儿吗？我不知道他叫什么名字。请告诉我现在几点。"""
    fact, roll = rng.choice(LINKS["fact"]), rng.random()
    if roll < 0.35:
        who = asked(rng)
        return say(f"{who.zh}知道{fact.zh}吗", states(who, f"know {fact.en}", question=True), "？")
    question_word = any(w in fact.zh for w in ("哪", "什么", "怎么", "几", "多少", "谁"))
    who = anyone(rng)
    if (roll < 0.65 and question_word) or roll < 0.45:
        return say(f"{who.zh}不知道{fact.zh}", states(who, f"know {fact.en}", negative=True))
    if roll < 0.85:
        return say(f"{who.zh}知道{fact.zh}", states(who, f"know {fact.en}"))
    if not question_word:
        return say(f"{who.zh}知道{fact.zh}", states(who, f"know {fact.en}"))
    me = PRONOUN[rng.choice(("我", "我们", "他", "她"))]
    return say(f"请告诉{me.zh}{fact.zh}", f"please tell {me.en_object} {fact.en}")


def changes(rng: random.Random) -> Pair:
    """我饿了。天气冷了。我不想去了。他会说汉语了。"""
    roll, who = rng.random(), anyone(rng)
    if roll < 0.3:
        word = rng.choice([w for w in ADJECTIVES["mood"] if w.zh in ("饿", "渴", "累", "困", "生气", "着急")])
        if rng.random() < 0.3:
            who = asked(rng)
            return say(f"{who.zh}{word.zh}了吗", states(who, f"be {word.en}", question=True), "？")
        return say(f"{who.zh}{word.zh}了", states(who, f"be {word.en}"))
    if roll < 0.5:
        topic = rng.choice(
            (
                ("天气", "the weather", ("冷", "热")),
                ("苹果", "apples", ("贵", "便宜")),
                ("衣服", "clothes", ("贵", "便宜")),
                ("票", "tickets", ("贵", "便宜")),
                ("汉语", "Chinese", ("难", "容易")),
                ("孩子", "the child", ("高", "胖")),
            )
        )
        word = rng.choice(topic[2])
        en = {
            "冷": "colder",
            "热": "hotter",
            "贵": "more expensive",
            "便宜": "cheaper",
            "难": "more difficult",
            "容易": "easier",
            "高": "taller",
            "胖": "fatter",
        }[word]
        has = "have" if topic[1].endswith("s") else "has"
        return say(f"{topic[0]}{word}了", f"{topic[1]} {has} become {en}")
    act = planned(rng, *PLAIN)
    if roll < 0.75:
        return say(f"{who.zh}不想{act.zh}了", f"{states(who, f'want to {act.en}', negative=True)} anymore")
    if roll < 0.9:
        return say(f"{who.zh}不{act.zh}了", f"{present(who, act, negative=True)} anymore")
    return say(f"{who.zh}不能{act.zh}了", f"{states(who, act.en, modal='can', negative=True)} anymore")


def relative_clauses(rng: random.Random) -> Pair:
    """这是我买的书。我妈妈做的菜很好吃。他写的字很漂亮。"""
    who = anyone(rng)
    verb, nouns = rng.choice([row for row in OBJECTS["counted"] if row[0].zh in ("买", "写", "画", "借", "做", "带")])
    noun = rng.choice(nouns)
    roll = rng.random()
    text = f"the {noun.en} {states(who, verb.en, tense='past')}"
    chinese = f"{who.zh}{verb.zh}的{noun.zh}"
    if noun.always_plural or roll < 0.4:
        word = rng.choice((("这", "this is", "these are"), ("那", "that's", "those are")))
        return say(f"{word[0]}是{chinese}", f"{word[2 if noun.always_plural else 1]} {text}")
    if roll < 0.7:
        other = companion(rng, who)
        return say(f"{other.zh}喜欢{chinese}", states(other, f"like {text}"))
    quality = {
        "买": (("很贵", "very expensive"), ("很便宜", "very cheap"), ("很好", "very good")),
        "写": (("很好看", "very good-looking"), ("很漂亮", "very pretty"), ("不对", "not correct")),
    }
    zh, en = rng.choice(quality.get(verb.zh, (("很好", "very good"), ("很大", "very big"))))
    is_ = "isn't" if en.startswith("not ") else "is"
    return say(f"{chinese}{zh}", f"{text} {is_} {en.removeprefix('not ')}")
