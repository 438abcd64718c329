"""The grammars that are tables: one translation for each sentence, what each says it makes, and every construction."""

import random
import re
from collections.abc import Callable
from functools import cache

import pytest

from corpora import grammar
from corpora.grammar import LANGUAGES, check
from corpora.lexicon import Rows
from corpora.pairs import split_of
from corpora.translation import PAIRS

CODES = grammar.known()
CONSTRUCTIONS = "constructions.txt"  # what the first grammar of a language made
DRAWS = 60_000
SPEAKS = pytest.mark.parametrize("code", CODES)


@cache
def drawn(code: str, count: int) -> check.Report:
    return check.draw(grammar.load(code), count)


@SPEAKS
def test_check_finds_nothing(code: str, draws: Callable[[int], int]) -> None:
    found = dict(check.problems(grammar.load(code), drawn(code, draws(DRAWS))))
    few = ("inventory", "never")  # what needs more draws
    assert not {kind: cases for kind, cases in found.items() if not any(word in kind for word in few)}


@SPEAKS
def test_topics_have_keys_and_shares(code: str) -> None:
    for topic in grammar.load(code).topics:
        assert re.fullmatch("[a-z_]+", topic.key)
        assert topic.weight > 0


@SPEAKS
def test_spelling_and_marks(code: str) -> None:
    made = grammar.load(code)
    rng = random.Random(0)
    for group in made.groups:
        for _ in range(60):
            sentence = made.draw(group, rng)
            assert sentence.node.pattern
            for text, language in zip(sentence.pair, made.languages, strict=True):
                assert text == text.strip()
                assert "  " not in text
                assert not re.search(r"[{}|/]| [.,?!。，？！]", text), text
                if grammar.PLAIN not in sentence.node.pattern.tags:
                    assert text[-1] in '.?!。？！…”"：:', text
                    first = text.lstrip('¿¡“"《')[0]
                    assert not language.spaced or first == first.upper(), text


@SPEAKS
def test_gold_is_about_the_words_of_the_pair(code: str) -> None:
    pairs = grammar.load(code).aligned(0, 100)
    assert len({each.pair.source for each in pairs}) == 100
    assert not {each.pair for each in pairs} & set(grammar.load(code).fixed)  # which are learned by heart
    for each in pairs:
        assert split_of(each.pair.source) == "test"
        assert each.sure <= each.possible
        assert {j for _, j in each.possible} == set(range(len(each.target_words)))  # a word of the target has a source
        for spans, text in zip((each.source_words, each.target_words), each.pair, strict=True):
            assert "".join(text[slice(*span)] for span in spans) == text.replace(" ", "")


@pytest.mark.thorough
@pytest.mark.parametrize("code", [code for code in CODES if (LANGUAGES / code / CONSTRUCTIONS).exists()])
def test_every_construction_of_the_inventory_is_made(code: str) -> None:
    """No language gets poorer: each expression matches a sentence."""
    sources = "\n".join(drawn(code, PAIRS).targets)
    rows = [row for rows in Rows(LANGUAGES / code / CONSTRUCTIONS).sections.values() for row in rows]
    missing = [f"{row[0]}: {row[-1]}" for row in rows if not re.search(row[1], sources, re.MULTILINE)]
    assert not missing
