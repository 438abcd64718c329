"""Dates as people write them, English, German, Chinese and in figures, each to be rewritten as 2019-03-03.

Split by date: no form of a held-out date is ever trained on.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from functools import cached_property

from corpora.pairs import Pair, Split, split_of
from corpora.task_list import Task

FIRST, LAST = date(1950, 1, 1), date(2049, 12, 31)  # a century, so that two figures name one year
HELD_OUT = 500
PER_EPOCH = 8192

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONATE = (
    "Januar", "Februar", "März", "April", "Mai", "Juni",
    "Juli", "August", "September", "Oktober", "November", "Dezember",
)  # fmt: skip
_TAGE = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
_FIGURES = "〇一二三四五六七八九"
_WEEK = "一二三四五六日"


def month(day: date) -> str:
    return _MONTHS[day.month - 1]


def mon(day: date) -> str:
    return month(day)[:3]


def weekday(day: date) -> str:
    return _DAYS[day.weekday()]


def monat(day: date) -> str:
    return _MONATE[day.month - 1]


def tag(day: date) -> str:
    return _TAGE[day.weekday()]


def woche(day: date) -> str:
    return _WEEK[day.weekday()]


def yy(day: date) -> str:
    return f"{day.year % 100:02d}"


def ordinal(day: date) -> str:
    """3rd, 11th, 21st."""
    last = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return f"{day.day}{'th' if 11 <= day.day <= 13 else last}"


def hanzi(number: int) -> str:
    """A number up to 99 in Chinese characters: 三, 十, 二十一."""
    tens, ones = divmod(number, 10)
    return ("" if tens < 2 else _FIGURES[tens]) + ("十" if tens else "") + (_FIGURES[ones] if ones else "")


Form = Callable[[date], str]
FORMS: dict[str, tuple[Form, ...]] = {
    "en": (
        lambda d: f"{d.day} {mon(d)} {d.year}",
        lambda d: f"{d.day} {month(d)} {d.year}",
        lambda d: f"{d.day:02d}-{mon(d)}-{d.year}",
        lambda d: f"{mon(d)} {d.day}, {d.year}",
        lambda d: f"{month(d)} {d.day}, {d.year}",
        lambda d: f"{month(d)} {d.day} {d.year}",
        lambda d: f"{month(d)} {ordinal(d)}, {d.year}",
        lambda d: f"{ordinal(d)} of {month(d)} {d.year}",
        lambda d: f"{weekday(d)}, {month(d)} {ordinal(d)} {d.year}",
        lambda d: f"{weekday(d)}, {d.day} {month(d)} {d.year}",
        lambda d: f"{weekday(d)[:3]}, {d.day:02d} {mon(d)} {d.year}",
        lambda d: f"{weekday(d)[:3]} {mon(d)} {d.day} {d.year}",
        lambda d: f"{d.day} {mon(d)} '{yy(d)}",
    ),
    "de": (
        lambda d: f"{d.day}.{d.month}.{yy(d)}",
        lambda d: f"{d.day}.{d.month}.{d.year}",
        lambda d: f"{d.day:02d}.{d.month:02d}.{d.year}",
        lambda d: f"{d.day:02d}.{d.month:02d}.{yy(d)}",
        lambda d: f"{d.day}. {monat(d)} {d.year}",
        lambda d: f"{tag(d)}, {d.day}. {monat(d)} {d.year}",
        lambda d: f"{tag(d)}, der {d.day}. {monat(d)} {d.year}",
        lambda d: f"{tag(d)[:2]}, {d.day}.{d.month}.{d.year}",
    ),
    "figures": (
        lambda d: f"{d.year}-{d.month:02d}-{d.day:02d}",
        lambda d: f"{d.year}-{d.month}-{d.day}",
        lambda d: f"{d.year}/{d.month}/{d.day}",
        lambda d: f"{d.year}/{d.month:02d}/{d.day:02d}",
        lambda d: f"{d.year}.{d.month}.{d.day}",
        lambda d: f"{d.year}{d.month:02d}{d.day:02d}",
    ),
    "zh": (
        lambda d: f"{d.year}年{d.month}月{d.day}日",
        lambda d: f"{d.year}年{d.month:02d}月{d.day:02d}日",
        lambda d: f"{d.year} 年 {d.month} 月 {d.day} 日",
        lambda d: f"{d.year}年{d.month}月{d.day}日星期{woche(d)}",
        lambda d: f"{d.year}年{d.month}月{d.day}日（周{woche(d)}）",
        lambda d: "".join(_FIGURES[int(f)] for f in str(d.year)) + f"年{hanzi(d.month)}月{hanzi(d.day)}日",
    ),
}
_ALL = tuple(form for forms in FORMS.values() for form in forms)
# what takes longest to learn is shown more often: figures alone, where little says which is which, and long forms
_HARD = (
    *FORMS["de"][:4] * 2,
    *[FORMS["de"][0], FORMS["de"][3]] * 2,
    *FORMS["de"][5:],
    *FORMS["en"][5:12],
    *FORMS["en"][8:10],
)
_TRAINED = (*_ALL, *_HARD, FORMS["zh"][2])


def write(day: date, rng: random.Random, forms: Sequence[Form] = _ALL) -> Pair:
    """A date in one of the forms, now and then without capitals, and as ISO 8601 has it."""
    source = rng.choice(forms)(day)
    return Pair(source.lower() if rng.random() < 0.1 else source, day.isoformat())


class Dates:
    """Other forms of other dates in each epoch."""

    name = "dates"

    def __init__(self, seed: int = 0, per_epoch: int = PER_EPOCH):
        self.seed = seed
        self.per_epoch = per_epoch

    @cached_property
    def days(self) -> dict[Split, list[date]]:
        """Every day of the century, by split."""
        by_split: dict[Split, list[date]] = {"train": [], "validation": [], "test": []}
        for number in range((LAST - FIRST).days + 1):
            day = FIRST + timedelta(number)
            by_split[split_of(day.isoformat())].append(day)
        return by_split

    def train(self, epoch: int) -> list[Pair]:
        rng = random.Random(f"{self.seed}/{epoch}/dates")
        days = self.days["train"]
        single = [day for day in days if day.day < 10]  # one figure or two is what is learned last
        sample = rng.choices(days, k=self.per_epoch - self.per_epoch // 4) + rng.choices(single, k=self.per_epoch // 4)
        return [write(day, rng, _TRAINED) for day in sample]

    def validation(self) -> list[Pair]:
        return self._held("validation", 200)

    def tests(self, split: Split = "test") -> dict[str, list[Pair]]:
        return {self.name: self._held(split, HELD_OUT)}

    def texts(self) -> Iterable[Pair]:
        """Every form of a date in each month, on each day of the week and of the month, with all figures of a year."""
        days = [
            date(year, number, 1 + (year + number) % 28) for year in range(1950, 2050, 7) for number in range(1, 13)
        ]
        return [Pair(text, day.isoformat()) for day in days for form in _ALL for text in (form(day), form(day).lower())]

    def source_words(self) -> Iterable[str]:
        return (pair.source for pair in self.texts())

    def covers(self) -> list[tuple[str, list[Pair]]]:
        day = date(2019, 3, 3)
        return [(language, [Pair(form(day), day.isoformat()) for form in forms]) for language, forms in FORMS.items()]

    def sources(self) -> list[dict[str, object]]:
        return [{"name": self.name, "pairs": len(self.days["train"]) * len(_ALL), "licence": "ours"}]

    def _held(self, split: Split, count: int) -> list[Pair]:
        rng = random.Random(f"{split}/dates")  # the same for every seed
        return [write(day, rng) for day in rng.sample(self.days[split], count)]


TASKS = (
    Task(
        name="dates",
        place=10,
        corpus=lambda run: Dates(run.seed),
        settings={"position_base": 100.0},  # its texts are the longest; with 50 not every seed learns all
        does="Writes a date as ISO 8601 has it, 2019-03-03, from 33 ways of writing it: English, German, Chinese, "
        "and figures alone.",
        beyond="Only days from 1950 to 2049, and one day at a time: no times, no ranges, no words like tomorrow. "
        "A date that does not exist is rewritten all the same.",
    ),
)
