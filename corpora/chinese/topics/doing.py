"""Sentences about doing: habits, plans, what is going on, what is not done, questions about it."""

import random

from corpora.chinese import english
from corpora.chinese.clauses import (
    ANY,
    PLAIN,
    action,
    at_home_or_sport,
    in_place,
    maybe,
    plan_time,
    planned,
    present,
    say,
    states,
    timed,
    when,
    with_this,
)
from corpora.chinese.dictionary import ACTIVITY, OBJECTS, TIMES
from corpora.chinese.english import join
from corpora.chinese.lexicon import NOTHING, Phrase
from corpora.chinese.noun_phrases import bare
from corpora.chinese.subjects import anyone, asked, other
from corpora.chinese.topics.time import at_clock
from corpora.pairs import Pair


def habits(rng: random.Random) -> Pair:
    """我每天看书。每个星期六我们去公园跑步。他不看电视。"""
    who, act = anyone(rng), action(rng, *PLAIN)
    if act.verb == "去":
        act = at_home_or_sport(rng)
    time = when(rng, "habit", doing=act.zh)
    every = time.zh.startswith("每")
    negative = not every and rng.random() < 0.3
    text = states(who, act.en, negative=negative)
    before = "不" if negative else "都" if every and rng.random() < 0.3 else ""
    return timed(who, time, before + act.zh, text, rng.random() < 0.35)


def often(rng: random.Random) -> Pair:
    """我常常在公园跑步。他有时候去商店买东西。"""
    who, act, adverb = anyone(rng), action(rng, *PLAIN), rng.choice(TIMES["often"])
    time = maybe(rng, 0.2, "part", doing=act.zh)
    text = states(who, act.en, adverb=adverb.en)
    return say(who.zh + time.zh + adverb.zh + act.zh, join(text, time.en))


def plans(rng: random.Random) -> Pair:
    """我明天去北京。星期六他们去看电影。我明天不去学校。"""
    who, act = anyone(rng), planned(rng, *ANY, "go", "visit")
    negative = not act.once and rng.random() < 0.15
    time = plan_time(rng, act)
    text = states(who, act.en, modal="will", negative=negative)
    return timed(who, time, "不" * negative + act.zh, text, rng.random() < 0.35)


def plan_questions(rng: random.Random) -> Pair:
    """你明天去北京吗？明天你们做什么？你什么时候回家？"""
    who, act, roll = asked(rng), planned(rng, *PLAIN, "go"), rng.random()
    time = plan_time(rng, act)
    if roll < 0.6:
        text = states(who, act.en, modal="will", question=True)
        order = time.zh + who.zh if rng.random() < 0.3 else who.zh + time.zh
        return say(f"{order}{act.zh}吗", join(text, time.en), "？")
    if roll < 0.75:
        text = states(who, "do", modal="will", question=True)
        order = time.zh + who.zh if rng.random() < 0.3 else who.zh + time.zh
        return say(f"{order}做什么", f"what {text} {time.en}", "？")
    text = states(who, act.en, modal="will", question=True)
    return say(f"{who.zh}什么时候{act.zh}", f"when {text}", "？")


# when one does it: part of the day, hours
HOURS: dict[str, dict[str, tuple[int, ...]]] = {
    "起床": {"早上": (5, 6, 7, 8, 9)},
    "吃早饭": {"早上": (6, 7, 8, 9)},
    "上班": {"早上": (7, 8, 9), "上午": (9, 10)},
    "上学": {"早上": (7, 8)},
    "上课": {"上午": (8, 9, 10, 11), "下午": (1, 2, 3)},
    "开会": {"上午": (9, 10, 11), "下午": (2, 3, 4)},
    "吃午饭": {"中午": (11, 12, 1)},
    "下课": {"中午": (11, 12), "下午": (3, 4, 5)},
    "下班": {"下午": (4, 5, 6)},
    "回家": {"下午": (4, 5, 6), "晚上": (7, 8, 9, 10)},
    "吃晚饭": {"晚上": (6, 7, 8)},
    "睡觉": {"晚上": (9, 10, 11, 12)},
    "跑步": {"早上": (6, 7, 8), "下午": (4, 5, 6)},
    "看电视": {"晚上": (7, 8, 9)},
}


def daily_times(rng: random.Random) -> Pair:
    """我早上七点起床。你几点上班？"""
    doing, parts = rng.choice([(ACTIVITY[zh], parts) for zh, parts in HOURS.items()])
    part_name = rng.choice(tuple(parts))
    part = next(part for part in TIMES["part"] if part.zh == part_name) if rng.random() < 0.5 else NOTHING
    if rng.random() < 0.3:
        who = asked(rng)
        text = states(who, doing.en, question=True)
        return say(f"{who.zh}{part.zh}几点{doing.zh}", join("what time", text, part.en), "？")
    who, clock = anyone(rng), at_clock(rng, parts[part_name])
    every = Phrase("每天", "every day") if not part.zh and rng.random() < 0.4 else Phrase("", "")
    text = join(states(who, doing.en), clock.en, part.en, every.en)
    return say(who.zh + every.zh + part.zh + clock.zh + doing.zh, text)


def ongoing(rng: random.Random) -> Pair:
    """他在看书。妈妈正在做饭。我没在睡觉。"""
    who, act = anyone(rng), at_home_or_sport(rng)
    if rng.random() < 0.3:
        act = with_this(rng)
        while act.verb in ("喜欢", "认识", "买", "卖", "穿"):
            act = with_this(rng)
    roll = rng.random()
    if rng.random() < 0.12:
        act = in_place(rng)
        return say(f"{who.zh}{act.zh}呢", states(who, act.en, tense="progressive"))
    if roll < 0.15:
        return say(f"{who.zh}没在{act.zh}", states(who, act.en, tense="progressive", negative=True))
    marks = ("在", "") if roll < 0.5 else ("正在", "") if roll < 0.8 else ("在", "呢")
    now = Phrase("现在", "now") if rng.random() < 0.15 and marks[0] == "在" else Phrase("", "")
    text = states(who, act.en, tense="progressive")
    return say(who.zh + now.zh + marks[0] + act.zh + marks[1], join(text, now.en))


def ongoing_questions(rng: random.Random) -> Pair:
    """你在做什么？他在看电视吗？谁在唱歌？"""
    who, act, roll = asked(rng), at_home_or_sport(rng), rng.random()
    if roll < 0.25:
        now = rng.choice((Phrase("", ""), Phrase("", ""), Phrase("现在", "now")))
        what = rng.choice(("做什么", "做什么", "干什么"))
        text = join("what", states(who, "do", tense="progressive", question=True), now.en)
        return say(f"{who.zh}{now.zh}{rng.choice(('在', '正在'))}{what}", text, "？")
    if roll < 0.4:
        return say(f"谁在{act.zh}", f"who is {english.ing(act.en)}", "？")
    text = states(who, act.en, tense="progressive", question=True)
    return say(f"{who.zh}{rng.choice(('在', '在', '正在'))}{act.zh}吗", text, "？")


def negation(rng: random.Random) -> Pair:
    """我不看电视。他不喝咖啡。她不在公司工作。"""
    who = anyone(rng)
    if rng.random() < 0.4:
        verb_and_things = rng.choice([row for row in OBJECTS["counted"] if row[0].zh in ("吃", "喝", "写", "卖")])
        thing = bare(rng.choice(verb_and_things[1]))
        return say(
            f"{who.zh}不{verb_and_things[0].zh}{thing.zh}",
            states(who, f"{verb_and_things[0].en} {thing.en}", negative=True),
        )
    act = action(rng, "do", "do", "place", "go", "visit")
    return say(f"{who.zh}不{act.zh}", present(who, act, negative=True))


BARE = ("买", "吃", "喝", "写", "学", "听", "卖", "做", "画", "借")  # whose bare object English has in the plural


def statements(rng: random.Random) -> Pair:
    """我看书。他们吃苹果。我妈妈在医院工作。"""
    who = anyone(rng)
    if rng.random() < 0.5:
        verb, nouns = rng.choice([row for row in OBJECTS["counted"] if row[0].zh in BARE])
        thing = bare(rng.choice(nouns))
        return say(who.zh + verb.zh + thing.zh, states(who, f"{verb.en} {thing.en}"))
    act = action(rng, "do", "place", "place", "visit", "go")
    return say(who.zh + act.zh, present(who, act))


def yes_no_questions(rng: random.Random) -> Pair:
    """你喝茶吗？他看不看书？你们去不去公园？"""
    who, roll = asked(rng), rng.random()
    if roll < 0.35:
        verb, nouns = rng.choice([row for row in OBJECTS["counted"] if row[0].zh in ("吃", "喝", "写", "买", "卖")])
        thing = bare(rng.choice(nouns))
        chinese = f"{verb.zh}不{verb.zh}{thing.zh}" if rng.random() < 0.4 else f"{verb.zh}{thing.zh}吗"
        return say(who.zh + chinese, states(who, f"{verb.en} {thing.en}", question=True), "？")
    act = action(rng, *PLAIN)
    if roll < 0.5 and not act.before and len(act.verb) == 1:
        return say(f"{who.zh}{act.verb}不{act.verb}{act.obj}", present(who, act, question=True), "？")
    return say(f"{who.zh}{act.zh}吗", present(who, act, question=True), "？")


def question_words(rng: random.Random) -> Pair:
    """你学习什么？他在哪儿工作？你为什么不吃饭？谁会来？你去哪儿？"""
    who, roll = asked(rng), rng.random()
    if roll < 0.3:
        verb = rng.choice(("吃", "喝", "买", "看", "写", "做", "学习", "听", "卖", "画", "找", "想要"))
        english_verb = {
            "吃": "eat",
            "喝": "drink",
            "买": "buy",
            "看": "look at",
            "写": "write",
            "做": "do",
            "学习": "study",
            "听": "listen to",
            "卖": "sell",
            "画": "draw",
            "找": "look for",
            "想要": "want",
        }[verb]
        return say(f"{who.zh}{verb}什么", f"what {states(who, english_verb, question=True)}", "？")
    if roll < 0.55:
        act = action(rng, "do")
        word = rng.choice(("哪儿", "哪里"))
        return say(f"{who.zh}在{word}{act.zh}", f"where {states(who, act.en, question=True)}", "？")
    if roll < 0.65:
        return say(
            f"{who.zh}去{rng.choice(('哪儿', '哪里'))}",
            f"where {states(who, 'go', tense='progressive', question=True)}",
            "？",
        )
    act, negative = action(rng, *PLAIN, "this"), rng.random() < 0.5
    text = present(who, act, question=True, negative=negative)
    return say(f"{who.zh}为什么{'不' * negative}{act.zh}", f"why {text}", "？")


def who_does(rng: random.Random) -> Pair:
    """谁看电视？谁去北京？谁不吃羊肉？"""
    roll = rng.random()
    if roll < 0.5:
        act = action(rng, *PLAIN, "this")
        return say(f"谁{act.zh}", f"who {'is ' + english.ing(act.en) if act.going else english.third(act.en)}", "？")
    act = planned(rng, "do", "go", "visit", "this")
    if roll < 0.75:
        return say(f"谁想{act.zh}", f"who would like to {act.en}", "？")
    person = other(rng)
    return say(f"{person.zh}跟谁一起{act.zh}", f"who {present(person, act, question=True)} with", "？")
