"""Ordinary sentences: what an output may say in other writing, and what it may not."""

import pytest

from corpora import ordinary
from corpora.ordinary import accepted


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        ("I'm at home.", "I am at home."),
        ("I don’t know", "I do not know."),
        ("He cannot come!", "He can't come."),
        ("It's raining.", "It is raining."),
        ("It's been a long time.", "It has been a long time."),
        ("He's already gone.", "He has already gone."),
        ("The dog's asleep.", "The dog is asleep."),
        ("It is my mother's book.", "It's my mother's book."),
        ("I'd like tea.", "I would like tea."),
        ("You'd better go.", "You had better go."),
        ("Aren't you tired?", "Are you not tired?"),
        ("The colour is grey.", "The color is gray."),
        ("I have two cats.", "I have 2 cats."),
        ("She is twenty-one.", "She is 21."),
        ("It costs 5 €.", "It costs five euros."),
        ("It starts at 7.30.", "It starts at 7:30"),
        ("A well-known e-mail", "a well known email"),
        ("Yes, I am coming.", "Yes! I'm coming"),
        ("I go to the cinema this evening.", "{I'm going|I go} to the {cinema|movies} {today|this evening}."),
        ("I am ill.", "I am {|very }ill."),
    ],
)
def test_another_writing_of_the_same_is_accepted(output: str, reference: str) -> None:
    assert accepted(output, ("Something else.", reference))
    assert "{" in reference or accepted(reference, (output,))


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        ("He goes home.", "I go home."),
        ("She is tired.", "He is tired."),
        ("I was at home.", "I'm at home."),
        ("I can't come.", "I can come."),
        ("I don't know.", "I didn't know."),
        ("The dogs sleep.", "The dog sleeps."),
        ("I have 3 cats.", "I have two cats."),
        ("She is twenty.", "She is twenty-one."),
        ("It starts at 7:30.", "It starts at 730."),
        ("He's a dog.", "He has a dog."),
        ("It's my mother's book.", "It's my mothers book."),
        ("I'd go.", "I had go."),
        ("I have the book.", "I have a book."),
        ("Do you eat at home?", "You do eat at home."),
        ("I go to cinema.", "{I'm going|I go} to the {cinema|movies}."),
    ],
)
def test_another_person_tense_number_or_word_is_not(output: str, reference: str) -> None:
    assert not accepted(output, (reference,))


def test_a_reference_stands_for_each_choice_of_its_braces() -> None:
    assert list(ordinary.expanded("{A|The} dog{| here}.")) == ["A dog.", "A dog here.", "The dog.", "The dog here."]
    for wrong in ("{a|b", "a}", "{a|{b|c}}", "{1|2|3|4|5|6|7|8}" * 5):
        with pytest.raises(ValueError, match=r"braces|sentences"):
            list(ordinary.expanded(wrong))


LANGUAGES = sorted(path.name.partition("-")[0] for path in ordinary.FOLDER.glob("*-en.tsv"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_has_both_sets_and_no_sentence_twice(language: str) -> None:
    rows = ordinary.read(language)
    sources = [row.source for row in rows]
    assert len(set(sources)) == len(sources)
    assert all(sum(row.set == name for row in rows) >= 140 for name in ordinary.SETS)
    for row in rows:
        assert all(accepted(next(ordinary.expanded(reference)), row.references) for reference in row.references)


def test_a_language_without_a_file_has_no_sentences() -> None:
    assert ordinary.read("xx") == []
