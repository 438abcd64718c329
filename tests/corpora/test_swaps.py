"""Words of a phrase in the place of others: what may stand where, in three languages."""

import random

import pytest

from corpora import grammar, phrasebook
from corpora.__main__ import main
from corpora.pairs import Pair
from corpora.swaps import Swaps

DRAWS = 300


@pytest.fixture(scope="module")
def swaps() -> dict[str, Swaps]:
    return {language: Swaps(grammar.load(language)) for language in ("de", "es", "zh")}


CASES = [
    # language, phrase, one that is made of it, and words that would be wrong there
    ("de", "Ich habe einen Apfel. = I have an apple.", "Ich habe einen Kuchen. = I have a cake.", "Birne Ei"),  # gender
    ("de", "Kennst du den Lehrer? = Do you know the teacher?", "Kennst du den Bäcker? = Do you know the baker?",
     "Kunde Kunden"),  # which is different as a subject
    ("de", "Ich will das lesen. = I want to read that.", "Ich will das schneiden. = I want to cut that.",
     "see saw"),  # read is the past as well
    ("de", "Das Auto ist rot. = The car is red.", "Das Auto ist blau. = The car is blue.", "blaue"),
    ("es", "Quiero una manzana. = I want an apple.", "Quiero una cereza. = I want a cherry.", "plátano"),
    ("es", "La casa es blanca. = The house is white.", "La casa es roja. = The house is red.", "rojo"),
    ("zh", "我买了一本词典。 = I bought a dictionary.", "我买了一本小说。 = I bought a novel.", "衬衫 桌子"),  # 本
]  # fmt: skip


@pytest.mark.parametrize(("language", "phrase", "made", "wrong"), CASES)
def test_a_word_stands_only_where_its_form_is_right(
    language: str, phrase: str, made: str, wrong: str, swaps: dict[str, Swaps]
) -> None:
    rng, pair = random.Random(0), Pair(*phrase.split(" = "))
    found = {swapped for _ in range(DRAWS) if (swapped := swaps[language].swapped(pair, rng))}
    assert Pair(*made.split(" = ")) in found
    texts = " ".join(f"{source} {target}" for source, target in found)
    assert not [word for word in wrong.split() if word in (texts if language == "zh" else texts.split())]
    assert pair not in found


def test_a_word_that_stands_twice_stays(swaps: dict[str, Swaps]) -> None:
    places = swaps["de"].places(Pair("Ein Hund sieht Anna und ein Hund.", "A dog sees Anna and a dog."))
    assert [place.words for place in places] == [Pair("sieht", "sees"), Pair("Anna", "Anna")]


def test_words_without_a_place_give_nothing(swaps: dict[str, Swaps]) -> None:
    assert swaps["de"].swapped(Pair("Na ja.", "Oh well."), random.Random(0)) is None


def test_the_same_seed_gives_the_same(swaps: dict[str, Swaps]) -> None:
    pair = Pair("Der Mann kauft ein Hemd.", "The man is buying a shirt.")
    again = Swaps(grammar.load("de"))
    assert again.swapped(pair, random.Random(3)) == swaps["de"].swapped(pair, random.Random(3))


def test_the_command_shows_phrases_of_ours(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["corpora", "swap", "de", "--count", "5"])
    assert main() == 0
    lines = [line.split("  >  ") for line in capsys.readouterr().out.splitlines()]
    phrases = {phrase.source for book in phrasebook.read_all("de") for phrase in book.plain}
    assert len(lines) == 5
    assert {line[0] for line in lines} <= phrases
