"""Minimal pairs of a grammar: on the small one what stands in both sentences, and what the three languages have."""

from pathlib import Path

import pytest

from corpora.grammar import LANGUAGES, Grammar, contrasts, load
from corpora.grammar.contrasts import FILE, MinimalPair
from corpora.lexicon import Rows
from corpora.pairs import split_of
from tests.corpora.test_grammar import WORDS, grammar

NUMBER = "{der} {n:noun sg +food -no-pl} {sein pres} neu{x:name}. = the {n} {be now} new, {x}."
NUMBER += " = {der pl} {n pl} {sein pres pl} neu{x}. = the {n pl} {be now pl} new, {x}."
NAMES = "\n@name\n" + "\n".join(f"X{number} = X{number}" for number in range(400))


def small(folder: Path, lines: str) -> tuple[Grammar, contrasts.Contrasts]:
    made = grammar(folder, words=WORDS + NAMES)
    (made.folder / FILE).write_text(lines, encoding="utf-8")
    return made, contrasts.read(made)


def test_both_sentences_have_the_same_words_and_each_is_the_wrong_output_of_the_other(tmp_path: Path) -> None:
    of, found = small(tmp_path, f"@number\n{NUMBER}")
    pairs = contrasts.draw(of, "number", found["number"], 10, 0, ())
    assert len({pair.source for pair in pairs}) == 10
    for at, pair in enumerate(pairs):
        name = pair.right.removesuffix(".").split(", ")[1]
        one, several = f"The apple is new, {name}.", f"The apples are new, {name}."
        source, right, wrong = (f"Die Äpfel sind neu {name}.", several, one) if at % 2 == 0 else (
            f"Der Apfel ist neu {name}.", one, several)  # fmt: skip
        assert pair == MinimalPair(source.replace(f" {name}", name), right, wrong)
        assert split_of(pair.source) == "test"


def test_a_seed_draws_the_same_pairs_and_none_of_those_without(tmp_path: Path) -> None:
    of, found = small(tmp_path, f"@number\n{NUMBER}")
    pairs = contrasts.draw(of, "number", found["number"], 10, 0, ())
    assert pairs == contrasts.draw(of, "number", found["number"], 10, 0, ())
    assert pairs != contrasts.draw(of, "number", found["number"], 10, 1, ())
    known = {pair.source for pair in pairs}
    others = contrasts.draw(of, "number", found["number"], 5, 0, known)
    assert known.isdisjoint(pair.source for pair in others)


def test_alternatives_of_all_texts_go_with_those_of_the_first(tmp_path: Path) -> None:
    of, found = small(tmp_path, "@one\n(Ja|Nein), neu. = (Yes|No), new. = (Oh|Ach), neu. = (Oh|Ah), old.")
    assert [[of.write(of.drawing.pattern(each, None)).pair for each in both] for both in found["one"]] == [  # type: ignore[arg-type]
        [("Ja, neu.", "Yes, new."), ("Oh, neu.", "Oh, old.")],
        [("Nein, neu.", "No, new."), ("Ach, neu.", "Ah, old.")],
    ]


def test_a_line_that_cannot_be_read_and_a_phenomenon_without_enough_pairs_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="is not of the form"):
        small(tmp_path, "@one\nJa. = Yes. = Nein.")
    with pytest.raises(ValueError, match="do not go together"):
        small(tmp_path, "@one\n(Ja|Nein). = (Yes|No). = (A|B|C). = (A|B|C).")
    of, found = small(tmp_path, "@one\nJa. = Yes. = Nein. = No.")
    monkeypatch.setattr(contrasts, "_TRIES", 200)
    with pytest.raises(ValueError, match="makes only"):
        contrasts.draw(of, "one", found["one"], 3, 0, ())


@pytest.fixture(params=["de", "es", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    return request.param


def test_every_language_has_at_least_twenty_phenomena(language: str) -> None:
    assert len(Rows(LANGUAGES / language / FILE).sections) >= 20


def test_every_line_makes_two_sentences_that_differ_on_both_sides(language: str) -> None:
    of = load(language)
    for name, lines in contrasts.read(of).items():
        by_line: dict[str, list] = {}
        for both in lines:
            by_line.setdefault(both[0].line, []).append(both)
        for line, each in by_line.items():
            rng = contrasts.random.Random(line)
            first, second = next(made for made in (contrasts.both(of, *each[0], rng) for _ in range(50)) if made)
            assert all("{" not in text for text in (*first, *second)), (name, line)
            assert first[1] != second[1], (name, line)
