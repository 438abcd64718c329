"""Sentences whose marks say something: quotes, titles, lists, half stops, brackets, what is left open, forms."""

import random

from corpora.chinese.clauses import say, states
from corpora.chinese.dictionary import ACTIVITIES, ADJECTIVES, KINDS, NAMES, NOUNS, PLACES, PRONOUN
from corpora.chinese.english import ing, participle
from corpora.chinese.lexicon import Person, Phrase, phrases
from corpora.chinese.noun_phrases import bare
from corpora.chinese.numbers import counting, in_digits, number
from corpora.chinese.subjects import anyone, asked, full_name, name, named, pronoun, relative
from corpora.chinese.topics import joining, talking, time
from corpora.chinese.topics.fixed import EVERYDAY
from corpora.chinese.topics.writing import figures
from corpora.pairs import Pair

TITLES = phrases("titles.txt")


def _mood(rng: random.Random, who: Person) -> Pair:
    """我很忙。"""
    word = rng.choice(ADJECTIVES["mood"])
    return say(f"{who.zh}很{word.zh}", states(who, f"be very {word.en}"))


def quoting(rng: random.Random) -> Pair:
    """他说：“我很忙。”老师问：“你去哪儿？”“你好！”她说。"""
    pair = rng.choice((rng.choice(EVERYDAY), _mood(rng, PRONOUN["我"]), talking.simple(rng, "。？")))
    asks = pair.source.endswith("？")
    zh, en = ("问", "ask") if asks else ("说", "say")
    who = rng.choice((pronoun, anyone, name, relative))(rng)
    states_it = states(who, en, tense="past")
    if rng.random() < 0.7:
        whom = Phrase("", "")
        if rng.random() < 0.2 and "我" not in who.zh:
            whom = Phrase("我", " me") if asks else Phrase("对我", " to me")
        order = zh + whom.zh if asks else whom.zh + zh
        text = f'{states_it}{whom.en}, "{pair.target}"'
        return Pair(f"{who.zh}{order}：“{pair.source}”", text[:1].upper() + text[1:])
    quote = pair.target[:-1] + "," if pair.target.endswith(".") else pair.target
    return Pair(f"“{pair.source}”{who.zh}{zh}。", f'"{quote}" {states_it}.')


def titles(rng: random.Random) -> Pair:
    """《红楼梦》是一本好书。我看过《西游记》。你喜欢《英雄》吗？"""
    kind = rng.choice(("book", "book", "film", "song"))
    title, roll = rng.choice(TITLES[kind]), rng.random()
    zh, en = f"《{title.zh}》", f'"{title.en}"'
    verb, en_verb = {"book": ("看", "read"), "film": ("看", "watch"), "song": ("听", "listen to")}[kind]
    one = {"book": Phrase("本", "book"), "film": Phrase("部", "film"), "song": Phrase("首", "song")}[kind]
    what = {"book": "书", "film": "电影", "song": "歌"}[kind]
    who = asked(rng) if roll < 0.3 else anyone(rng)
    if roll < 0.1:
        return say(f"{who.zh}喜欢{zh}吗", states(who, f"like {en}", question=True), "？")
    if roll < 0.2:
        return say(f"{who.zh}{verb}过{zh}吗", states(who, f"{en_verb} {en}", tense="perfect", question=True), "？")
    if roll < 0.3:
        return say(f"谁{verb}过{zh}", f"who has {participle(en_verb)} {en}", "？")
    if roll < 0.45:
        return say(f"{who.zh}{verb}过{zh}", states(who, f"{en_verb} {en}", tense="perfect"))
    if roll < 0.6:
        return say(f"{who.zh}在{verb}{zh}", states(who, f"{en_verb} {en}", tense="progressive"))
    if roll < 0.7:
        return say(f"{who.zh}喜欢{zh}", states(who, f"like {en}"))
    if roll < 0.85:
        return say(f"{zh}是一{one.zh}好{what}", f"{en} is a good {one.en}")
    word = rng.choice((Phrase("有意思", "interesting"), Phrase("有名", "famous"), Phrase("好", "good")))
    return say(f"{zh}很{word.zh}", f"{en} is very {word.en}")


def _listed(items: list[Phrase], word: str = "and") -> Phrase:
    """A、B和C, A, B and C."""
    *first, last = items
    return Phrase(
        f"{'、'.join(item.zh for item in first)}和{last.zh}", f"{', '.join(item.en for item in first)} {word} {last.en}"
    )


def lists(rng: random.Random) -> Pair:
    """我买了苹果、香蕉和橘子。我去过北京、上海和香港。我喜欢看书、听音乐和跑步。"""
    who, roll, many = anyone(rng), rng.random(), rng.choice((3, 3, 3, 4))
    if roll < 0.5:
        nouns = rng.sample(NOUNS[rng.choice(("fruit", "food", "drink", "clothes", "thing", "animal"))], many)
        things = _listed([Phrase(noun.zh, bare(noun).en) for noun in nouns])
        if roll < 0.2:
            return say(f"{who.zh}喜欢{things.zh}", states(who, f"like {things.en}"))
        if roll < 0.35 or nouns[0].section == "animal":
            return say(f"{who.zh}有{things.zh}", states(who, f"have {things.en}"))
        return say(f"{who.zh}买了{things.zh}", states(who, f"buy {things.en}", tense="past"))
    if roll < 0.7:
        cities = _listed([Phrase(city.zh, city.en) for city in rng.sample(PLACES["city"], many)])
        return say(f"{who.zh}去过{cities.zh}", f"{states(who, f'be to {cities.en}', tense='perfect')} before")
    if roll < 0.85:
        doings = rng.sample((*ACTIVITIES["home"], *ACTIVITIES["sport"], *ACTIVITIES["art"]), many)
        acts = _listed([Phrase(act.zh, ing(act.en)) for act in doings])
        return say(f"{who.zh}喜欢{acts.zh}", states(who, f"like {acts.en}"))
    people = {who.zh: who for who in (name(rng) for _ in range(9))}
    friends = _listed([Phrase(who.zh, who.en) for who in list(people.values())[:2]] + [Phrase("我", "I")])
    word = rng.choice(KINDS["profession"])
    return say(f"{friends.zh}都是{word.zh}", f"{friends.en} are all {word.en}s")


def half_stops(rng: random.Random) -> Pair:
    """我很忙；他很累。我喜欢看书；他们明天去北京。"""
    if rng.random() < 0.3:
        one, two = (PRONOUN[zh] for zh in rng.sample("我你他她", 2))
        first, second = _mood(rng, one), _mood(rng, two)
    else:
        first, second = talking.simple(rng, "。"), talking.simple(rng, "。")
    while first.source == second.source:
        second = talking.simple(rng, "。")
    return Pair(f"{first.source[:-1]}；{second.source}", f"{first.target[:-1]}; {talking.inner(second.target)}")


def left_open(rng: random.Random) -> Pair:
    """我饿了……我……我很忙。对不起……我迟到了。"""
    pair, roll = joining.changes(rng) if rng.random() < 0.3 else talking.simple(rng, "。"), rng.random()
    if roll < 0.7 or not pair.source.endswith("。"):
        return Pair(f"{pair.source[:-1]}……", f"{pair.target[:-1]}...")
    opener = rng.choice(talking.OPENERS["any"] + talking.OPENERS["answer"])
    return Pair(f"{opener.zh}……{pair.source}", f"{opener.en[:1].upper()}{opener.en[1:]}... {pair.target}")


def brackets(rng: random.Random) -> Pair:
    """小明（我的同学）是学生。李月（他的朋友）很忙。"""
    who, owner, friend = name(rng), PRONOUN[rng.choice("我我他她")], rng.choice(KINDS["friend"])
    both = named(f"{who.zh}（{owner.zh}的{friend.zh}）", f"{who.en} ({owner.my} {friend.en})")
    if rng.random() < 0.4:
        return _mood(rng, both)
    statement = talking.said(rng, rng.choice(("job", "country", "place", "like", "work")), rng.random() < 0.2)
    return say(both.zh + statement.zh, statement.of(both))


def abroad(rng: random.Random) -> Person:
    """大卫·史密斯, David Smith."""
    given, family = rng.choice(NAMES["abroad_given"]), rng.choice(NAMES["abroad_family"])
    return named(f"{given.zh}·{family.zh}", f"{given.en} {family.en}")


def full_names(rng: random.Random) -> Pair:
    """我叫大卫·史密斯。玛丽·布朗是医生。"""
    who = abroad(rng)
    if rng.random() < 0.4:
        one = PRONOUN[rng.choice("我我他她")]
        return say(f"{one.zh}叫{who.zh}", f"{one.my} name is {who.en}")
    statement = talking.said(rng, rng.choice(("job", "country", "quality", "like", "work")), rng.random() < 0.2)
    return say(who.zh + statement.zh, statement.of(who))


def forms(rng: random.Random) -> Pair:
    """姓名：李月。年龄：21岁。时间：下午三点。价格：￥58。"""
    clock, price, age = time.at_clock(rng), rng.randint(2, 999), counting(rng.randint(2, 90))
    city, place, date = rng.choice(KINDS["country"]), rng.choice(PLACES["public"]), figures.full_date(rng)
    rows = (
        (rng.choice(("姓名", "名字")), "Name", full_name(rng)),
        ("年龄", "Age", Phrase(f"{age.zh}岁", age.en)),
        ("时间", "Time", Phrase(clock.zh, clock.en.removeprefix("at "))),
        ("日期", "Date", date),
        ("地点", "Place", Phrase(place.zh, place.en)),
        ("国家", "Country", Phrase(city.zh, city.en.split(" | ")[0])),
        ("价格", "Price", Phrase(f"￥{price}", f"¥{price}")),
        ("价格", "Price", Phrase(f"{number(price).zh}元", f"{number(price).en} yuan")),
        ("电话", "Phone", Phrase(figure := str(rng.randint(10**7, 10**8 - 1)), figure)),
        ("职业", "Job", rng.choice(KINDS["profession"])),
    )
    zh, en, value = rng.choice(rows)
    source = value.zh if rng.random() < 0.4 else in_digits(value.zh)
    return Pair(f"{zh}：{source}", f"{en}: {value.en}")
