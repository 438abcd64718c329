"""Clock times, weekdays, dates, and what takes how long."""

import random

from corpora.chinese.clauses import Action, action, maybe, nearby, planned, say, states
from corpora.chinese.dictionary import ACTIVITY, PLACES, PRONOUN, TIMES
from corpora.chinese.english import a, ing, join, negated, third
from corpora.chinese.lexicon import Activity, Phrase, Place
from corpora.chinese.numbers import ONES, counting, number, ordinal
from corpora.chinese.phrases import column
from corpora.chinese.subjects import anyone, named, relative
from corpora.pairs import Pair

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
MONTHS += ("November", "December")
PART_HOURS = {"早上": (5, 6, 7, 8), "上午": (9, 10, 11), "下午": (1, 2, 3, 4, 5, 6), "晚上": (7, 8, 9, 10, 11)}
FESTIVALS = (("我的生日", "my birthday"), ("妈妈的生日", "Mom's birthday"), ("考试", "the exam"), ("比赛", "the game"))
FESTIVALS += (("小明的生日", "Xiaoming's birthday"), ("他的生日", "his birthday"), ("她的生日", "her birthday"))
FESTIVALS += (("春节", "Spring Festival"), ("新年", "New Year"))


def clock(rng: random.Random, hours: tuple[int, ...] = tuple(range(1, 13))) -> Phrase:
    """七点, seven o'clock; 七点半, half past seven; 差五分八点, five to eight."""
    hour, roll = rng.choice(hours), rng.random()
    zh = f"{counting(hour).zh}点"
    if roll < 0.4:
        return Phrase(zh, f"{ONES[hour]} o'clock")
    if roll < 0.6:
        return Phrase(f"{zh}半", f"half past {ONES[hour]}")
    if roll < 0.7:
        return Phrase(f"{zh}一刻", f"a quarter past {ONES[hour]}")
    minutes = rng.choice((5, 10, 20, 25))
    if roll < 0.85:
        zero = "零" if minutes < 10 else ""
        return Phrase(f"{zh}{zero}{number(minutes).zh}分", f"{number(minutes).en} past {ONES[hour]}")
    minutes = rng.choice((5, 10))
    return Phrase(f"差{number(minutes).zh}分{zh}", f"{ONES[minutes]} to {ONES[hour]}")


def at_clock(rng: random.Random, hours: tuple[int, ...] = tuple(range(1, 13))) -> Phrase:
    """七点, at seven o'clock."""
    while (time := clock(rng, hours)).zh.startswith("差"):
        pass
    return Phrase(time.zh, f"at {time.en}")


def clock_times(rng: random.Random) -> Pair:
    """现在几点？现在三点半。现在是下午五点。我们八点见。电影七点开始。"""
    roll = rng.random()
    if roll < 0.35:
        is_, time = rng.choice(("", "是")), clock(rng)
        return say(f"现在{is_}{time.zh}", f"it's {time.en} now")
    if roll < 0.55:
        part = rng.choice([part for part in TIMES["part"] if part.zh in PART_HOURS])
        time = at_clock(rng, PART_HOURS[part.zh])
        return say(f"现在{rng.choice(('', '是'))}{part.zh}{time.zh}", f"it's {time.en[3:]} {part.en} now")
    starts = (
        ("电影", "the movie"),
        ("考试", "the exam"),
        ("比赛", "the game"),
        ("课", "the class"),
        ("会议", "the meeting"),
    )
    thing = rng.choice(starts)
    if roll < 0.62:
        return say(f"{thing[0]}几点开始", f"what time does {thing[1]} start", "？")
    if roll < 0.8:
        time, day = at_clock(rng), maybe(rng, 0.5, "day")
        if day.zh in ("昨天", "前天"):
            return say(
                f"{day.zh}的{thing[0]}{time.zh}开始",
                join(f"{day.en}'s", thing[1].removeprefix("the "), "starts", time.en),
            )
        return say(
            f"{day.zh}{thing[0]}{time.zh}开始",
            join(day.en, thing[1], "starts" if day.zh in ("", "今天") else "will start", time.en),
        )
    time, day = at_clock(rng), maybe(rng, 0.7, "plan")
    who = rng.choice((("我们", "we"), ("我们", "we"), ("他们", "they")))
    return say(f"{who[0]}{day.zh}{time.zh}见面", join(who[1], "will meet" if day.zh else "meet", time.en, day.en))


def dates(rng: random.Random) -> Pair:
    """今天几月几号？今天五月一号。昨天是星期三。我的生日是三月八号。"""
    roll, day = rng.random(), rng.choice(TIMES["day"])
    past_day = day.zh in ("昨天", "前天")
    was = "was" if past_day else "is"
    is_ = "是" if rng.random() < 0.6 or past_day else ""
    month = rng.randint(1, 12)
    date = rng.randint(1, 30)
    zh = f"{number(month).zh}月{number(date).zh}{rng.choice('号号日')}"
    en = f"{MONTHS[month - 1]} {ordinal(date)}"
    if roll < 0.08:
        return say(
            f"{day.zh}{is_}{rng.choice(('几月几号', '几号', '几月几日'))}", f"what {was} the date {day.en}", "？"
        )
    if roll < 0.15:
        return say(f"{day.zh}{is_}星期几", f"what day {was} it {day.en}", "？")
    if roll < 0.3:
        week = rng.choice(TIMES["weekday"])
        no = "不" if is_ and rng.random() < 0.25 else ""
        return say(f"{day.zh}{no}{is_}{week.zh}", f"{day.en} {negated(was) if no else was} {week.en}")
    if roll < 0.36:
        week = rng.choice(TIMES["weekday"])
        return say(f"{day.zh}是星期{week.zh[-1]}吗", f"{was} {day.en} {week.en}", "？")
    if roll < 0.6:
        return say(f"{day.zh}{is_}{zh}", f"{day.en} {was} {en}")
    feast = rng.choice(FESTIVALS)
    if rng.random() < 0.4:
        person = relative(rng)
        feast = (f"{person.zh}的生日", f"{person.my} birthday")
    if roll < 0.7:
        return say(f"{feast[0]}是{rng.choice(('几月几号', '哪天', '什么时候'))}", f"when is {feast[1]}", "？")
    return say(f"{feast[0]}是{zh}", f"{feast[1]} is on {en}")


LONG = column("time.long")
# what one does at the same time, and what beside it
MEANWHILE = {
    ("吃早饭", "吃午饭", "吃晚饭"): ("看电视", "看报纸", "说话", "听音乐", "聊天儿", "上网"),
    ("做饭", "洗衣服", "洗碗", "打扫房间"): ("听音乐", "听歌", "唱歌", "看电视", "说话"),
    ("跑步", "走路", "散步", "骑自行车"): ("听音乐", "听歌", "说话", "唱歌"),
    ("工作", "学习", "上网"): ("听音乐", "喝茶", "喝咖啡", "听歌"),
    ("休息", "喝茶", "喝咖啡"): ("看书", "看报纸", "听音乐", "看电视", "聊天儿", "上网"),
}


def from_to(rng: random.Random) -> Pair:
    """我从八点到十二点上课。从星期一到星期五他都上班。从北京到上海要五个小时。"""
    roll = rng.random()
    if roll < 0.35:
        who, act = anyone(rng), ACTIVITY[rng.choice(LONG)]
        start = rng.randint(1, 10)
        end = start + rng.randint(1, 12 - start if start > 8 else 4)
        times = Phrase(
            f"从{counting(start).zh}点到{counting(end).zh}点", f"from {ONES[start]} o'clock to {ONES[end]} o'clock"
        )
        return say(who.zh + times.zh + act.zh, f"{states(who, act.en)} {times.en}")
    if roll < 0.65:
        who, act = anyone(rng), action(rng, "do", "place")
        while act.verb in ("吃", "睡"):
            act = action(rng, "do", "place")
        start = rng.randint(0, 4)
        first, last = TIMES["weekday"][start], TIMES["weekday"][rng.randint(start + 1, 6)]
        every = "都" if rng.random() < 0.4 else ""
        return say(
            f"从{first.zh}到{last.zh}{who.zh}{every}{act.zh}", f"from {first.en} to {last.en} {states(who, act.en)}"
        )
    near = rng.random() < 0.5
    start, end = rng.sample(PLACES["public"] if near else PLACES["city"][:6], 2)
    if roll < 0.72:
        return say(f"从{start.zh}到{end.zh}要多长时间", f"how long does it take from {start.en} to {end.en}", "？")
    if roll < 0.86:
        value = rng.choice((5, 10, 15, 20, 30, 40)) if near else rng.randint(1, 10)
        unit = ("分钟", "minute") if near else ("个小时", "hour")
        text = a(unit[1]) if value == 1 else f"{counting(value).en} {unit[1]}s"
        on_foot = near and rng.random() < 0.35
        if near and rng.random() < 0.35:
            owner = PRONOUN[rng.choice("我你他她")]
            start = Place(f"{owner.zh}家", "", "", f"{owner.my} home", "")
        return say(
            f"从{start.zh}到{end.zh}{'走路' * on_foot}要{counting(value).zh}{unit[0]}",
            f"it takes {text}{' on foot' * on_foot} from {start.en} to {end.en}",
        )
    adjective = rng.choice(
        (("很远", "very far"), ("不远", "not far"), ("很近", "very close"), ("不太远", "not very far"))
    )
    return say(f"从{start.zh}到{end.zh}{adjective[0]}", f"it's {adjective[1]} from {start.en} to {end.en}")


def moments(rng: random.Random) -> Pair:
    """我吃饭的时候看电视。睡觉以前他看书。下课以后我们去公园跑步。"""
    who, roll = anyone(rng), rng.random()
    act: Action | Activity = nearby(rng, "do", "visit")
    first: Action | Activity = action(rng, "do")
    while first.zh == act.zh or first.verb == act.verb:
        first = action(rng, "do")
    if roll < 0.4:
        firsts, beside = rng.choice(tuple(MEANWHILE.items()))
        first, act = ACTIVITY[rng.choice(firsts)], ACTIVITY[rng.choice(beside)]
        order = first.zh + "的时候" + who.zh if rng.random() < 0.4 else f"{who.zh}{first.zh}的时候"
        return say(order + act.zh, f"when {ing(first.en)}, {states(who, act.en)}")
    before, word = rng.choice((("以前", "before"), ("以后", "after")))
    return say(f"{first.zh}{before}{who.zh}{act.zh}", f"{word} {ing(first.en)}, {states(who, act.en)}")


def soon(rng: random.Random) -> Pair:
    """快要下雨了。火车快要开了。我快要回家了。"""
    things = (
        ("下雨", "it", "rain"),
        ("下雪", "it", "snow"),
        ("火车|开", "the train", "leave"),
        ("飞机|起飞", "the plane", "take off"),
        ("电影|开始", "the movie", "start"),
        ("考试|开始", "the exam", "start"),
        ("比赛|开始", "the game", "start"),
        ("商店|关门", "the shop", "close"),
        ("银行|关门", "the bank", "close"),
        ("超市|关门", "the supermarket", "close"),
        ("图书馆|关门", "the library", "close"),
        ("春天|到", "spring", "come"),
        ("夏天|到", "summer", "come"),
        ("冬天|到", "winter", "come"),
        ("新年|到", "New Year", "come"),
    )
    word = rng.choice(("快要", "就要", "要", "快"))
    if rng.random() < 0.3:
        zh, subject, verb = rng.choice(things)
        head, bar, tail = zh.partition("|")
        who = named(head, subject) if bar else named("", subject)
        return say(f"{who.zh}{word}{tail or zh}了", states(who, f"be about to {verb}"))
    who, act = anyone(rng), planned(rng, "go", "visit")
    if rng.random() < 0.4:
        act_zh, en = rng.choice(
            (
                ("下班", "get off work"),
                ("结婚", "get married"),
                ("走", "leave"),
                ("上课", "have class"),
                ("考试", "take an exam"),
            )
        )
        return say(f"{who.zh}{word}{act_zh}了", states(who, f"be about to {en}"))
    return say(f"{who.zh}{word}{act.zh}了", states(who, f"be about to {act.en}"))


def first_then(rng: random.Random) -> Pair:
    """我先吃饭，再看电视。你先做作业，再看书吧。"""
    who, one, two = anyone(rng), nearby(rng, "do", "go", "visit"), nearby(rng, "do", "visit")
    while one.verb == two.verb:
        two = nearby(rng, "do", "visit")
    second = {"再": "then", "然后": "and then"}
    word = rng.choice(tuple(second))
    text = states(who, f"{one.en}, {second[word]} {two.en}", adverb="first") if who.many or who.en == "I" else ""
    text = text or f"{states(who, one.en, adverb='first')}, {second[word]} {third(two.en)}"
    return say(f"{who.zh}先{one.zh}，{word}{two.zh}", text)
