"""Numbers that a translation loses or makes up: warned of where it does, and never where it is right."""

import random

import pytest

from corpora.collected import read_hsk
from corpora.grammar import load
from model.decode.translated_numbers import lost_numbers, new_numbers


@pytest.mark.parametrize(
    ("source", "english", "lost"),
    [
        ("我有58块钱。", "I have five yuan.", ("58",)),
        ("我有58块钱。", "I have eighty-five yuan.", ("58",)),
        ("我有58块钱。", "I have fifty-eight yuan.", ()),
        ("我有５８块钱。", "I have 58 yuan.", ()),
        ("我有五十八块钱。", "I have fifty yuan.", ("五十八",)),
        ("一共100块。", "One hundred and fifty yuan in total.", ("100",)),
        ("一共100块。", "One hundred fifty yuan in total.", ("100",)),
        ("一共150块。", "A hundred fifty yuan in total.", ()),
        ("走20分钟就到了。", "It's a twenty-minute walk.", ()),
        ("走20分钟就到了。", "It's a twenty-five-minute walk.", ("20",)),
        ("我买了3斤苹果，3个梨。", "I bought one and a half kilos of apples, two pears.", ("3",)),
        ("我买了3斤苹果，4个梨。", "I bought one and a half kilos of apples, four pears.", ()),
        ("我买了六斤苹果。", "I bought five kilos of apples.", ("六",)),
        ("我买了六斤苹果和1斤肉。", "I bought three kilos of apples and half a kilo of meat.", ()),
        ("今天是2024年5月1日，星期三。", "Today is December twenty-fourth.", ("2024", "5", "1")),
        ("今天是2024年5月1日，星期三。", "Today is Wednesday, May first, 2024.", ()),
        ("他二十岁，我21岁。", "He's 21, I'm 21.", ("二十",)),
        ("我每天8:30起床。", "I get up at half past eight every day.", ()),
        ("现在是9点40分。", "It's twenty to ten now.", ()),
        ("现在是9点40分。", "It's ten past ten now.", ("9", "40")),
        ("他买了一辆3,500块的车。", "He bought a car for 3500 yuan.", ()),
        ("我们一起吃一点儿，我十分高兴。", "We eat a bit, I'm very happy.", ()),
        ("1+1=2", "Polar.", ("1", "2")),
        ("一万二千三百五十八块", "Five yuan.", ()),  # larger numerals are not read
    ],
)
def test_a_lost_number_of_a_chinese_sentence_is_named(source: str, english: str, lost: tuple[str, ...]) -> None:
    assert lost_numbers(source, english, "zh") == lost


@pytest.mark.parametrize(
    ("source", "english", "lost"),
    [
        ("Ich lerne seit 3 Jahren Deutsch.", "I've been learning German for three years.", ()),
        ("Bis Freitag, 17 Uhr.", "By Friday, 5pm.", ()),
        ("Bis Freitag, 17 Uhr.", "By Friday at five.", ()),
        ("Wir kommen um 13:45 Uhr.", "We come at a quarter to two.", ()),
        ("Das kostet 100 Euro.", "That costs a hundred euros.", ()),
        ("Hier leben 2 000 Menschen.", "Two thousand people live here.", ()),
        ("Das kostet 1.200 Euro.", "That costs 1,200 euros.", ()),
        ("Das kostet 58 Euro.", "That costs 85 euros.", ("58",)),
        ("Wir essen um halb 8.", "We eat at 7:30.", ()),
        ("Musik der 90er", "Music of the 1990s", ()),
        ("Wir essen um 8 Uhr.", "We eat at 6:00.", ("8",)),
        ("Ich habe zwei Brüder.", "I have a brother.", ()),  # only figures of German are read
    ],
)
def test_a_lost_figure_of_a_german_sentence_is_named(source: str, english: str, lost: tuple[str, ...]) -> None:
    assert lost_numbers(source, english, "de") == lost


@pytest.mark.parametrize(
    ("source", "english", "language", "new"),
    [
        ("1+1=2", "1+12=2.", "zh", ("12",)),
        ("1+1=2", "1+1=2", "zh", ()),
        ("我很忙。", "I have 20 books.", "zh", ("20",)),
        ("我17:45到。", "I arrive at 5:45 pm.", "zh", ()),
        ("我12:45到。", "I arrive at a quarter to 1.", "zh", ()),
        ("我住三号楼。", "I live in Building 3.", "zh", ()),
        ("他买了一辆3,500块的车。", "He bought a car for 3500 yuan.", "zh", ()),
        ("Das kostet 58 Euro.", "That costs 58 or 85 euros.", "de", ("85",)),
        ("Es ist zwei Uhr fünfzehn.", "It's 2:15.", "de", ()),
        ("Er kommt um 8 Uhr.", "He comes at 8:00.", "de", ()),
        ("Er kommt um 8 Uhr.", "He comes at 8:20.", "de", ("20",)),
        ("Er kommt um 8 Uhr.", "He comes at 6:00.", "de", ("6", "00")),
        ("我们3点半见。", "We meet at 3:30.", "zh", ()),
        ("下午5点开会。", "The meeting is at 17:00.", "zh", ()),
        ("90年代的音乐", "Music of the 1990s", "zh", ()),
        ("90年代的音乐", "Music of the 1980s", "zh", ("1980",)),
        ("我们俩都去。", "The 2 of us go.", "zh", ()),
        ("Il est deux heures.", "It's 2:15.", "fr", ()),
    ],
)
def test_a_number_of_the_translation_alone_is_named(
    source: str, english: str, language: str, new: tuple[str, ...]
) -> None:
    assert new_numbers(source, english, language) == new


def test_translations_that_are_right_lose_nothing_and_make_nothing_up() -> None:
    rng = random.Random(3)
    pairs = [topic.generator(rng) for topic in load("zh").topics for _ in range(50)]
    pairs += [pair for _, pair in read_hsk()]
    misses = {source for source, target in pairs if lost_numbers(source, target, "zh")}
    assert misses <= {"英文有二十六个字母。"}  # whose translation is wrong in the data
    assert {source for source, target in pairs if new_numbers(source, target, "zh")} == set()
    rng = random.Random(3)
    german_pairs = [topic.generator(rng) for topic in load("de").topics for _ in range(50)]
    assert {pair[0] for pair in german_pairs if new_numbers(pair[0], pair[1], "de")} == set()
