"""Sentences about wishes and abilities: what one wants, can, may, should and likes to do, and how well one does it."""

import random

from corpora.chinese.clauses import (
    ANY,
    PLAIN,
    action,
    at_home_or_sport,
    plan_time,
    planned,
    say,
    states,
    timed,
    when,
)
from corpora.chinese.dictionary import ACTIVITIES, PLACES
from corpora.chinese.english import ing, join
from corpora.chinese.lexicon import NOTHING, Phrase, sections
from corpora.chinese.noun_phrases import bare, noun_of
from corpora.chinese.subjects import anyone, asked, companion
from corpora.pairs import Pair

DEGREE = sections("degree.txt")
HOW = dict(DEGREE["how"])


def wanting(rng: random.Random) -> Pair:
    """我想喝一杯茶。她要去商店买东西。我不想看电视。明天我要去北京。"""
    who, act, roll = anyone(rng), planned(rng, *ANY), rng.random()
    if roll < 0.45:
        time = plan_time(rng, act) if rng.random() < 0.3 else NOTHING
        text = states(who, f"like to {act.en}", modal="would")
        return timed(who, time, f"想{act.zh}", text, bool(time.zh) and rng.random() < 0.4)
    if roll < 0.65:
        while act.once:
            act = planned(rng, *PLAIN)
        return say(f"{who.zh}不想{act.zh}", states(who, f"want to {act.en}", negative=True))
    if roll < 0.8:
        return say(f"{who.zh}要{act.zh}", states(who, f"want to {act.en}"))
    return timed(who, plan_time(rng, act), f"要{act.zh}", states(who, f"be going to {act.en}"), rng.random() < 0.4)


def wanting_questions(rng: random.Random) -> Pair:
    """你想去哪儿？你想喝什么？他想看电影吗？你要不要喝茶？"""
    who, roll = asked(rng), rng.random()
    if roll < 0.15:
        where = f"where {states(who, 'like to go', modal='would', question=True)}"
        return say(f"{who.zh}想去{rng.choice(('哪儿', '哪里'))}", where, "？")
    if roll < 0.4:
        verb = rng.choice(
            (("吃", "eat"), ("喝", "drink"), ("买", "buy"), ("做", "do"), ("学习", "study"), ("说", "say"))
        )
        time = when(rng, "plan") if verb[0] == "做" and rng.random() < 0.5 else NOTHING
        text = join("what", states(who, f"like to {verb[1]}", modal="would", question=True), time.en)
        return say(f"{who.zh}{time.zh}想{verb[0]}什么", text, "？")
    act = planned(rng, *ANY)
    if roll < 0.85:
        yes = "想不想" if rng.random() < 0.3 else "想"
        text = states(who, f"like to {act.en}", modal="would", question=True)
        return say(f"{who.zh}{yes}{act.zh}{'吗' if yes == '想' else ''}", text, "？")
    return say(f"{who.zh}要不要{act.zh}", states(who, f"want to {act.en}", question=True), "？")


def skills(rng: random.Random) -> Pair:
    """他会游泳。我不会开车。你会不会写汉字？"""
    act, roll = rng.choice(ACTIVITIES["skill"]), rng.random()
    if roll < 0.4:
        who = asked(rng)
        if rng.random() < 0.35:
            return say(f"{who.zh}会不会{act.zh}", states(who, act.en, modal="can", question=True), "？")
        return say(f"{who.zh}会{act.zh}吗", states(who, act.en, modal="can", question=True), "？")
    who, no = anyone(rng), rng.random() < 0.35
    adverb = "也" if rng.random() < 0.2 and not no else ""
    text = states(who, act.en, modal="can", negative=no, adverb="also" if adverb else "")
    return say(f"{who.zh}{adverb}{'不' * no}会{act.zh}", text)


def able(rng: random.Random) -> Pair:
    """我今天不能去学校。你能来吗？我可以看这本书吗？这儿不可以打电话。"""
    act, roll = planned(rng, *PLAIN, "this"), rng.random()
    word = rng.choice(("能", "可以"))
    time = plan_time(rng, act) if rng.random() < 0.4 else Phrase("今天", "today") if rng.random() < 0.25 else NOTHING
    if roll < 0.4:
        who = anyone(rng) if rng.random() < 0.4 else asked(rng)
        text = join(states(who, act.en, modal="can", question=True), time.en)
        if rng.random() < 0.2:
            return say(f"{who.zh}{time.zh}能不能{act.zh}", text, "？")
        return say(f"{who.zh}{time.zh}{word}{act.zh}吗", text, "？")
    who, no = anyone(rng), rng.random() < 0.55
    text = states(who, act.en, modal="can", negative=no)
    return timed(who, time, f"{'不能' if no else word}{act.zh}", text, bool(time.zh) and rng.random() < 0.35)


def should(rng: random.Random) -> Pair:
    """你应该休息。我不应该看电视。你不用去学校。我们应该每天运动。"""
    who, act, roll = anyone(rng), planned(rng, *PLAIN), rng.random()
    if roll < 0.5:
        every = Phrase("每天", "every day") if rng.random() < 0.3 and act.verb != "去" else NOTHING
        return say(f"{who.zh}应该{every.zh}{act.zh}", join(states(who, act.en, modal="should"), every.en))
    if roll < 0.65:
        return say(f"{who.zh}不应该{act.zh}", states(who, act.en, modal="should", negative=True))
    if roll < 0.85:
        time = plan_time(rng, act) if rng.random() < 0.5 else NOTHING
        return say(f"{who.zh}{time.zh}不用{act.zh}", join(states(who, f"have to {act.en}", negative=True), time.en))
    return say(f"{who.zh}必须{act.zh}", states(who, f"have to {act.en}"))


def likes(rng: random.Random) -> Pair:
    """我喜欢看书。你喜欢喝茶吗？他最喜欢的水果是苹果。我妈妈不喜欢猫。他很喜欢北京。"""
    roll, rest = rng.random(), rng.random()
    zh, verb = rng.choice((("喜欢", "like"), ("喜欢", "like"), ("喜欢", "like"), ("爱", "love")))
    if rest < 0.55:
        act = at_home_or_sport(rng) if rest < 0.4 else action(rng, "visit", "place")
        what = Phrase(act.zh, ing(act.en))
    else:
        noun = noun_of(rng, "fruit", "meat", "drink", "animal", "food")
        what = Phrase(bare(noun).zh, bare(noun).en)
        if rest > 0.85:
            place = rng.choice(PLACES["city"])
            what = Phrase(place.zh, place.en)
        elif zh == "爱":
            zh, verb = "喜欢", "like"
    if roll < 0.25:
        who = asked(rng)
        ask = f"{who.zh}喜欢不喜欢{what.zh}" if rng.random() < 0.15 else f"{who.zh}{zh}{what.zh}吗"
        verb = "like" if "不喜欢" in ask else verb
        return say(ask, states(who, f"{verb} {what.en}", question=True), "？")
    who = anyone(rng)
    if roll < 0.4:
        return say(f"{who.zh}不{zh}{what.zh}", states(who, f"{verb} {what.en}", negative=True))
    if roll < 0.55:
        return say(f"{who.zh}最喜欢{what.zh}", states(who, f"like {what.en} best"))
    if roll < 0.68:
        return say(f"{who.zh}{rng.choice(('很', '非常'))}喜欢{what.zh}", states(who, f"like {what.en} very much"))
    if roll < 0.76:
        return say(f"{who.zh}也喜欢{what.zh}", states(who, f"like {what.en}", adverb="also"))
    return say(f"{who.zh}{zh}{what.zh}", states(who, f"{verb} {what.en}"))


def like_questions(rng: random.Random) -> Pair:
    """你喜欢什么颜色？他喜欢吃什么？你最喜欢做什么？你喜欢哪个？"""
    who, roll = asked(rng), rng.random()
    most = "最" if rng.random() < 0.35 else ""
    best = "best" if most else ""
    if roll < 0.5:
        kind = rng.choice(
            (
                ("颜色", "color"),
                ("水果", "fruit"),
                ("动物", "animal"),
                ("运动", "sport"),
                ("电影", "movie"),
                ("音乐", "music"),
                ("菜", "dish"),
            )
        )
        return say(
            f"{who.zh}{most}喜欢什么{kind[0]}", join(f"what {kind[1]} {states(who, 'like', question=True)}", best), "？"
        )
    verb = rng.choice(
        (("吃", "eating"), ("喝", "drinking"), ("做", "doing"), ("看", "looking at"), ("学习", "studying"))
    )
    text = states(who, f"like {verb[1]}", question=True)
    if roll < 0.85:
        return say(f"{who.zh}{most}喜欢{verb[0]}什么", join(f"what {text}", best), "？")
    return say(
        f"{who.zh}{most}喜欢去{rng.choice(('哪儿', '哪里'))}",
        join(f"where {states(who, 'like going', question=True)}", best),
        "？",
    )


def degree(rng: random.Random) -> Pair:
    """他汉语说得很好。我跑得不快。你妈妈做饭做得怎么样？她唱得非常好。"""
    left, right = rng.choice(DEGREE[""])
    obj, verb = left.split("|")
    en, _, words = right.partition(": ")
    how = rng.choice(words.split(", "))
    twice = obj and rng.random() < 0.4
    roll = rng.random()
    who = asked(rng) if roll < 0.3 else anyone(rng)
    start = who.zh + (verb if twice else "") + obj + verb + "得"
    if roll < 0.15 and obj:
        return say(f"{start}怎么样", f"how well {states(who, en, question=True)}", "？")
    adverb = HOW[how]
    if how == "不错":
        return say(f"{start}不错", states(who, f"{en} {adverb}"))
    if roll < 0.3:
        return say(f"{start}{how}吗", states(who, f"{en} {adverb}", question=True), "？")
    kinds = [(f"很{how}", f"very {adverb}", False)] * 3 + [(f"非常{how}", f"extremely {adverb}", False)]
    kinds += [
        (f"不{how}", adverb, True),
        (f"不太{how}", f"very {adverb}", True),
        (f"真{how}", f"really {adverb}", False),
    ]
    kinds += [(f"太{how}了", f"too {adverb}" if how in "快慢多少早晚" else f"so {adverb}", False)]
    zh, text, negative = rng.choice(kinds)
    return say(start + zh, states(who, f"{en} {text}", negative=negative))


def together(rng: random.Random) -> Pair:
    """我跟朋友一起去看电影。你想和我们一起吃饭吗？我们一起学习吧。"""
    who, roll = anyone(rng), rng.random()
    act = planned(rng, "do", "visit", "place", "go")
    other = companion(rng, who)
    word, with_ = rng.choice("跟和"), f"with {other.en_object}"
    if roll < 0.3:
        return say(
            f"{who.zh}{word}{other.zh}一起{act.zh}",
            states(who, f"{act.en} {with_}", tense="progressive" if act.going else "present"),
        )
    if roll < 0.5:
        time = plan_time(rng, act)
        text = f"{states(who, f'{act.en} {with_}', modal='will')}"
        return timed(who, time, f"{word}{other.zh}一起{act.zh}", text, rng.random() < 0.35)
    if roll < 0.7:
        return say(f"{who.zh}想{word}{other.zh}一起{act.zh}", states(who, f"like to {act.en} {with_}", modal="would"))
    if roll < 0.85:
        who = asked(rng)
        other = companion(rng, who)
        text = states(who, f"like to {act.en} with {other.en_object}", modal="would", question=True)
        return say(f"{who.zh}想{word}{other.zh}一起{act.zh}吗", text, "？")
    time = plan_time(rng, act) if rng.random() < 0.5 else NOTHING
    return say(f"{time.zh}我们一起{act.zh}吧", join(f"let's {act.en} together", time.en))


def suggestions(rng: random.Random) -> Pair:
    """我们去公园吧。明天我们去看电影，好吗？我们休息一下吧。"""
    act, roll = planned(rng, *PLAIN, "go"), rng.random()
    time = plan_time(rng, act) if rng.random() < 0.45 else NOTHING
    if roll < 0.5:
        order = time.zh + "我们" if rng.random() < 0.5 else "我们" + time.zh
        return say(f"{order}{act.zh}吧", join(f"let's {act.en}", time.en))
    if roll < 0.85:
        end, order = rng.choice(("好吗", "好不好", "怎么样")), rng.choice((f"我们{time.zh}", f"{time.zh}我们"))
        together_ = rng.random() < 0.35
        text = join(f"shall we {act.en}", "together" * together_, time.en)
        return say(f"{order}{'一起' * together_}{act.zh}，{end}", text, "？")
    once = rng.choice((("休息", "rest"), ("看", "have a look"), ("等", "wait"), ("准备", "get ready")))
    return say(
        f"我们{time.zh}{once[0]}一下吧",
        join(f"let's {once[1]} {'' if once[0] == '看' else 'for a moment'}".strip(), time.en),
    )
