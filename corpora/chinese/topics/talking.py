"""How sentences are put together in talk: openers, two clauses in one line, short answers, two people at once."""

import random
import re
from typing import Any, NamedTuple

from corpora.chinese.clauses import nearby, past_time, plan_time, planned, present, say, states
from corpora.chinese.dictionary import ACTIVITY, ADJECTIVES, KINDS, NAMES, PEOPLE, PLACES, PRONOUN, TIMES
from corpora.chinese.english import a, ing, join
from corpora.chinese.lexicon import Person, Phrase, phrases
from corpora.chinese.noun_phrases import counted, noun_of
from corpora.chinese.numbers import counting
from corpora.chinese.subjects import HE, SHE, anyone, name, relative
from corpora.chinese.topics import daily, doing, past, people, places, requests, things, time, wanting
from corpora.chinese.topics.fixed import EVERYDAY
from corpora.pairs import Pair

OPENERS = phrases("openers.txt")
FIRST = (
    people.introductions, people.introductions, people.being, people.countries, people.languages, people.professions,
    things.having, things.things_are, things.people_are, things.people_are, doing.statements, doing.negation,
    doing.plan_questions, doing.yes_no_questions, doing.question_words, doing.ongoing, past.past, past.past_negative,
    past.past_questions, past.results, past.moving, time.clock_times, places.where_things_are,
    places.where_people_are, places.directions, wanting.wanting, wanting.wanting_questions, wanting.able,
    wanting.likes, wanting.skills, daily.orders, daily.orders, daily.prices, daily.weather, requests.commands,
)  # fmt: skip
SAID = {pair.source for pair in EVERYDAY}
# English words that are capitals wherever they stand
PROPER = {"I", "Chinese", "English"} | {
    word
    for table in (PEOPLE, PLACES)
    for group in table.values()
    for row in group
    for word in re.findall(r"\b[A-Z][A-Za-z']*", row.en)
}
PROPER |= {row.en.rstrip(".") for group in (NAMES["family"], NAMES["title"], KINDS["given"]) for row in group}
PROPER |= {word for row in (*KINDS["country"], *KINDS["language"]) for word in re.findall(r"[A-Z]\w+", row.en)}


def inner(text: str) -> str:
    """A sentence inside another one: its first letter small, but for I and names."""
    word = re.match(r"[A-Za-z]+('[a-z]+(?=[a-z' ]))?", text)
    first = word[0] if word else ""
    keep = {first, first.removesuffix("'s"), first.partition("'")[0]} & PROPER
    if first.startswith("He") and not re.match("He [A-Z]", text):  # he, not 何
        keep = set()
    return text if keep else text[:1].lower() + text[1:]


def simple(rng: random.Random, end: str) -> Pair:
    """One clause with one of these marks at its end."""
    while True:
        pair = rng.choice(FIRST)(rng)
        if pair.source[-1] in end and "，" not in pair.source and len(pair.source) <= 15:
            return pair


def openers(rng: random.Random) -> Pair:
    """你好，我叫李月。老师，我有一个问题。请问，火车站在哪儿？对不起，我不会说汉语。我要一杯茶，谢谢。"""
    roll = rng.random()
    if roll < 0.1:
        pair, tag = simple(rng, "。"), rng.choice(OPENERS["tag"])
        return Pair(f"{pair.source[:-1]}，{tag.zh}？", f"{pair.target[:-1]}, {tag.en}?")
    if roll < 0.18:
        order = daily.orders(rng)
        while "，" in order.source or order.source[-1] != "。" or order.target.endswith(", please."):
            order = daily.orders(rng)
        return Pair(f"{order.source[:-1]}，谢谢。", f"{order.target[:-1]}, thank you.")
    kind = rng.choice(("any", "any", "answer", "question"))
    opener = rng.choice(OPENERS[kind])
    if kind == "any" and rng.random() < 0.2:
        who = name(rng)
        opener = Phrase(who.zh, who.en)
    while True:
        pair = simple(rng, {"any": "。？", "answer": "。", "question": "？"}[kind])
        if not re.search("[我你您这那哪]|怎么走|多少", pair.source) and rng.random() < 0.9:
            continue  # one speaks of oneself and of whom one speaks to
        denies = bool(re.search("[不没]", pair.source))
        source = f"{opener.zh}，{pair.source}"
        if kind == "answer" and "请" in pair.source:
            continue
        if (opener.zh != "不" or denies) and source not in SAID and opener.zh not in pair.source:
            text = f"{opener.en}, {inner(pair.target)}"
            return Pair(source, text[:1].upper() + text[1:])


class Said(NamedTuple):
    """Statement about somebody: Chinese, the English verb phrase, how it is put and what follows."""

    zh: str
    en: str
    how: dict[str, Any]
    after: str = ""

    def of(self, who: Person) -> str:
        return join(states(who, self.en, **self.how), self.after)

    @property
    def denied(self) -> bool:
        return bool(self.how.get("negative"))


# what goes together in one sentence
GROUPS = (("job", "job", "country", "work", "like"), ("like", "would", "can", "plan"), ("quality",), ("place",))
GROUPS += (("have",), ("done", "done", "plan"), ("job", "work", "have"))


def said(rng: random.Random, kind: str, negative: bool) -> Said:
    no = {"negative": negative}
    if kind == "job":
        word = rng.choice(KINDS["profession"])
        return Said(f"{'不' * negative}是{word.zh}", f"be {a(word.en)}", no)
    if kind == "country":
        row = rng.choice(KINDS["country"])
        return Said(f"{'不' * negative}是{row.zh}人", f"be {row.en.split(' | ')[1]}", no)
    if kind == "quality":
        word = rng.choice((*ADJECTIVES["mood"], *ADJECTIVES["person"]))
        if negative and word.zh == "有名":
            word = ADJECTIVES["mood"][0]
        return Said(f"{'不' if negative else '很'}{word.zh}", f"be {'' if negative else 'very '}{word.en}", no)
    if kind == "place":
        place = rng.choice((*PLACES["public"], *PLACES["room"], *PLACES["home"] * 4))
        return Said(f"{'不' * negative}在{place.zh}", f"be {place.at}", no)
    if kind == "have":
        thing = counted(noun_of(rng, "book", "thing", "machine", "animal", "vehicle"), rng.choice((1, 1, 1, 2, 3)))
        return Said(f"有{thing.zh}", f"have {thing.en}", {})
    if kind == "done":
        act = nearby(rng, "do", "go", "visit") if negative else nearby(rng, "do", "go", "visit", "counted")
        return Said(f"没{act.zh}" if negative else act.done, act.en, {"tense": "past"} | no)
    act = planned(rng, "do", "do", "visit", "go")
    if kind == "plan":
        when = plan_time(rng, act)
        return Said(f"{when.zh}{'不' * negative}{act.zh}", act.en, {"modal": "will"} | no, when.en)
    if kind == "work":
        place = rng.choice([place for place in PLACES["public"] if place.zh not in ("公园", "体育馆")])
        return Said(f"{'不' * negative}在{place.zh}工作", f"work {place.at}", no)
    if kind == "like":
        act = nearby(rng, "do", "do", "visit")
        return Said(f"{'不' * negative}喜欢{act.zh}", f"like {ing(act.en)}", no)
    if kind == "can":
        return Said(f"{'不' * negative}能{act.zh}", act.en, {"modal": "can"} | no)
    if negative:
        return Said(f"不想{act.zh}", f"want to {act.en}", no)
    return Said(f"想{act.zh}", f"like to {act.en}", {"modal": "would"})


ONE = ("我", "我", "我", "他", "她", "你")
SICK = Said("生病了", "be sick", {})
RESTING = (Said("在家", "be at home", {}), Said("在医院", "be in the hospital", {}))
RESTING += (Said("想休息", "like to rest", {"modal": "would"}), Said("想睡觉", "like to sleep", {"modal": "would"}))


def _two(rng: random.Random, *, same: bool) -> tuple[Said, Said]:
    """Two things that one says together, of one kind if they are the `same`."""
    if not same and rng.random() < 0.12:
        kind = rng.choice(("can", "done", "rest"))
        return SICK, said(rng, kind, True) if kind != "rest" else rng.choice(RESTING)
    group = rng.choice(GROUPS)
    kind = rng.choice(group)
    first = said(rng, kind, kind != "have" and rng.random() < 0.3)
    other = kind if same else rng.choice(group)
    while (second := said(rng, other, other != "have" and rng.random() < 0.35)).zh == first.zh:
        pass
    return first, second


def two_clauses(rng: random.Random) -> Pair:
    """我是学生，他是老师。我不是老师，我是学生。她叫王芳，在医院工作。我喜欢看书，但是不喜欢看电视。"""
    roll = rng.random()
    first, second = _two(rng, same=roll < 0.3)
    link = ", " if first.denied else ", and "  # not one, the other; or one and the other
    who = PRONOUN[rng.choice(ONE)]
    if roll < 0.3:  # of two people
        who = who if rng.random() < 0.5 else rng.choice((name, relative))(rng)
        other = PRONOUN[rng.choice(ONE)] if who.pronoun else rng.choice((name, relative))(rng)
        while other.zh == who.zh:
            other = PRONOUN[rng.choice(ONE)]
        return say(f"{who.zh}{first.zh}，{other.zh}{second.zh}", first.of(who) + link + second.of(other))
    if roll < 0.4:  # of one who is named and then called he or she
        who = relative(rng)
        he = who.zh.endswith(HE) if who.zh.endswith((*HE, *SHE)) else rng.random() < 0.5
        other = PRONOUN["他" if he else "她"]
        return say(f"{who.zh}{first.zh}，{other.zh}{second.zh}", f"{first.of(who)}, {second.of(other)}")
    if roll < 0.5 and who.zh != "你":  # names first
        given = name(rng)
        while given.zh.endswith(("老师", "先生", "小姐", "医生")):
            given = name(rng)
        second = said(rng, rng.choice(("job", "country", "work", "like")), False)
        return say(f"{who.zh}叫{given.zh}，{second.zh}", f"{who.my} name is {given.en}, and {second.of(who)}")
    subject = "" if rng.random() < 0.6 else who.zh
    if roll < 0.65 and first.denied != second.denied:
        but = rng.choice(("但是", "但是", "可是"))
        return say(f"{who.zh}{first.zh}，{but}{subject}{second.zh}", f"{first.of(who)}, but {second.of(who)}")
    return say(f"{who.zh}{first.zh}，{subject}{second.zh}", first.of(who) + link + second.of(who))


def short_answers(rng: random.Random) -> Pair:
    """在家。三个苹果。下午五点。明天。坐火车。很贵。我的。"""
    while (pair := _short_answer(rng)).source in SAID:
        pass
    return pair


def _short_answer(rng: random.Random) -> Pair:
    roll = rng.random()
    if roll < 0.2:
        place = rng.choice((*PLACES["public"], *PLACES["room"], *PLACES["city"], *PLACES["home"]))
        return say(f"在{place.zh}", place.at)
    if roll < 0.45:
        noun = noun_of(rng, "book", "fruit", "thing", "drink", "food", "clothes", "animal", "people", "pen", "paper")
        thing = counted(noun, rng.randint(1, 10))
        return say(thing.zh, thing.en)
    if roll < 0.65:
        part = rng.choice([part for part in TIMES["part"] if part.zh in time.PART_HOURS])
        clock = time.at_clock(rng, time.PART_HOURS[part.zh])
        return say(part.zh + clock.zh, f"{clock.en} {part.en}") if rng.random() < 0.6 else say(clock.zh, clock.en)
    if roll < 0.75:
        when = rng.choice([when for key in ("plan", "past", "far", "far_past") for when in TIMES[key]])
        return say(when.zh, when.en)
    if roll < 0.8:
        way = rng.choice(past.WAYS)
        return say(way[0], way[1])
    if roll < 0.85:
        who = name(rng) if rng.random() < 0.5 else PRONOUN[rng.choice("我你他她")]
        return say(f"{who.zh}的", who.mine)
    word = rng.choice([word for key in ("mood", "weather", "thing", "food", "reading") for word in ADJECTIVES[key]])
    chinese, text, no = things.degree(rng, word)
    return say(chinese, f"not {text}" if no else text)


def _both(rng: random.Random) -> Person:
    """我和小明, Xiaoming and I; 你和李月; 小红和我妈妈."""
    one, roll = rng.choice((name, name, relative))(rng), rng.random()
    if roll < 0.6:
        while one.zh.startswith("我") and rng.random() < 0.5:
            one = name(rng)
        return Person(f"我和{one.zh}", f"{one.en} and I", "", "", "", many=True)
    if roll < 0.75:
        return Person(f"你和{one.zh}", f"you and {one.en}", "", "", "", many=True)
    while (other := name(rng)).zh == one.zh:
        pass
    return Person(f"{other.zh}和{one.zh}", f"{other.en} and {one.en}", "", "", "", many=True)


TO_EACH_OTHER = (Phrase("同学", "classmates"), Phrase("好朋友", "good friends"), Phrase("同事", "colleagues"))


def joint_subjects(rng: random.Random) -> Pair:
    """我和小明是同学。你和李小姐是什么时候认识的？爸爸和妈妈明天去北京。"""
    who, roll = _both(rng), rng.random()
    if roll < 0.2:
        word = rng.choice(TO_EACH_OTHER)
        if rng.random() < 0.25 and "我" not in who.zh:
            return say(f"{who.zh}是{word.zh}吗", states(who, f"be {word.en}", question=True), "？")
        no = rng.random() < 0.2
        return say(f"{who.zh}{'不' * no}是{word.zh}", states(who, f"be {word.en}", negative=no))
    if roll < 0.35:
        if rng.random() < 0.5 and "我" not in who.zh:
            how = rng.choice((Phrase("怎么", "how"), Phrase("什么时候", "when")))
            text = f"{how.en} {states(who, 'meet', tense='past', question=True)}"
            return say(f"{who.zh}是{how.zh}认识的", text, "？")
        when = rng.choice((*TIMES["past"], *TIMES["far_past"]))
        return say(f"{who.zh}是{when.zh}认识的", f"{states(who, 'meet', tense='past')} {when.en}")
    act = planned(rng, "do", "visit", "go", "place")
    if roll < 0.5:
        when = plan_time(rng, act)
        return say(f"{who.zh}{when.zh}{act.zh}", f"{states(who, act.en, modal='will')} {when.en}")
    if roll < 0.65:
        when = past_time(rng, act)
        return say(f"{who.zh}{when.zh}{act.done}", f"{states(who, act.en, tense='past')} {when.en}")
    if roll < 0.75:
        act = nearby(rng, "do", "visit")
        return say(f"{who.zh}喜欢{act.zh}", states(who, f"like {ing(act.en)}"))
    if roll < 0.85:
        word = rng.choice((*ADJECTIVES["mood"], *ADJECTIVES["person"]))
        return say(f"{who.zh}都很{word.zh}", states(who, f"be both very {word.en}"))
    return say(f"{who.zh}{act.zh}", present(who, act))


HOURS = (
    ("工作", "", "work"),
    ("学习", "", "study"),
    ("看", "书", "read"),
    ("看", "电视", "watch TV"),
    ("睡", "觉", "sleep"),
    ("睡", "", "sleep"),
    ("学", "汉语", "study Chinese"),
    ("学", "英语", "study English"),
    ("运动", "", "exercise"),
    ("上", "网", "go online"),
    ("听", "音乐", "listen to music"),
)
STAYS = (("天", "day"), ("天", "day"), ("个星期", "week"), ("个月", "month"), ("年", "year"))


def _long(value: int, word: str) -> str:
    return a(word) if value == 1 else f"{counting(value).en} {word}s"


def how_long(rng: random.Random) -> Pair:
    """他每天工作八个小时。你每天睡几个小时？我想在北京住三天。我去过三次。"""
    roll, who = rng.random(), anyone(rng)
    verb, obj, en = rng.choice(HOURS)
    every = rng.choice([time for time in TIMES["habit"] if time.zh.startswith("每")])
    if roll < 0.4:
        value = rng.randint(1, 10)
        text = join(states(who, en), "for", _long(value, "hour"), every.en)
        return say(f"{who.zh}{every.zh}{verb}{counting(value).zh}个小时{obj}", text)
    whom = PRONOUN[rng.choice(("你", "你", "您", "他", "她", "他们"))]
    if roll < 0.55:
        long = rng.choice((Phrase("几个小时", "how many hours"), Phrase("多长时间", "how long")))
        text = f"{long.en} {states(whom, en, question=True)} {every.en}"
        return say(f"{whom.zh}{every.zh}{verb}{long.zh}{obj}", text, "？")
    city, (unit, word), value = rng.choice(PLACES["city"]), rng.choice(STAYS), rng.randint(1, 10)
    if roll < 0.7:
        text = join(states(who, f"like to stay {city.at}", modal="would"), "for", _long(value, word))
        return say(f"{who.zh}想在{city.zh}住{counting(value).zh}{unit}", text)
    if roll < 0.78:
        text = f"how many {word}s {states(whom, f'like to stay {city.at}', modal='would', question=True)}"
        return say(f"{whom.zh}想在{city.zh}住几{unit}", text, "？")
    if roll < 0.9:
        text = join(states(who, f"stay {city.at}", tense="past"), "for", _long(value, word))
        return say(f"{who.zh}在{city.zh}住了{counting(value).zh}{unit}", text)
    times = rng.randint(1, 9)
    often = {1: "once", 2: "twice"}.get(times, f"{counting(times).en} times")
    return say(f"{who.zh}去过{counting(times).zh}次", f"{states(who, 'be there', tense='perfect')} {often}")


HANDS = ("吃饭", "吃早饭", "吃晚饭", "做饭", "喝茶", "喝咖啡", "洗碗", "洗衣服", "打扫房间", "走路", "听音乐", "散步")
EYES = ("看电视", "听音乐", "听歌", "聊天儿", "唱歌", "说话", "看书", "看报纸", "上网")


def while_doing(rng: random.Random) -> Pair:
    """他一边吃饭一边看电视。我喜欢一边听音乐一边看书。"""
    who = anyone(rng)
    first, second = ACTIVITY[rng.choice(HANDS)], ACTIVITY[rng.choice(EYES)]
    while first.verb == second.verb:
        second = ACTIVITY[rng.choice(EYES)]
    chinese = f"一边{first.zh}一边{second.zh}"
    if rng.random() < 0.35:
        return say(f"{who.zh}喜欢{chinese}", states(who, f"like {ing(first.en)} while {ing(second.en)}"))
    return say(f"{who.zh}{chinese}", f"{states(who, first.en)} while {ing(second.en)}")


def older_by(rng: random.Random) -> Pair:
    """他比我大三岁。我妹妹比我小两岁。"""
    first = rng.choice((PRONOUN[rng.choice("我他她你")], name(rng), relative(rng)))
    second = rng.choice((PRONOUN[rng.choice("我他她你")], name(rng), relative(rng)))
    while second.zh == first.zh or second.zh in first.zh:
        second = rng.choice((PRONOUN[rng.choice("我他她你")], name(rng)))
    word = rng.choice((Phrase("大", "older"), Phrase("小", "younger")))
    value = rng.randint(1, 12)
    years = "one year" if value == 1 else f"{counting(value).en} years"
    than = second.en_object if second.pronoun else second.en
    text = states(first, f"be {years} {word.en} than {than}")
    return say(f"{first.zh}比{second.zh}{word.zh}{counting(value).zh}岁", text)
