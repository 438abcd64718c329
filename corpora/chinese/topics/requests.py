"""Themes of asking somebody for something, and of telling people to do or not to do it."""

import random

from corpora.chinese.clauses import action, nearby, planned, say, states, when
from corpora.chinese.dictionary import PRONOUN
from corpora.chinese.english import join
from corpora.chinese.lexicon import NOTHING, Phrase
from corpora.chinese.subjects import anyone, companion
from corpora.pairs import Pair


def asking(rng: random.Random) -> Pair:
    """妈妈让我买水果。老师叫我们写汉字。他请我吃饭。他不让我看电视。"""
    who, act, roll = anyone(rng), planned(rng, "do", "visit", "go", "this"), rng.random()
    other = companion(rng, who)
    to = other.en_object
    if roll < 0.4:
        return say(f"{who.zh}让{other.zh}{act.zh}", states(who, f"ask {to} to {act.en}"))
    if roll < 0.6:
        return say(f"{who.zh}叫{other.zh}{act.zh}", states(who, f"tell {to} to {act.en}"))
    if roll < 0.75:
        return say(f"{who.zh}不让{other.zh}{act.zh}", states(who, f"let {to} {act.en}", negative=True))
    meal = rng.choice(
        (("吃饭", "to a meal"), ("看电影", "to a movie"), ("喝咖啡", "for a coffee"), ("吃晚饭", "to dinner"))
    )
    if roll < 0.88:
        time = when(rng, "plan")
        return say(
            f"{who.zh}{time.zh}请{other.zh}{meal[0]}",
            f"{states(who, f'invite {to} {meal[1]}', modal='will')} {time.en}",
        )
    return say(f"{who.zh}想请{other.zh}{meal[0]}", states(who, f"like to invite {to} {meal[1]}", modal="would"))


ORDERED = tuple(
    Phrase(*row)
    for row in (
        ("坐", "sit down"),
        ("进", "come in"),
        ("说汉语", "speak Chinese"),
        ("再说一遍", "say it again"),
        ("等一下", "wait a moment"),
        ("等我一下", "wait for me a moment"),
        ("喝茶", "drink some tea"),
        ("慢一点儿说", "speak more slowly"),
        ("开门", "open the door"),
        ("关门", "close the door"),
        ("开窗户", "open the window"),
        ("告诉我你的名字", "tell me your name"),
        ("告诉我你的电话", "tell me your phone number"),
        ("给我打电话", "call me"),
        ("帮我一下", "help me for a moment"),
        ("帮助我", "help me"),
        ("看黑板", "look at the blackboard"),
        ("听我说", "listen to me"),
        ("跟我来", "come with me"),
        ("跟我读", "read after me"),
        ("回答我的问题", "answer my question"),
        ("写你的名字", "write your name"),
        ("早点儿回来", "come back early"),
        ("快点儿", "hurry up"),
    )
)
FORBIDDEN = tuple(
    Phrase(*row)
    for row in (
        ("说话", "talk"),
        ("哭", "cry"),
        ("笑", "laugh"),
        ("走", "leave"),
        ("忘了带书", "forget to bring the book"),
        ("忘了我", "forget me"),
        ("着急", "worry"),
        ("生气", "be angry"),
        ("迟到", "be late"),
        ("喝酒", "drink alcohol"),
        ("抽烟", "smoke"),
        ("吃太多", "eat too much"),
        ("告诉他", "tell him"),
        ("告诉她", "tell her"),
        ("开门", "open the door"),
        ("关门", "close the door"),
        ("害怕", "be afraid"),
    )
)


def commands(rng: random.Random) -> Pair:
    """请坐。请再说一遍。别说话！不要在教室里吃饭。请不要抽烟。"""
    roll = rng.random()
    if roll < 0.2:
        what = rng.choice(ORDERED)
        return say(f"请{what.zh}", f"please {what.en}")
    if roll < 0.35:
        what = rng.choice(FORBIDDEN)
        mark = rng.choice("。！")
        please = rng.random() < 0.4
        if what.zh in ("说话", "哭", "笑", "着急", "生气", "喝酒", "抽烟") and rng.random() < 0.3:
            return say(f"别{what.zh}了", f"don't {what.en} anymore", mark)
        return say(
            f"{'请' * please}{rng.choice(('别', '不要'))}{what.zh}", f"{'please ' * please}don't {what.en}", mark
        )
    act = nearby(rng, "this", "do", "place", "visit")
    if roll < 0.6:
        time = when(rng, "plan") if rng.random() < 0.3 else NOTHING
        please = rng.random() < 0.4
        no = rng.choice(("别", "不要"))
        return say(
            f"{'请' * please}{time.zh}{no}{act.zh}",
            join("please" * please, f"don't {act.en}", time.en),
            rng.choice("。！"),
        )
    if roll < 0.8:
        act = nearby(rng, "this", "visit", "counted")
        time = when(rng, "plan", doing=act.zh) if rng.random() < 0.3 else NOTHING
        return say(f"请{time.zh}{act.zh}", join("please", act.en, time.en))
    me = rng.choice(("我", "我", "我们", "他", "她"))
    verb = action(rng, "this", "counted")
    while verb.verb not in ("买", "找", "洗", "拿", "写", "画"):
        verb = action(rng, "this", "counted")
    return say(f"请帮{me}{verb.zh}", f"please help {PRONOUN[me].en_object} {verb.en}")
