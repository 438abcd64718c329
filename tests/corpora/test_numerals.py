"""Chinese numbers in characters and in digits."""

import pytest

from corpora.numerals import counting, in_digits, number, ordinal


@pytest.mark.parametrize(
    ("numerals", "digits"),
    [
        ("他二十一岁。", "他21岁。"),
        ("我有两本书。", "我有2本书。"),
        ("现在七点零五分。", "现在7点05分。"),
        ("我们一起吃一点儿吧。", "我们一起吃一点儿吧。"),
        ("今天是星期三，我十分高兴。", "今天是星期三，我十分高兴。"),
        ("他比我大三岁。", "他比我大3岁。"),
        ("下个星期十二点见。", "下个星期十二点见。"),
        ("五分之一的学生一本正经。", "五分之一的学生一本正经。"),
        ("他有几十张名片。", "他有几十张名片。"),
        ("我们拍了几百张照片。", "我们拍了几百张照片。"),
    ],
)
def test_numerals_that_count_are_written_in_digits(numerals: str, digits: str) -> None:
    assert in_digits(numerals) == digits


@pytest.mark.parametrize(
    ("value", "characters"),
    [
        (0, "零"),
        (10, "十"),
        (12, "十二"),
        (20, "二十"),
        (99, "九十九"),
        (105, "一百零五"),
        (110, "一百一十"),
        (250, "二百五十"),
    ],
)
def test_numbers(value: int, characters: str) -> None:
    assert number(value).zh == characters


def test_two_that_counts_and_ordinals() -> None:
    assert (counting(2).zh, counting(12).zh, ordinal(21), ordinal(12)) == ("两", "十二", "twenty-first", "twelfth")
