"""Sentences about the past: 了, 没, 过, 已经, 还没, and how it came: 是……的."""

import random

from corpora.chinese import english
from corpora.chinese.clauses import (
    PLAIN,
    Action,
    action,
    at_home_or_sport,
    past_time,
    planned,
    say,
    states,
    timed,
    when,
)
from corpora.chinese.dictionary import PLACE, PRONOUN
from corpora.chinese.english import join
from corpora.chinese.lexicon import NOTHING, phrases
from corpora.chinese.numbers import counting
from corpora.chinese.subjects import anyone, asked, other
from corpora.pairs import Pair

MOVING = phrases("moving.txt")
EXPERIENCE = tuple((row.zh.split("|"), row.en) for row in MOVING["experience"])
HERE = ("来", "去")


def past(rng: random.Random) -> Pair:
    """昨天我买了三本书。他去北京了。我看电视了。"""
    who, act = anyone(rng), planned(rng, "do", "go", "visit", "counted", "counted", "counted")
    text = states(who, act.en, tense="past")
    if rng.random() < 0.75:
        return timed(who, past_time(rng, act), act.done, text, rng.random() < 0.4)
    return say(who.zh + act.done, text)


def past_negative(rng: random.Random) -> Pair:
    """我昨天没看电视。他没去学校。我没买那本书。"""
    who, act = anyone(rng), planned(rng, *PLAIN, "this")
    time = past_time(rng, act) if rng.random() < 0.6 else NOTHING
    no = rng.choice(("没", "没", "没有"))
    return timed(
        who, time, no + act.zh, states(who, act.en, tense="past", negative=True), bool(time.zh) and rng.random() < 0.3
    )


def past_questions(rng: random.Random) -> Pair:
    """你昨天看电视了吗？你买了什么？他去哪儿了？你吃饭了没有？"""
    who, roll = asked(rng), rng.random()
    act = planned(rng, "do", "do", "go", "visit", "this")
    time = past_time(rng, act) if rng.random() < 0.6 else NOTHING
    if roll < 0.6:
        mark = "了没有" if rng.random() < 0.2 else "了吗"
        text = states(who, act.en, tense="past", question=True)
        return say(f"{who.zh}{time.zh}{act.zh}{mark}", join(text, time.en), "？")
    if roll < 0.8:
        verb = {"买": "buy", "吃": "eat", "喝": "drink", "做": "do", "看": "look at", "写": "write", "说": "say"}
        zh, en = rng.choice([*verb.items()])
        text = states(who, en, tense="past", question=True)
        return say(f"{who.zh}{time.zh}{zh}了什么", join("what", text, time.en), "？")
    if roll < 0.9:
        text = states(who, "go", tense="past", question=True)
        return say(f"{who.zh}{time.zh}去哪儿了", join("where", text, time.en), "？")
    text = states(who, act.en, tense="past", question=True, negative=True)
    return say(f"{who.zh}{time.zh}为什么没{act.zh}", join("why", text, time.en), "？")


def already(rng: random.Random) -> Pair:
    """他已经走了。我已经做完作业了。她还没起床。你还没吃饭吗？"""
    act = at_home_or_sport(rng) if rng.random() < 0.5 else action(rng, "visit", "go")
    if rng.random() < 0.25:
        move = rng.choice(MOVING["moving"])
        act = Action("", move.zh, "", move.en)
    roll = rng.random()
    if roll < 0.45:
        who = anyone(rng)
        return say(f"{who.zh}已经{act.zh}了", states(who, act.en, tense="perfect", adverb="already"))
    if roll < 0.85:
        who = anyone(rng)
        end = rng.choice(("", "", "呢"))
        return say(f"{who.zh}还没{act.zh}{end}", f"{states(who, act.en, tense='perfect', negative=True)} yet")
    who = asked(rng)
    return say(f"{who.zh}已经{act.zh}了吗", states(who, act.en, tense="perfect", question=True, adverb="already"), "？")


def experience(rng: random.Random) -> Pair:
    """我去过北京。你吃过饺子吗？他没坐过飞机。我去过两次上海。"""
    (verb, obj), en = rng.choice(EXPERIENCE)
    roll = rng.random()
    if roll < 0.3:
        who = asked(rng)
        if rng.random() < 0.3:
            return say(f"{who.zh}{verb}{obj}没有", states(who, en, tense="perfect", question=True, adverb="ever"), "？")
        return say(f"{who.zh}{verb}{obj}吗", states(who, en, tense="perfect", question=True, adverb="ever"), "？")
    who = anyone(rng)
    if obj[0] == who.zh[0] and obj[0] in "他她":
        who = other(rng) if who.pronoun else who
    if roll < 0.5:
        no = rng.choice(("没", "没有", "从来没"))
        return say(f"{who.zh}{no}{verb}{obj}", states(who, en, tense="perfect", adverb="never"))
    if roll < 0.65 and obj not in ("他", "她", "这儿", "雪"):
        times = rng.randint(1, 5)
        often = {1: "once", 2: "twice"}.get(times, f"{counting(times).en} times")
        return say(f"{who.zh}{verb}{counting(times).zh}次{obj}", f"{states(who, en, tense='perfect')} {often}")
    return say(f"{who.zh}{verb}{obj}", f"{states(who, en, tense='perfect')} before")


WAYS = (("坐火车", "by train"), ("坐飞机", "by plane"), ("坐出租车", "by taxi"), ("坐公共汽车", "by bus"))
WAYS += (("骑自行车", "by bicycle"), ("开车", "by car"), ("坐地铁", "by subway"), ("走路", "on foot"))


CAME = tuple((f"来{PLACE[zh].zh}", f"come {PLACE[zh].to}") for zh in ("中国", "北京", "学校", "公司", "饭店", "上海"))
CAME += tuple((f"去{PLACE[zh].zh}", f"go {PLACE[zh].to}") for zh in ("机场", "火车站", "北京", "医院"))


def is_de(rng: random.Random) -> Pair:
    """我是坐火车来的。你是什么时候来的？这件衣服是昨天买的。"""
    roll = rng.random()
    verb, en = rng.choice((("来", "come"), ("去", "go"), ("回来", "come back"), ("回家", "go home"), *CAME))
    if roll < 0.35:
        who, way = anyone(rng), rng.choice(WAYS)
        no = rng.random() < 0.15
        text = f"{states(who, en, tense='past', negative=no)} {way[1]}"
        return say(f"{who.zh}{'不' * no}是{way[0]}{verb}的", text)
    if roll < 0.6:
        who, time = anyone(rng), when(rng, "past")
        return say(f"{who.zh}是{time.zh}{verb}的", f"{states(who, en, tense='past')} {time.en}")
    who = asked(rng)
    if rng.random() < 0.2:
        return _met(rng)
    if roll < 0.75:
        return say(f"{who.zh}是怎么{verb}的", f"how {states(who, en, tense='past', question=True)}", "？")
    if roll < 0.9:
        return say(f"{who.zh}是什么时候{verb}的", f"when {states(who, en, tense='past', question=True)}", "？")
    return say(f"{who.zh}是跟谁一起{verb}的", f"who {states(who, en, tense='past', question=True)} with", "？")


def _met(rng: random.Random) -> Pair:
    """你们是怎么认识的？我们是去年认识的。"""
    who, roll = PRONOUN[rng.choice(("你们", "我们", "他们", "她们"))], rng.random()
    if roll < 0.25:
        return say(f"{who.zh}是怎么认识的", f"how {states(who, 'meet', tense='past', question=True)}", "？")
    if roll < 0.5:
        return say(f"{who.zh}是什么时候认识的", f"when {states(who, 'meet', tense='past', question=True)}", "？")
    time = when(rng, "past", "far_past", "far_past")
    return say(f"{who.zh}是{time.zh}认识的", f"{states(who, 'meet', tense='past')} {time.en}")


def results(rng: random.Random) -> Pair:
    """我看见他的狗了。你听懂老师的话了吗？他没找到我的钥匙。作业做完了吗？"""
    row = rng.choice(MOVING["result"])
    en, _, objects = row.en.partition(": ")
    thing = rng.choice(objects.split(", "))
    text = dict(MOVING["said"])[thing]
    english_verb = f"{en} {text}"
    if en.endswith("correctly"):
        english_verb = f"write {text} {en.split()[1]}"
    roll = rng.random()
    who = asked(rng) if roll < 0.35 else anyone(rng)
    if roll < 0.35:
        return say(f"{who.zh}{row.zh}{thing}了吗", states(who, english_verb, tense="past", question=True), "？")
    if roll < 0.6:
        return say(f"{who.zh}没{row.zh}{thing}", states(who, english_verb, tense="past", negative=True))
    time = when(rng, "past") if rng.random() < 0.3 else NOTHING
    if not time.zh and who.pronoun and rng.random() < 0.4:
        return say(f"{thing}{who.zh}{row.zh}了", states(who, english_verb, tense="past"))
    return say(f"{who.zh}{time.zh}{row.zh}{thing}了", join(states(who, english_verb, tense="past"), time.en))


def moving(rng: random.Random) -> Pair:
    """他回来了。你什么时候回来？请进来！他们出去了吗？"""
    move, roll = rng.choice(MOVING["moving"]), rng.random()
    if roll < 0.3:
        who, time = anyone(rng), when(rng, "past") if rng.random() < 0.5 else NOTHING
        return say(f"{who.zh}{time.zh}{move.zh}了", join(states(who, move.en, tense="past"), time.en))
    if roll < 0.5:
        who, time = anyone(rng), when(rng, "plan")
        return timed(who, time, move.zh, states(who, move.en, modal="will"), rng.random() < 0.3)
    if roll < 0.7:
        who = asked(rng)
        if rng.random() < 0.25:
            return say(f"{who.zh}什么时候能{move.zh}", f"when {states(who, move.en, modal='can', question=True)}", "？")
        return say(f"{who.zh}什么时候{move.zh}", f"when {states(who, move.en, modal='will', question=True)}", "？")
    if roll < 0.85:
        who = asked(rng)
        return say(f"{who.zh}{move.zh}了吗", states(who, move.en, tense="past", question=True), "？")
    who = anyone(rng)
    return say(f"{who.zh}没{move.zh}", states(who, move.en, tense="past", negative=True))


LASTING = (
    ("学", "汉语", "study Chinese", "years"),
    ("学", "英语", "study English", "years"),
    ("看", "书", "read", "hours"),
    ("看", "电视", "watch TV", "hours"),
    ("跑", "步", "run", "minutes"),
    ("游", "泳", "swim", "hours"),
    ("睡", "觉", "sleep", "hours"),
    ("坐", "火车", "take the train", "hours"),
    ("上", "课", "have class", "hours"),
    ("等", "", "wait", "minutes"),
    ("工作", "", "work", "years"),
    ("休息", "", "rest", "days"),
    ("打", "篮球", "play basketball", "hours"),
)
UNITS = {"years": ("年", "year"), "hours": ("个小时", "hour"), "minutes": ("分钟", "minute"), "days": ("天", "day")}


def lasting(rng: random.Random) -> Pair:
    """我学了两年汉语。他睡了八个小时。你学了多长时间汉语？"""
    verb, obj, en, unit = rng.choice(LASTING)
    measure, word = UNITS[unit]
    if rng.random() < 0.2:
        who = asked(rng)
        text = states(who, en, tense="past", question=True)
        return say(f"{who.zh}{verb}了多长时间{obj}", f"how long {text}", "？")
    who = anyone(rng)
    value = rng.choice((5, 10, 15, 20, 30, 40)) if unit == "minutes" else rng.randint(1, 10)
    text = f"{english.a(word) if value == 1 else counting(value).en + ' ' + word + 's'}"
    time = when(rng, "past") if unit in ("hours", "minutes") and rng.random() < 0.4 else NOTHING
    chinese = f"{who.zh}{time.zh}{verb}了{counting(value).zh}{measure}{obj}"
    return say(chinese, join(states(who, en, tense="past"), "for", text, time.en))
