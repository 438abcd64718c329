"""Themes of daily life: ordering, prices, weather, health, giving."""

import random

from corpora.chinese import english
from corpora.chinese.clauses import maybe, say, states, when
from corpora.chinese.dictionary import ADJECTIVES, PLACES, PRONOUN, TIMES
from corpora.chinese.english import join
from corpora.chinese.lexicon import NOTHING, Phrase
from corpora.chinese.noun_phrases import bare, counted, noun_of, pointed, several
from corpora.chinese.numbers import counting, number
from corpora.chinese.phrases import table
from corpora.chinese.subjects import anyone, asked, companion
from corpora.chinese.topics.things import degree
from corpora.pairs import Pair

SERVED = ("food", "soup", "drink", "drink")


def orders(rng: random.Random) -> Pair:
    """我要一杯茶。请给我一碗米饭。你要喝什么？来两杯咖啡。"""
    noun, value, roll = noun_of(rng, *SERVED), rng.choice((1, 1, 1, 2, 2, 3, 4)), rng.random()
    while noun.zh == "水果":
        noun = noun_of(rng, *SERVED)
    item = counted(noun, value)
    if rng.random() < 0.2:
        second = counted(noun_of(rng, *SERVED), rng.choice((1, 1, 2)))
        if second.zh[2:] not in item.zh:
            item = type(item)(f"{item.zh}和{second.zh}", f"{item.en} and {second.en}", True)
    if roll < 0.3:
        who = anyone(rng)
        return say(f"{who.zh}要{item.zh}", states(who, f"want {item.en}"))
    if roll < 0.5:
        who = PRONOUN[rng.choice(("我", "我", "我们"))]
        return say(f"请给{who.zh}{item.zh}", f"please give {who.en_object} {item.en}")
    if roll < 0.65:
        who = PRONOUN[rng.choice(("我", "我们", "你", "他", "她"))]
        return say(f"{who.zh}想要{item.zh}", states(who, f"like {item.en}", modal="would"))
    if roll < 0.75:
        return say(f"来{item.zh}", f"{item.en}, please")
    if roll < 0.85:
        who = asked(rng)
        return say(f"{who.zh}要{item.zh}吗", states(who, f"want {item.en}", question=True), "？")
    if roll < 0.95:
        who, verb = asked(rng), rng.choice((("吃", "eat"), ("喝", "drink"), ("买", "buy")))
        text = f"what {states(who, f'want to {verb[1]}', question=True)}"
        return say(f"{who.zh}要{verb[0]}什么", text, "？")
    other = noun_of(rng, *SERVED)
    who = PRONOUN[rng.choice(("你", "您", "你们"))]
    return say(
        f"{who.zh}要{noun.zh}还是{other.zh}" if other.zh != noun.zh else f"{who.zh}要{noun.zh}吗",
        f"{states(who, f'want {bare(noun).en}', question=True)}"
        + (f" or {bare(other).en}" if other.zh != noun.zh else ""),
        "？",
    )


PRICED = {
    "book": (5, 90),
    "clothes": (20, 500),
    "fruit": (1, 10),
    "drink": (3, 20),
    "thing": (10, 200),
    "paper": (5, 100),
}
PRICED |= {"meat": (8, 40), "furniture": (50, 900), "machine": (100, 999), "food": (2, 30), "pen": (1, 15)}


def prices(rng: random.Random) -> Pair:
    """这本书多少钱？苹果多少钱一斤？这件衣服八十块钱。一共五十块。"""
    kind = rng.choice(tuple(PRICED))
    noun, roll = noun_of(rng, kind), rng.random()
    one = rng.random() < 0.75 or not noun.counted
    what = pointed(noun, rng.choice("这那")) if one else several(noun, rng.choice("这那"))
    if roll < 0.3:
        return say(f"{what.zh}多少钱", f"how much {states(what, 'be', question=True)}", "？")
    value = rng.randint(*PRICED[kind])
    money = counting(value)
    yuan = rng.choice(("块", "块钱", "块钱", "元"))
    if roll < 0.4:
        pound = noun_of(rng, "fruit", "meat")
        many = bare(pound)
        if roll < 0.34:
            return say(
                f"{pound.zh}多少钱一斤", f"how much {'are' if many.many else 'is'} {many.en} per half kilo", "？"
            )
        price = counting(rng.randint(2, 9) if pound.section == "fruit" else rng.randint(9, 40))
        return say(
            f"{pound.zh}{price.zh}{yuan}一斤", f"{many.en} {'are' if many.many else 'is'} {price.en} yuan per half kilo"
        )
    if roll < 0.5:
        total = number(rng.randint(3, 999))
        if total.zh == "二":
            total = number(3)
        return say(f"一共{total.zh}{yuan}", f"{total.en} yuan in total")
    if roll < 0.6:
        who, one = anyone(rng), counted(noun, 1)
        text = states(who, f"buy {one.en} for {money.en} yuan", tense="past")
        return say(f"{who.zh}花了{money.zh}{yuan}买了{one.zh}", text)
    return say(f"{what.zh}{money.zh}{yuan}", states(what, f"be {money.en} yuan"))


TODAY = TIMES["day"][0]
PHENOMENA = (("下雨", "rain"), ("下雪", "snow"), ("刮风", "be windy"))


def weather(rng: random.Random) -> Pair:
    """今天天气怎么样？今天很冷。明天会下雨。昨天下雪了。北京的冬天冷吗？"""
    roll, word, day = rng.random(), rng.choice(ADJECTIVES["weather"]), rng.choice(TIMES["day"])
    yesterday, tomorrow = day.zh in ("昨天", "前天"), day.zh in ("明天", "后天")
    city = rng.choice(PLACES["city"])
    in_city = city if rng.random() < 0.3 else None
    if roll < 0.1:
        is_ = "was" if yesterday else "will" if tomorrow else "is"
        weather_ = join(f"how {is_} the weather{' be' if tomorrow else ''}", in_city.at if in_city else "", day.en)
        return say(f"{day.zh}{in_city.zh + '的' if in_city else ''}天气怎么样", weather_, "？")
    if roll < 0.2:
        season = rng.choice(TIMES["season"])
        if roll < 0.13:
            return say(f"{city.zh}的{season.zh}{word.zh}吗", f"is {season.en} {city.at} {word.en}", "？")
        chinese, text, no = degree(rng, word)
        return say(
            f"{city.zh}的{season.zh}{chinese}",
            f"{season.en} {city.at} {'is' if not no else english.negated('is')} {text}",
        )
    if roll < 0.45:
        thing, en = rng.choice(PHENOMENA)
        if yesterday:
            no = rng.random() < 0.3
            text = english.clause("it", False, en, tense="past", negative=no)
            return say(
                f"{day.zh}{in_city.zh if in_city else ''}{'没' * no}{thing}{'了' * (not no)}",
                join(day.en, text, in_city.at if in_city else ""),
            )
        if tomorrow or rng.random() < 0.3:
            no, question = rng.random() < 0.25, rng.random() < 0.3
            time = day if tomorrow else rng.choice([t for t in (*TIMES["plan"], TODAY) if t.zh != "这个周末"])
            text = english.clause("it", False, en, modal="will", negative=no and not question, question=question)
            where = in_city.zh if in_city else ""
            at = in_city.at if in_city else ""
            if question:
                return say(f"{time.zh}{where}会{thing}吗", join(text, at, time.en), "？")
            return say(f"{time.zh}{where}{'不' * no}会{thing}", join(time.en, text, at))
        place = rng.choice((Phrase("外面", "outside"), Phrase("外边", "outside"), Phrase(city.zh, city.at)))
        mark = rng.choice(("在", "正在"))
        if rng.random() < 0.3:
            return say(
                f"{place.zh}{mark}{thing}吗",
                join(
                    english.clause(
                        "it", False, en, tense="progressive" if en in ("rain", "snow") else "present", question=True
                    ),
                    place.en,
                ),
                "？",
            )
        return say(
            f"{place.zh}{mark}{thing}",
            join(
                english.clause("it", False, en, tense="progressive" if en in ("rain", "snow") else "present"), place.en
            ),
        )
    chinese, text, no = degree(rng, word)
    tense = "past" if yesterday else "present"
    if tomorrow:
        day = TIMES["day"][0]
    if roll < 0.65 and word.zh != "舒服":
        state = english.clause(
            "the weather", False, f"be {text}", tense="past" if tense == "past" else "present", negative=no
        )
        if in_city:
            state = state.replace("the weather", f"the weather {in_city.at}", 1)
        return say(f"{day.zh}{in_city.zh + '的' if in_city else ''}天气{chinese}", f"{day.en} {state}")
    if word.zh in ("好", "舒服"):
        word = rng.choice(ADJECTIVES["weather"][:2])
        chinese, text, no = degree(rng, word)
    if roll < 0.75:
        place = in_city or city
        question = english.clause(
            "it", False, f"be {word.en}", tense="past" if tense == "past" else "present", question=True
        )
        return say(f"{day.zh}{place.zh}{word.zh}吗", join(question, place.at, day.en), "？")
    state = english.clause("it", False, f"be {text}", tense="past" if tense == "past" else "present", negative=no)
    return say(f"{day.zh}{in_city.zh if in_city else ''}{chinese}", join(day.en, state, in_city.at if in_city else ""))


ACHES = table("daily.aches")
ACHES += (("耳朵", "ear"), ("背", "back"))


def health(rng: random.Random) -> Pair:
    """我头疼。你哪儿不舒服？他生病了。你应该去医院看病。她的眼睛很大。"""
    roll, ache = rng.random(), rng.choice(ACHES)
    if roll < 0.35:
        who = asked(rng) if roll < 0.1 else anyone(rng)
        while "们" in who.zh or who.zh == "大家":
            who = asked(rng) if roll < 0.1 else anyone(rng)
        if roll < 0.1:
            return say(f"{who.zh}{ache[0]}疼吗", f"does {who.my} {ache[1]} hurt", "？")
        degree_, text = rng.choice((("", ""), ("", ""), ("很", " very badly"), ("有点儿", " a bit")))
        now = maybe(rng, 0.25, "now")
        now = now if now.zh in ("今天", "现在") else NOTHING
        return say(f"{who.zh}{now.zh}{ache[0]}{degree_}疼", join(f"{who.my} {ache[1]} hurts{text}", now.en))
    if roll < 0.45:
        who = asked(rng)
        return say(f"{who.zh}哪儿不舒服", f"where {states(who, 'feel unwell', question=True)}", "？")
    if roll < 0.6:
        who = anyone(rng)
        kinds = (
            ("生病了", "be sick", False),
            ("感冒了", "have a cold", False),
            ("发烧了", "have a fever", False),
            ("没生病", "be sick", True),
        )
        zh, en, no = rng.choice(kinds)
        when_ = maybe(rng, 0.3, "now") if zh != "没生病" else NOTHING
        when_ = NOTHING if when_.zh in ("最近", "这几天") else when_
        return say(f"{who.zh}{when_.zh}{zh}", join(states(who, en, negative=no), when_.en))
    if roll < 0.75:
        who = anyone(rng)
        zh, en = rng.choice(
            (
                ("身体很好", "be in very good health"),
                ("身体不好", "be in poor health"),
                ("不舒服", "feel unwell"),
                ("有点儿不舒服", "feel a bit unwell"),
            )
        )
        also = rng.random() < 0.25 and not zh.startswith("身体不")
        return say(
            f"{who.zh}{'也' * also}{zh}" if "身体" not in zh else f"{who.zh}{zh}",
            states(who, en, adverb="also" if also and "身体" not in zh else ""),
        )
    if roll < 0.87:
        who = anyone(rng)
        while "们" in who.zh or who.zh == "大家":
            who = anyone(rng)
        part = rng.choice(
            (
                ("眼睛", "eyes", ("大", "小", "漂亮")),
                ("手", "hands", ("大", "小")),
                ("头发", "hair", ("长", "短", "黑")),
                ("个子", "", ("高", "矮")),
            )
        )
        word = rng.choice(part[2])
        en = {
            "大": "big",
            "小": "small",
            "漂亮": "pretty",
            "长": "long",
            "短": "short",
            "黑": "black",
            "高": "tall",
            "矮": "short",
        }[word]
        if part[0] == "个子":
            return say(f"{who.zh}个子很{word}", states(who, f"be very {en}"))
        are = "is" if part[1] == "hair" else "are"
        return say(f"{who.zh}的{part[0]}很{word}", f"{who.my} {part[1]} {are} very {en}")
    who = anyone(rng)
    zh, en = rng.choice(
        (
            ("多喝水", "drink more water"),
            ("多休息", "rest more"),
            ("多运动", "exercise more"),
            ("早点儿睡觉", "go to bed earlier"),
            ("去看医生", "see a doctor"),
            ("吃药", "take medicine"),
        )
    )
    modal = rng.choice(("应该", "应该", "要")) if zh[0] in "多早" else "应该"
    return say(f"{who.zh}{modal}{zh}", states(who, en, modal="should"))


GIFTS = ("book", "drink", "thing", "plant", "fruit", "clothes")


def giving(rng: random.Random) -> Pair:
    """我给妈妈打电话。他送我一本书。请给我一杯水。老师给我们上课。"""
    who, roll = anyone(rng), rng.random()
    other = companion(rng, who)
    to = other.en_object
    doing = (
        ("给{}打电话", f"call {to}"),
        ("给{}写信", f"write to {to}"),
        ("给{}做饭", f"cook for {to}"),
        ("给{}买衣服", f"buy clothes for {to}"),
        ("给{}买礼物", f"buy gifts for {to}"),
        ("给{}介绍朋友", f"introduce friends to {to}"),
        ("帮助{}", f"help {to}"),
        ("等{}", f"wait for {to}"),
        ("找{}", f"look for {to}"),
        ("教{}汉语", f"teach {to} Chinese"),
        ("教{}英语", f"teach {to} English"),
        ("认识{}", f"know {to}"),
    )
    zh, en = rng.choice(doing)
    zh = zh.format(other.zh)
    if roll < 0.2:
        gift = counted(noun_of(rng, *GIFTS), rng.choice((1, 1, 2)))
        verb = rng.choice((("送", "give {} {}"), ("给", "give {} {}"), ("借给", "lend {} {}")))
        if verb[0] == "借给":
            gift = counted(noun_of(rng, "book", "pen"), 1)
        en = verb[1].format(to, gift.en)
        time = when(rng, "past") if rng.random() < 0.3 else NOTHING
        return say(f"{who.zh}{time.zh}{verb[0]}了{other.zh}{gift.zh}", join(states(who, en, tense="past"), time.en))
    if zh.startswith("认识"):
        if roll < 0.5:
            return say(f"{who.zh}不{zh}", states(who, en, negative=True))
        return say(f"{who.zh}{zh}", states(who, en))
    if roll < 0.4:
        time = when(rng, "habit") if rng.random() < 0.6 else Phrase("常常", "often")
        if time.zh == "常常":
            return say(f"{who.zh}常常{zh}", states(who, en, adverb="often"))
        return say(f"{who.zh}{time.zh}{zh}", f"{states(who, en)} {time.en}")
    if roll < 0.6:
        time = when(rng, "plan")
        return say(f"{who.zh}{time.zh}{zh}", f"{states(who, en, modal='will')} {time.en}")
    if roll < 0.72:
        return say(f"{who.zh}在{zh}", states(who, en, tense="progressive"))
    if roll < 0.84:
        return say(f"{who.zh}想{zh}", states(who, f"like to {en}", modal="would"))
    time = when(rng, "past") if rng.random() < 0.5 else NOTHING
    return say(f"{who.zh}{time.zh}没{zh}", join(states(who, en, tense="past", negative=True), time.en))
