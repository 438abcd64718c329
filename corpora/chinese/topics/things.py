"""Things: having and counting them, whose they are, what they are like."""

import random

from corpora.chinese.clauses import maybe, say, states, when
from corpora.chinese.dictionary import ADJECTIVES, NOUN, NOUNS, PRONOUN
from corpora.chinese.english import a, join
from corpora.chinese.lexicon import Noun, Phrase
from corpora.chinese.noun_phrases import Things, counted, noun_of, owned, pointed, several
from corpora.chinese.phrases import pairs
from corpora.chinese.subjects import any_owner, anyone, asked, named, relative
from corpora.pairs import Pair

# section of nouns -> section of adjectives that fit
FITTING = pairs("things.fitting")
HAD = ("book", "paper", "pen", "thing", "machine", "vehicle", "animal", "clothes", "furniture", "home")
OWNED = ("book", "thing", "machine", "clothes", "vehicle", "animal", "room", "pen")
UNPLEASANT = (*tuple("贵大小冷热累忙难远长短旧慢饿渴困矮胖脏"), "着急", "紧张", "生气", "难过")
# 太……了 is a complaint of some adjectives and praise of the rest: too expensive, but so pretty
NOT_SAID = {
    ("电影", "好听"),
    ("节目", "好听"),
    ("歌", "好看"),
    ("字", "长"),
    ("汉字", "长"),
    ("帽子", "长"),
    ("帽子", "短"),
}
NOT_SAID |= {("词", "长"), ("花", "高"), ("鞋", "长"), ("鞋", "短"), ("地方", "新"), ("城市", "新"), ("城市", "近")}
NOT_SAID |= {(cold, "热") for cold in ("果汁", "可乐", "啤酒")} | {("问题", "长"), ("鸟", "胖"), ("眼镜", "长")}
NOT_SAID |= {
    ("鞋", "热"),
    ("杯子", "旧"),
    ("礼物", "旧"),
    ("笔", "大"),
    ("公园", "新"),
    ("钥匙", "漂亮"),
    ("钥匙", "贵"),
}
NOT_SAID |= {(blank, word) for blank in ("本子", "词典") for word in ("有意思", "难", "容易", "长")}


def fitting(rng: random.Random, noun: Noun) -> Phrase:
    """An adjective that is said of the noun."""
    choices = [word for word in ADJECTIVES[FITTING[noun.section]] if (noun.zh, word.zh) not in NOT_SAID]
    return rng.choice(choices)


def degree(rng: random.Random, word: Phrase, *, plain: bool = True) -> tuple[str, str, bool]:
    """很贵, very expensive; 太贵了, too expensive; 不贵 and 不太贵 negate. The last says whether English does."""
    unpleasant = word.zh in UNPLEASANT
    so = "too" if unpleasant else "so"
    kinds = [(f"很{word.zh}", f"very {word.en}", False)] * 3
    kinds += [(f"非常{word.zh}", f"extremely {word.en}", False), (f"真{word.zh}", f"really {word.en}", False)]
    kinds += [(f"太{word.zh}了", f"{so} {word.en}", False)]
    kinds.append((f"不太{word.zh}", f"very {word.en}", True))
    if word.zh != "有名":
        # 有意思 and 有用 hold 有, which 不 never negates
        kinds.append((f"{'没' if word.zh.startswith('有') else '不'}{word.zh}", word.en, True))
    if unpleasant:
        kinds.append((f"有点儿{word.zh}", f"a bit {word.en}", False))
    return rng.choice(kinds)


def thing(rng: random.Random, noun: Noun) -> Things:
    """这本书, 那些书, 我的书."""
    if noun.section == "people":
        return pointed(noun, rng.choice("这那"))
    if rng.random() < 0.3 and noun.section in OWNED:
        return owned(noun, any_owner(rng))
    return several(noun, rng.choice("这那")) if rng.random() < 0.25 else pointed(noun, rng.choice("这那"))


def things_are(rng: random.Random) -> Pair:
    """这本书很有意思。那件衣服太贵了。你的房间大吗？这些苹果怎么样？"""
    noun = noun_of(rng, *FITTING)
    what, word, roll = thing(rng, noun), fitting(rng, noun), rng.random()
    if roll < 0.25:
        if rng.random() < 0.3 and len(word.zh) == 1:
            return say(f"{what.zh}{word.zh}不{word.zh}", states(what, f"be {word.en}", question=True), "？")
        return say(f"{what.zh}{word.zh}吗", states(what, f"be {word.en}", question=True), "？")
    if roll < 0.3:
        return say(f"{what.zh}怎么样", f"how {states(what, 'be', question=True)}", "？")
    chinese, text, negative = degree(rng, word)
    mark = "！" if chinese[0] in "太真" and rng.random() < 0.4 else "。"
    return say(what.zh + chinese, states(what, f"be {text}", negative=negative), mark)


def people_are(rng: random.Random) -> Pair:
    """我很忙。你累吗？我妈妈非常漂亮。他今天不太高兴。昨天他很累。"""
    kind = rng.choice(("person", "mood", "mood"))
    word, roll = rng.choice(ADJECTIVES[kind]), rng.random()
    if roll < 0.3:
        who, time = asked(rng), maybe(rng, 0.3, "now") if kind == "mood" else Phrase("", "")
        while time.zh == "最近":
            time = when(rng, "now")
        if len(word.zh) == 1 and rng.random() < 0.35:
            return say(
                f"{who.zh}{time.zh}{word.zh}不{word.zh}",
                join(states(who, f"be {word.en}", question=True), time.en),
                "？",
            )
        return say(f"{who.zh}{time.zh}{word.zh}吗", join(states(who, f"be {word.en}", question=True), time.en), "？")
    who, (chinese, text, negative) = anyone(rng), degree(rng, word)
    if kind == "person" or rng.random() < 0.4:
        if rng.random() < 0.15:
            return say(f"{who.zh}也很{word.zh}", states(who, f"be very {word.en}", adverb="also"))
        return say(who.zh + chinese, states(who, f"be {text}", negative=negative))
    time, first = (
        rng.choice((Phrase("今天", "today"), Phrase("昨天", "yesterday"), Phrase("现在", "now"))),
        rng.random() < 0.3,
    )
    statement = states(who, f"be {text}", negative=negative, tense="past" if time.zh == "昨天" else "present")
    return say(
        (time.zh + who.zh if first else who.zh + time.zh) + chinese,
        f"{time.en} {statement}" if first else f"{statement} {time.en}",
    )


def attributes(rng: random.Random) -> Pair:
    """这是一本新书。他有一个漂亮的杯子。我想买一件红色的衬衫。"""
    noun = noun_of(rng, "book", "thing", "clothes", "machine", "vehicle", "animal", "furniture", "plant")
    if noun.section in ("clothes", "thing", "vehicle", "furniture") and rng.random() < 0.5:
        color = rng.choice(ADJECTIVES["color"])
        quality = Phrase(f"{color.zh}色的", color.en)
    else:
        word = fitting(rng, noun)
        one = len(word.zh) == 1 and word.zh in "新旧大小好"
        quality = Phrase(word.zh if one else f"很{word.zh}的" if len(word.zh) == 1 else f"{word.zh}的", word.en)
        if quality.zh.startswith("很"):
            quality = Phrase(quality.zh, f"very {word.en}")
    what, roll = counted(noun, 1, quality), rng.random()
    if roll < 0.3:
        word = rng.choice((("这", "this is"), ("那", "that's")))
        return say(f"{word[0]}是{what.zh}", f"{word[1]} {what.en}")
    who = anyone(rng)
    if roll < 0.55:
        return say(f"{who.zh}有{what.zh}", states(who, f"have {what.en}"))
    if roll < 0.8:
        return say(f"{who.zh}想买{what.zh}", states(who, f"like to buy {what.en}", modal="would"))
    time = maybe(rng, 0.4, "past")
    return say(f"{who.zh}{time.zh}买了{what.zh}", join(states(who, f"buy {what.en}", tense="past"), time.en))


def colors(rng: random.Random) -> Pair:
    """这件衣服是红色的。你的书包是什么颜色的？他喜欢红色。"""
    noun, color, roll = (
        noun_of(rng, "clothes", "thing", "vehicle", "furniture"),
        rng.choice(ADJECTIVES["color"]),
        rng.random(),
    )
    what = thing(rng, noun)
    if roll < 0.2:
        return say(f"{what.zh}是什么颜色的", f"what color {states(what, 'be', question=True)}", "？")
    if roll < 0.35:
        who = anyone(rng)
        no = rng.random() < 0.3
        return say(f"{who.zh}{'不' * no}喜欢{color.zh}色", states(who, f"like {color.en}", negative=no))
    if roll < 0.5:
        return say(f"{what.zh}是{color.zh}色的吗", states(what, f"be {color.en}", question=True), "？")
    no = roll < 0.65
    return say(f"{what.zh}{'不' * no}是{color.zh}色的", states(what, f"be {color.en}", negative=no))


def having(rng: random.Random) -> Pair:
    """我有一本书。他没有手机。你有词典吗？你有没有自行车？谁有铅笔？"""
    noun, roll = noun_of(rng, *HAD), rng.random()
    while noun.zh in ("车", "床"):
        noun = noun_of(rng, *HAD)
    one = a(noun.unit or noun.en) if not noun.always_plural or noun.zh == "衣服" else noun.en
    one = noun.en if noun.always_plural else one
    if roll < 0.35:
        few = noun.section in ("furniture", "machine", "vehicle", "home")
        who, value = anyone(rng), rng.choice((1, 1, 2) if few else (1, 1, 2, 2, 3, 4, 5, 6))
        thing_ = counted(noun, value)
        return say(f"{who.zh}有{thing_.zh}", states(who, f"have {thing_.en}"))
    if roll < 0.6:
        who = anyone(rng)
        return say(f"{who.zh}没有{noun.zh}", states(who, f"have {one}", negative=True))
    if roll < 0.68:
        return say(f"谁有{noun.zh}", f"who has {one}", "？")
    who = asked(rng)
    ask = f"{who.zh}有没有{noun.zh}" if rng.random() < 0.35 else f"{who.zh}有{noun.zh}吗"
    return say(ask, states(who, f"have {one}", question=True), "？")


ABSTRACT = tuple(
    Phrase(*row)
    for row in (
        ("时间", "time"),
        ("钱", "money"),
        ("课", "class"),
        ("问题", "a question"),
        ("考试", "an exam"),
        ("汉语课", "Chinese class"),
        ("英语课", "English class"),
        ("很多朋友", "many friends"),
        ("很多书", "many books"),
        ("很多钱", "a lot of money"),
        ("很多作业", "a lot of homework"),
        ("很多工作", "a lot of work"),
        ("事儿", "something to do"),
        ("会", "a meeting"),
    )
)


def having_time(rng: random.Random) -> Pair:
    """你有时间吗？我今天没有课。明天我有考试。他有很多朋友。"""
    what, roll = rng.choice(ABSTRACT), rng.random()
    is_bound = what.zh in ("时间", "课", "考试", "汉语课", "英语课", "事儿", "会", "很多作业", "很多工作")
    time = (
        when(rng, "plan")
        if is_bound and rng.random() < 0.5
        else Phrase("今天", "today")
        if is_bound and roll < 0.5
        else Phrase("", "")
    )
    if rng.random() < 0.3:
        who = asked(rng)
        ask = f"有没有{what.zh}" if rng.random() < 0.35 and not what.zh.startswith("很") else f"有{what.zh}吗"
        return say(f"{who.zh}{time.zh}{ask}", join(states(who, f"have {what.en}", question=True), time.en), "？")
    who, no = anyone(rng), rng.random() < 0.35 and not what.zh.startswith("很")
    text = states(who, f"have {what.en}", negative=no)
    chinese = f"{'没' * no}有{what.zh}"
    if time.zh and rng.random() < 0.35:
        return say(time.zh + who.zh + chinese, f"{time.en} {text}")
    return say(who.zh + time.zh + chinese, join(text, time.en))


def how_many(rng: random.Random) -> Pair:
    """你有几本书？教室里有多少个学生？你要几张票？"""
    noun, roll = noun_of(rng, *HAD, "fruit", "study"), rng.random()
    many = noun.unit_many or noun.en_many
    if roll < 0.55:
        verb = "have" if noun.section in HAD else "buy" if noun.section == "fruit" else "know"
        zh = {"have": "有", "buy": "买", "know": "认识"}[verb]
        if zh == "认识" and noun.zh not in ("字", "汉字", "词"):
            noun, many = NOUN["汉字"], NOUN["汉字"].en_many
        who = asked(rng)
        word = rng.choice((f"几{noun.measure}", f"几{noun.measure}", f"多少{noun.measure}"))
        return say(f"{who.zh}{zh}{word}{noun.zh}", f"how many {many} {states(who, verb, question=True)}", "？")
    if roll < 0.75:
        place = rng.choice(("教室里", "学校里", "商店里", "公司里", "图书馆里"))
        en = {
            "教室里": "in the classroom",
            "学校里": "in the school",
            "商店里": "in the shop",
            "公司里": "in the company",
            "图书馆里": "in the library",
        }
        people = rng.choice([n for n in NOUNS["people"] if n.zh in ("人", "学生", "老师", "孩子", "客人")])
        count = rng.choice((f"多少{'个' if people.measure == '个' else '位'}", "多少"))
        return say(f"{place}有{count}{people.zh}", f"how many {people.en_many} are there {en[place]}", "？")
    value = rng.randint(2, 10)
    things = counted(noun, value)
    who = asked(rng)
    return (
        say(
            f"{who.zh}要买几{noun.measure}{noun.zh}",
            f"how many {many} {states(who, 'want to buy', question=True)}",
            "？",
        )
        if rng.random() < 0.5
        else say(f"一共有{things.zh}", f"there are {things.en} in total")
    )


def possession(rng: random.Random) -> Pair:
    """这是我的书。那不是他的手机。这本书是谁的？这本书是我的。这是你的吗？"""
    noun, owner, roll = noun_of(rng, *OWNED), any_owner(rng), rng.random()
    this = rng.choice((("这", named("这", "this")), ("那", named("那", "that"))))[1]
    mine = owned(noun, owner)
    if noun.always_plural:
        this = named(this.zh, {"这": "these", "那": "those"}[this.zh], many=True)
    if roll < 0.2:
        return say(f"{this.zh}是{mine.zh}", states(this, f"be {mine.en}"))
    if roll < 0.35:
        return say(f"{this.zh}不是{mine.zh}", states(this, f"be {mine.en}", negative=True))
    if roll < 0.5:
        return say(f"{this.zh}是{mine.zh}吗", states(this, f"be {mine.en}", question=True), "？")
    if roll < 0.6:
        return say(f"{this.zh}是谁的{noun.zh}", f"whose {noun.en} {states(this, 'be', question=True)}", "？")
    what = pointed(noun, rng.choice("这那"))
    if roll < 0.7:
        return say(f"{what.zh}是谁的", f"whose {states(what, 'be', question=True)}", "？")
    no = rng.random() < 0.25
    if roll < 0.9:
        return say(f"{what.zh}{'不' * no}是{owner.zh}的", states(what, f"be {owner.mine}", negative=no))
    return say(f"{what.zh}是{owner.zh}的吗", states(what, f"be {owner.mine}", question=True), "？")


def what_is(rng: random.Random) -> Pair:
    """这是什么？这是一本书。那是苹果。这不是茶，是咖啡。哪本书是你的？"""
    roll = rng.random()
    word = rng.choice("这那")
    this = named(word, {"这": "this", "那": "that"}[word])
    noun = noun_of(rng, "book", "fruit", "thing", "machine", "furniture", "animal", "plant", "drink", "vehicle", "food")
    if noun.zh in ("车", "面包", "面条"):
        noun = NOUN["书"]
    one = counted(noun, 1)
    if roll < 0.35:
        return say(f"{word}是{one.zh}", states(this, f"be {one.en}"))
    if roll < 0.6:
        mass = named(word, {"这": "this", "那": "that"}[word])
        text = noun.en if noun.unit and not noun.always_plural else a(noun.unit or noun.en)
        if noun.always_plural:
            return say(f"{word}是{one.zh}吗", states(this, f"be {one.en}", question=True), "？")
        if roll < 0.48:
            return say(f"{word}是{noun.zh}吗", states(mass, f"be {text}", question=True), "？")
        return say(f"{word}不是{noun.zh}", states(mass, f"be {text}", negative=True))
    if roll < 0.65:
        return (
            say(f"{word}{noun.measure}{noun.zh}叫什么", f"what is {pointed(noun, word).en} called", "？")
            if noun.counted
            else say(f"{word}是什么", f"what is {this.en}", "？")
        )
    owned_noun, owner = noun_of(rng, *OWNED), any_owner(rng)
    if roll < 0.85:
        return say(
            f"哪{owned_noun.measure}{owned_noun.zh}是{owner.zh}的",
            f"which {owned_noun.unit or owned_noun.en} is {owner.mine}",
            "？",
        )
    who = asked(rng)
    return say(
        f"{who.zh}喜欢哪{owned_noun.measure}{owned_noun.zh}",
        f"which {owned_noun.unit or owned_noun.en} {states(who, 'like', question=True)}",
        "？",
    )


def missing(rng: random.Random) -> Pair:
    """我的手机呢？我很忙，你呢？我是学生，他呢？"""
    roll = rng.random()
    if roll < 0.35:
        what = owned(noun_of(rng, "book", "thing", "clothes", "pen", "vehicle"), any_owner(rng))
        return say(f"{what.zh}呢", f"where {states(what, 'be', question=True)}", "？")
    first = rng.choice((PRONOUN["我"], PRONOUN["我"], PRONOUN["我们"], relative(rng, PRONOUN["我"])))
    second = rng.choice([PRONOUN[w] for w in ("你", "你", "您", "你们", "他", "她")])
    word = rng.choice((*ADJECTIVES["mood"], *ADJECTIVES["person"]))
    return say(
        f"{first.zh}很{word.zh}，{second.zh}呢",
        f"{states(first, f'be very {word.en}')}, what about {second.en_object}",
        "？",
    )
