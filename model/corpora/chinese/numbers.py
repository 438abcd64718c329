"""Numbers in characters, 0 to 999, with 两 before a measure word, and English ordinals."""

from model.corpora.chinese.lexicon import Phrase

DIGITS = "零一二三四五六七八九"
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ONES += ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
ORDINALS |= {"twelve": "twelfth", "twenty": "twentieth", "thirty": "thirtieth"}


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
