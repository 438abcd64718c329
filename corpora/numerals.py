"""Chinese numbers in characters, 0 to 999 and round thousands, in digits, and English ordinals."""

import re
from typing import NamedTuple

DIGITS = "零一二三四五六七八九"
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ONES += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
ORDINALS |= {"twelve": "twelfth", "twenty": "twentieth", "thirty": "thirtieth"}


class Phrase(NamedTuple):
    """The same in both languages."""

    zh: str
    en: str


def number(value: int) -> Phrase:
    """21 -> 二十一, twenty-one; 250 -> 二百五十, two hundred and fifty."""
    if value >= 1000:
        return Phrase(f"{DIGITS[value // 1000]}千", f"{ONES[value // 1000]} thousand")
    if value >= 100:
        hundreds, rest = divmod(value, 100)
        zh, en = f"{DIGITS[hundreds]}百", f"{ONES[hundreds]} hundred"
        if not rest:
            return Phrase(zh, en)
        small = number(rest)
        between = "零" if rest < 10 else "一" if rest < 20 else ""
        return Phrase(zh + between + small.zh, f"{en} and {small.en}")
    ten, one = divmod(value, 10)
    zh = ("" if ten == 0 else "十" if ten == 1 else DIGITS[ten] + "十") + (DIGITS[one] if one or not ten else "")
    en = ONES[value] if value < 20 else TENS[ten] + (f"-{ONES[one]}" if one else "")
    return Phrase(zh, en)


def counting(value: int) -> Phrase:
    """The number before a measure word: 两, not 二."""
    return Phrase("两", "two") if value == 2 else number(value)


def ordinal(value: int) -> str:
    """first, twelfth, twenty-third."""
    head, dash, last = number(value).en.rpartition("-")
    return head + dash + ORDINALS.get(last, last + "th")


# before what is counted: no 一 of 一起 and 星期一, no 十分 that says very, no 百分之, no 第二天 (the next day), no 几十
_NUMERAL = re.compile(
    r"(?<!星期)(?!(?<=第)二天)(?<![零一二两三四五六七八九十百千万亿几])(?!一[口把道家条份下]|一本正经|一点(?![半钟零一二三四五十])|(?<![点差])十分(?!钟)|百分)[零一二两三四五六七八九十百]+"
    r"(?=(?!分之)[岁点块元号月日斤分个本杯年天次口张件位只辆家碗条支双把台棵朵首部道份度楼](?!儿))"
)
_IN_DIGITS = {said(value).zh: str(value) for value in range(1000) for said in (number, counting)}
_IN_DIGITS |= {f"零{number(value).zh}": f"0{value}" for value in range(1, 10)}  # 七点零五分


def in_digits(text: str) -> str:
    """七点 -> 7点, 二十一岁 -> 21岁; a numeral of a fixed expression stays."""
    return _NUMERAL.sub(lambda numeral: _IN_DIGITS.get(numeral[0], numeral[0]), text)


def numerals(text: str) -> list[tuple[str, int]]:
    """Each numeral that `in_digits` replaces, and its value."""
    return [(match[0], int(_IN_DIGITS[match[0]])) for match in _NUMERAL.finditer(text) if match[0] in _IN_DIGITS]
