"""Numbers in digits: counted things, years, clock times, sums; English copies those that it would not say."""

import random

from corpora.chinese.clauses import maybe, say, states
from corpora.chinese.dictionary import PLACES, TIMES
from corpora.chinese.english import join
from corpora.chinese.lexicon import Phrase
from corpora.chinese.numbers import counting, in_digits, number, ordinal, spelled
from corpora.chinese.subjects import any_owner, anyone, single
from corpora.chinese.topics import daily, doing, past, people, talking, things, time
from corpora.pairs import Pair

NUMBERED = (
    people.ages, people.ages, people.family, things.having, things.how_many, daily.orders, daily.prices, daily.prices,
    time.clock_times, time.dates, time.dates, time.from_to, doing.daily_times, talking.how_long, talking.older_by,
    past.past, past.lasting,
)  # fmt: skip


def in_figures(rng: random.Random) -> Pair:
    """他21岁。现在3点半。这本书58块钱。"""
    while True:
        pair = rng.choice((*NUMBERED, amounts, amounts))(rng)
        if (source := in_digits(pair.source)) != pair.source:
            return Pair(source, pair.target)


def amounts(rng: random.Random) -> Pair:
    """我有五十八块钱。我们班有四十个学生。今天二十八度。他花了三百块。"""
    roll, value = rng.random(), rng.randint(2, 99) if rng.random() < 0.8 else rng.randint(100, 999)
    amount, yuan = counting(value), rng.choice(("块", "块钱", "块钱", "元"))
    if roll < 0.4:
        who = anyone(rng)
        return say(f"{who.zh}有{amount.zh}{yuan}", states(who, f"have {amount.en} yuan"))
    if roll < 0.6:
        who, day = anyone(rng), maybe(rng, 0.4, "past")
        text = join(states(who, f"spend {amount.en} yuan", tense="past"), day.en)
        return say(f"{who.zh}{day.zh}花了{amount.zh}{yuan}", text)
    if roll < 0.75:
        day, degrees = rng.choice(TIMES["day"][:3:2]), counting(rng.randint(2, 39))
        was = "was" if day.zh == "昨天" else "is"
        return say(f"{day.zh}{degrees.zh}度", f"it {was} {degrees.en} degrees {day.en}".replace("it is", "it's"))
    where = rng.choice(
        (Phrase("我们班", "our class"), Phrase("他们班", "their class"), Phrase("我们学校", "our school"))
    )
    students = (Phrase("学生", "students"), Phrase("男学生", "male students"), Phrase("女学生", "female students"))
    thing = rng.choice(students)
    return say(f"{where.zh}有{amount.zh}个{thing.zh}", f"{where.en} has {amount.en} {thing.en}")


def large_amounts(rng: random.Random) -> Pair:
    """这台电脑3500块。我花了12000元。"""
    value = rng.choice((rng.randint(10, 99) * 100, rng.randint(1000, 9999), rng.randint(10, 99) * 1000))
    figure = f"{value:,}" if rng.random() < 0.2 else str(value)
    yuan, who = rng.choice(("块", "块钱", "元")), anyone(rng)
    if rng.random() < 0.5:
        return say(f"{who.zh}花了{figure}{yuan}", states(who, f"spend {figure} yuan", tense="past"))
    return say(f"一共{figure}{yuan}", f"{figure} yuan in total")


def _year(rng: random.Random) -> Phrase:
    """2024年 or 二零二四年, 2024."""
    year = str(rng.choice((rng.randint(1940, 2039), rng.randint(1990, 2030))))
    return Phrase(f"{year if rng.random() < 0.75 else spelled(year)}年", year)


def full_date(rng: random.Random) -> Phrase:
    """2024年5月1日, May first, 2024."""
    year, month, day = _year(rng), rng.randint(1, 12), rng.randint(1, 30)
    text = f"{number(month).zh}月{number(day).zh}{rng.choice('日日号')}"
    if year.zh[0].isdigit():
        text = in_digits(text)
    return Phrase(year.zh + text, f"{time.MONTHS[month - 1]} {ordinal(day)}, {year.en}")


def years(rng: random.Random) -> Pair:
    """我是1998年出生的。今天是2024年5月1日，星期三。他2015年去了北京。"""
    roll, date = rng.random(), full_date(rng)
    if roll < 0.25:
        return say(f"今天是{date.zh}", f"today is {date.en}")
    if roll < 0.5:
        week = rng.choice(TIMES["weekday"])
        return say(f"今天是{date.zh}，{week.zh}", f"today is {week.en}, {date.en}")
    who, year = anyone(rng), _year(rng)
    if roll < 0.75:
        return say(f"{who.zh}是{year.zh}出生的", f"{states(who, 'be', tense='past')} born in {year.en}")
    city = rng.choice(PLACES["city"])
    return say(f"{who.zh}{year.zh}去了{city.zh}", f"{states(who, f'go {city.to}', tense='past')} in {year.en}")


def digital_clock(rng: random.Random) -> Pair:
    """现在8:30。我每天7:15起床。电影19:30开始。"""
    hour, minute, roll = rng.randint(0, 23), rng.randint(0, 59) // 5 * 5, rng.random()
    clock = f"{hour}:{minute:02}"
    if roll < 0.4:
        return say(f"现在{rng.choice(('', '是'))}{clock}", f"it's {clock} now")
    if roll < 0.7:
        zh, en = rng.choice((("电影", "the movie"), ("考试", "the exam"), ("比赛", "the game"), ("课", "the class")))
        return say(f"{zh}{clock}开始", f"{en} starts at {clock}")
    who, every = anyone(rng), rng.choice((Phrase("", ""), Phrase("每天", "every day")))
    act = rng.choice((Phrase("起床", "get up"), Phrase("睡觉", "go to bed"), Phrase("上班", "go to work")))
    return say(who.zh + every.zh + clock + act.zh, join(states(who, act.en), f"at {clock}", every.en))


def copied(rng: random.Random) -> Pair:
    """我的电话号码是13800138000。她住在302房间。3+5=8。"""
    roll = rng.random()
    if roll < 0.45:
        owner = any_owner(rng)
        figure = str(rng.randint(10**6, 10**8 - 1) if rng.random() < 0.4 else rng.randint(13 * 10**9, 19 * 10**9))
        return say(f"{owner.zh}的电话号码是{figure}", f"{owner.my} phone number is {figure}")
    if roll < 0.7:
        who, room = single(rng), str(rng.randint(101, 1999))
        return say(f"{who.zh}住在{room}房间", states(who, f"live in room {room}"))
    one, two = rng.randint(0, 60), rng.randint(0, 60)
    if roll < 0.85:
        return say(f"{one}+{two}={one + two}", f"{one}+{two}={one + two}")
    one, two = one % 10, two % 10
    left, right, total = (number(value) for value in (one, two, one + two))
    return say(f"{left.zh}加{right.zh}等于{total.zh}", f"{left.en} plus {right.en} is {total.en}")
