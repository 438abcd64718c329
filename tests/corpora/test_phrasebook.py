"""Phrase books: what a file says, which lines are refused, and what ours hold."""

import random
from pathlib import Path

import pytest

from corpora import phrasebook
from corpora.pairs import Pair

TEXT = """# a comment
@drink
    einen Tee = a tea
    eine Milch = a milk
Ich nehme {drink}. = I'll have {drink}.
{drink.1^} und {drink.2}. = {drink.1^} and {drink.2}.
Danke! = Thanks!
"""


def test_slots_are_filled_alike_on_both_sides(tmp_path: Path) -> None:
    (tmp_path / "cafe.txt").write_text(TEXT, encoding="utf-8")
    book = phrasebook.read(tmp_path / "cafe.txt")
    filled = {pair for phrase in book.phrases for pair in book.expand(phrase, random.Random(1), 20)}
    assert filled == {
        Pair("Ich nehme einen Tee.", "I'll have a tea."),
        Pair("Ich nehme eine Milch.", "I'll have a milk."),
        Pair("Einen Tee und eine Milch.", "A tea and a milk."),
        Pair("Eine Milch und einen Tee.", "A milk and a tea."),
        Pair("Danke!", "Thanks!"),
    }


@pytest.mark.parametrize(
    ("line", "problem"),
    [("Ich {drink}.", "write"), ("Ich {a}. = I {b}.", "different slots"), ("Ich {a}. = I {a}.", "no list @a")],
)
def test_a_line_that_cannot_be_right_is_named(line: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "cafe.txt").write_text(f"{TEXT}{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=rf"cafe.txt:8: .*{problem}"):
        phrasebook.read(tmp_path / "cafe.txt")
