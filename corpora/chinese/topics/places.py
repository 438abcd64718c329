"""Where things and people are, how far it is, how one gets there."""

import random

from corpora.chinese.clauses import maybe, say, states
from corpora.chinese.dictionary import NOUN, NOUNS, PLACES, POSITIONS, PRONOUN
from corpora.chinese.english import a, join
from corpora.chinese.lexicon import Phrase
from corpora.chinese.noun_phrases import Things, bare, counted, noun_of, owned, the
from corpora.chinese.numbers import number
from corpora.chinese.subjects import any_owner, anyone, asked, companion, named
from corpora.chinese.topics.past import WAYS
from corpora.pairs import Pair

SMALL = ("book", "pen", "thing", "clothes")
# what may lie there
LYING = {
    "桌子": ("book", "pen", "thing", "fruit", "drink"),
    "椅子": ("book", "clothes", "animal"),
    "床": ("book", "clothes", "animal"),
}
LYING |= {
    "沙发": ("book", "clothes", "animal"),
    "书包": ("book", "pen"),
    "包": ("book", "pen"),
    "车": ("book", "clothes"),
}
LYING |= {"房间": ("furniture", "machine"), "教室": ("furniture", "people")}
LYING |= {"家": ("machine", "animal", "furniture")}


def _spot(rng: random.Random) -> tuple[Phrase, tuple[str, ...]]:
    """桌子上, on the table, with what lies there."""
    spot = rng.choice([row for row in POSITIONS["on"] if row.zh not in ("书上",)])
    head = spot.zh.rstrip("上里").removesuffix("下面")
    return spot, LYING[head]


def _building(rng: random.Random) -> Phrase:
    """学校旁边, next to the school."""
    side, place = rng.choice(POSITIONS["side"][:9]), rng.choice(PLACES["public"])
    while side.zh in ("里面",):
        side = rng.choice(POSITIONS["side"])
    return Phrase(place.zh + side.zh, f"{side.en} {place.en}")


def where_things_are(rng: random.Random) -> Pair:
    """我的书在桌子上。手机在哪儿？杯子不在桌子上。学校在公园旁边。"""
    roll = rng.random()
    if rng.random() < 0.06:
        noun = rng.choice([noun for noun in NOUNS["animal"] if noun.zh in ("猫", "狗")])
        little = named(f"小{noun.zh}", f"the small {noun.en}")
        spot, _ = _spot(rng)
        spot = rng.choice((spot, Phrase("这儿", "here"), Phrase("那儿", "there")))
        if rng.random() < 0.3:
            return say(f"{little.zh}在哪儿", f"where {states(little, 'be', question=True)}", "？")
        return say(f"{little.zh}在{spot.zh}", states(little, f"be {spot.en}"))
    if roll < 0.45:
        spot, kinds = _spot(rng)
        small = [k for k in kinds if k in SMALL] or ["book"]
        noun = noun_of(rng, *small)
        if spot.zh in ("房间里", "教室里", "家里"):
            noun = noun_of(rng, "book", "thing", "clothes")
        what = owned(noun, any_owner(rng)) if rng.random() < 0.6 else the(noun)
        kind = rng.random()
        if kind < 0.25:
            return say(f"{what.zh}在{spot.zh}吗", states(what, f"be {spot.en}", question=True), "？")
        no = kind < 0.5
        return say(f"{what.zh}{'不' * no}在{spot.zh}", states(what, f"be {spot.en}", negative=no))
    if roll < 0.6:
        noun = noun_of(rng, *SMALL, "machine", "vehicle")
        what = owned(noun, any_owner(rng)) if rng.random() < 0.6 else the(noun)
        return say(f"{what.zh}在{rng.choice(('哪儿', '哪里'))}", f"where {states(what, 'be', question=True)}", "？")
    place, spot = rng.choice(PLACES["public"]), _building(rng)
    while spot.zh.startswith(place.zh):
        spot = _building(rng)
    building = named(place.zh, place.en)
    if roll < 0.68:
        return say(f"{place.zh}在{rng.choice(('哪儿', '哪里'))}", f"where is {place.en}", "？")
    no = rng.random() < 0.2
    if rng.random() < 0.2:
        return say(f"{place.zh}在{spot.zh}吗", states(building, f"be {spot.en}", question=True), "？")
    return say(f"{place.zh}{'不' * no}在{spot.zh}", states(building, f"be {spot.en}", negative=no))


def where_people_are(rng: random.Random) -> Pair:
    """你在哪儿？我在家。他不在学校。昨天她在北京。他住在北京。"""
    roll = rng.random()
    place = rng.choice((*PLACES["public"], *PLACES["room"], *PLACES["city"], *PLACES["home"] * 6))
    if roll < 0.3:
        who = asked(rng)
        if roll < 0.12:
            now = maybe(rng, 0.3, "now")
            now = now if now.zh == "现在" else Phrase("", "")
            text = join(f"where {states(who, 'be', question=True)}", now.en)
            return say(f"{who.zh}{now.zh}在{rng.choice(('哪儿', '哪里'))}", text, "？")
        if roll < 0.18:
            live = rng.choice(("住在哪儿", "住哪儿", "住在哪里"))
            return say(f"{who.zh}{live}", f"where {states(who, 'live', question=True)}", "？")
        mark = rng.random() < 0.7
        return say(
            f"{who.zh}在{place.zh}吗" if mark else f"{who.zh}在不在{place.zh}",
            states(who, f"be {place.at}", question=True),
            "？",
        )
    who = anyone(rng)
    if roll < 0.42 and place.section == "city":
        return say(f"{who.zh}住在{place.zh}", states(who, f"live {place.at}"))
    no = rng.random() < 0.25
    time = rng.choice(
        (
            Phrase("", ""),
            Phrase("", ""),
            Phrase("现在", "now"),
            Phrase("昨天", "yesterday"),
            Phrase("昨天晚上", "last night"),
            Phrase("今天", "today"),
        )
    )
    tense = "past" if time.zh.startswith("昨天") else "present"
    text = states(who, f"be {place.at}", negative=no, tense="past" if tense == "past" else "present")
    chinese = f"{'不' * no}在{place.zh}"
    if time.zh and rng.random() < 0.3:
        return say(time.zh + who.zh + chinese, f"{time.en} {text}")
    return say(who.zh + time.zh + chinese, join(text, time.en))


def there_is(rng: random.Random) -> Pair:
    """桌子上有一本书。学校旁边有一家超市。房间里没有人。附近有银行吗？"""
    roll = rng.random()
    if roll < 0.5:
        spot, kinds = _spot(rng)
        noun = noun_of(rng, *kinds)
        if roll < 0.03:
            return say(f"{spot.zh}有什么", f"what is {spot.en}", "？")
        if roll < 0.12:
            what = noun.en if noun.unit and not noun.always_plural else noun.en if noun.always_plural else a(noun.en)
            is_there = "are there" if noun.always_plural else "is there"
            return say(f"{spot.zh}有{noun.zh}吗", f"{is_there} {what} {spot.en}", "？")
        if roll < 0.22:
            what = bare(noun)
            return say(f"{spot.zh}没有{noun.zh}", f"there {'are' if what.many else 'is'} no {what.en} {spot.en}")
        value = rng.choice((1, 1, 1, 2, 2, 3, 4, 5))
        things = counted(noun, value)
        second = noun_of(rng, *kinds)
        if second.zh != noun.zh and rng.random() < 0.3:
            more = counted(second, rng.choice((1, 1, 2, 3)))
            things = Things(f"{things.zh}和{more.zh}", f"{things.en} and {more.en}", things.many)
        return say(f"{spot.zh}有{things.zh}", f"there {'are' if things.many else 'is'} {things.en} {spot.en}")
    place = rng.choice(PLACES["public"])
    noun = NOUN[
        rng.choice(
            ("学校", "医院", "饭店", "商店", "超市", "书店", "宾馆", "银行", "公园", "图书馆", "电影院", "咖啡馆")
        )
    ]
    side = rng.choice(POSITIONS["side"])
    if side.zh in ("里面", "外面") or noun.zh == place.zh:
        side = POSITIONS["side"][0]
    own = PRONOUN[rng.choice(("我", "你", "他", "她", "我们"))]
    here = rng.random()
    base = (
        Phrase(f"{own.zh}家{side.zh}", f"{side.en} {own.my} home")
        if here < 0.4
        else Phrase(place.zh + side.zh, f"{side.en} {place.en}")
    )
    if here > 0.9:
        base = rng.choice(
            (Phrase("附近", "nearby"), Phrase("这儿附近", "near here"), Phrase("这儿", "here"), Phrase("那儿", "there"))
        )
    if place.zh == noun.zh and 0.4 <= here <= 0.9:
        base = Phrase("公司" + side.zh, f"{side.en} the company")
    if roll < 0.65:
        return say(f"{base.zh}有{noun.zh}吗", f"is there {a(noun.en)} {base.en}", "？")
    if roll < 0.75:
        return say(f"{base.zh}没有{noun.zh}", f"there is no {noun.en} {base.en}")
    value = rng.choice((1, 1, 1, 2, 3))
    things = counted(noun, value)
    return say(f"{base.zh}有{things.zh}", f"there {'are' if value > 1 else 'is'} {things.en} {base.en}")


def distances(rng: random.Random) -> Pair:
    """我家离学校很远。公司离火车站远吗？学校离我家不远。"""
    own = any_owner(rng)
    home = named(f"{own.zh}家", f"{own.my} home")
    one, two = (named(p.zh, p.en) for p in rng.sample(PLACES["public"], 2))
    if rng.random() < 0.2:
        owner = PRONOUN[rng.choice(("我们", "我们", "你们", "他们"))]
        place = rng.choice([place for place in PLACES["public"] if place.zh in ("学校", "公司", "大学", "宾馆")])
        one = named(owner.zh + place.zh, f"{owner.my} {place.en.removeprefix('the ')}")
        if one.zh.endswith(two.zh) or rng.random() < 0.5:
            two = home
    elif rng.random() < 0.6:
        one, two = (home, two) if rng.random() < 0.6 else (two, home)
    words = {"远": "far from", "近": "close to"}
    zh = rng.choice("远远近")
    kinds = [
        (f"很{zh}", f"very {words[zh]}", False),
        (f"不{zh}", words[zh], True),
        (f"不太{zh}", f"very {words[zh]}", True),
    ]
    kinds += [(f"太{zh}了", f"too {words[zh]}", False), (f"非常{zh}", f"extremely {words[zh]}", False)]
    if rng.random() < 0.25:
        return say(f"{one.zh}离{two.zh}{zh}吗", states(one, f"be {words[zh]} {two.en}", question=True), "？")
    chinese, text, no = rng.choice(kinds)
    return say(f"{one.zh}离{two.zh}{chinese}", states(one, f"be {text} {two.en}", negative=no))


def transport(rng: random.Random) -> Pair:
    """我坐公共汽车去学校。你怎么去公司？他每天骑自行车上班。"""
    roll, place = rng.random(), rng.choice((*PLACES["public"], *PLACES["city"][:5]))
    if roll < 0.3:
        who = asked(rng)
        return say(f"{who.zh}怎么去{place.zh}", f"how {states(who, f'go {place.to}', question=True)}", "？")
    way = rng.choice(WAYS[:2]) if place.section == "city" else rng.choice(WAYS[2:])
    time = maybe(rng, 0.25, "habit")
    if rng.random() < 0.2:
        doing = rng.choice(
            (Phrase("上班", "go to work"), Phrase("上学", "go to school"), Phrase("上课", "go to class"))
        )
        if rng.random() < 0.25:
            who = asked(rng)
            return say(f"{who.zh}怎么去{doing.zh}", f"how {states(who, doing.en, question=True)}", "？")
        who, way, every = anyone(rng), rng.choice(WAYS[2:]), rng.choice((Phrase("", ""), Phrase("每天", "every day")))
        return say(f"{who.zh}{every.zh}{way[0]}去{doing.zh}", join(states(who, f"{doing.en} {way[1]}"), every.en))
    if rng.random() < 0.2:
        who = asked(rng)
        return say(f"{who.zh}{way[0]}去{place.zh}吗", states(who, f"go {place.to} {way[1]}", question=True), "？")
    who = anyone(rng)
    return say(f"{who.zh}{time.zh}{way[0]}去{place.zh}", join(states(who, f"go {place.to} {way[1]}"), time.en))


def directions(rng: random.Random) -> Pair:
    """去火车站怎么走？请往左走。往前走就是银行。请问，图书馆在哪儿？"""
    roll, place = rng.random(), rng.choice(PLACES["public"])
    please = rng.random() < 0.4
    if roll < 0.4:
        ask = rng.choice((f"去{place.zh}怎么走", f"{place.zh}怎么走"))
        return say(
            ("请问，" if please else "") + ask, ("excuse me, " if please else "") + f"how do I get {place.to}", "？"
        )
    if roll < 0.5:
        if rng.random() < 0.5:
            return say(f"请问，{place.zh}在哪儿", f"excuse me, where is {place.en}", "？")
        noun = rng.choice(["银行", "超市", "医院", "饭店", "书店", "宾馆", "公园", "咖啡馆"])
        return say(f"请问，附近有{noun}吗", f"excuse me, is there {a(NOUN[noun].en)} nearby", "？")
    ways = {
        "左": "left",
        "右": "right",
        "前": "straight ahead",
        "东": "east",
        "西": "west",
        "南": "south",
        "北": "north",
    }
    one, two = rng.sample([*ways], 2)
    polite = "请" * please
    if roll < 0.62:
        return say(f"{polite}往{one}走", f"{'please ' * please}go {ways[one]}")
    if roll < 0.75:
        return say(
            f"{polite}先往{one}走，再往{two}走", f"{'please ' * please}go {ways[one]} first, then go {ways[two]}"
        )
    if roll < 0.9:
        return say(f"往{one}走就是{place.zh}", f"go {ways[one]} and there is {place.en}")
    meters = rng.choice((50, 100, 200, 300, 500, 800))
    return say(
        f"{polite}往{one}走{number(meters).zh}米", f"{'please ' * please}go {ways[one]} for {number(meters).en} meters"
    )


def distance_to(rng: random.Random) -> Pair:
    """我家在学校旁边。他站在门外面。我们在公园里见面。"""
    own, spot = any_owner(rng), _building(rng)
    home = Things(f"{own.zh}家", f"{own.my} home")
    roll = rng.random()
    if roll < 0.5:
        no = rng.random() < 0.2
        return say(f"{home.zh}{'不' * no}在{spot.zh}", states(home, f"be {spot.en}", negative=no))
    if roll < 0.65:
        return say(f"{home.zh}在{spot.zh}吗", states(home, f"be {spot.en}", question=True), "？")
    who = anyone(rng)
    other = companion(rng, who)
    if roll < 0.85:
        return say(f"{who.zh}在{spot.zh}等{other.zh}", states(who, f"wait for {other.en_object} {spot.en}"))
    return say(f"{who.zh}坐在{other.zh}旁边", states(who, f"sit next to {other.en_object}"))
