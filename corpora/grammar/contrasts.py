"""Minimal pairs of a grammar: one sentence, its translation, and one that is wrong in a single point.

`corpora/languages/XX/contrasts.txt` has the phenomena, each a section `@key` of lines

    source = target = source = target

Both sentences of a line share their slots, and what a slot drew stands in both: the phenomenon alone is different, and
so are the translations. Each one is the wrong translation of the other sentence. The first source draws, as in patterns
(`corpora/grammar/patterns.py`); slots of the second one that the first lacks are drawn too.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from corpora.grammar import Grammar, patterns
from corpora.grammar.drawing import DeadEnd, Node
from corpora.grammar.inflection import NoForm
from corpora.grammar.patterns import Pattern
from corpora.lexicon import Rows
from corpora.pairs import Pair, split_of

FILE = "contrasts.txt"  # beside the tables
_TRIES = 100_000  # draws of a phenomenon
Contrasts = dict[str, list[tuple[Pattern, Pattern]]]  # by phenomenon


class MinimalPair(NamedTuple):
    """A source sentence, its translation, and the translation of a sentence that differs in the phenomenon."""

    source: str
    right: str
    wrong: str


def read(grammar: Grammar) -> Contrasts:
    """The phenomena of a language in the order of their file; none without one. ValueError names a line."""
    path: Path = grammar.folder / FILE
    sections = Rows(path).sections if path.exists() else {}
    categories = frozenset(word.pos for word in grammar.words).union(group.name for group in grammar.phrases)
    return {
        name: [both for row in rows for both in patterns.contrasts(row, categories, grammar.cut)]
        for name, rows in sections.items()
    }


def draw(
    grammar: Grammar, name: str, lines: list[tuple[Pattern, Pattern]], count: int, seed: int, without: Collection[str]
) -> list[MinimalPair]:
    """`count` pairs of a phenomenon with different held-out sources, none of them in `without`.

    The sentences of a line are the source by turns, so that in half of the pairs the one translation is right, and in
    the others the other one: what favours one of them whatever the source is, such as its length, gains nothing.
    ValueError if there are not so many.
    """
    rng = random.Random(f"{name} {seed}")
    found: dict[str, MinimalPair] = {}
    for _ in range(_TRIES):
        if len(found) == count:
            return list(found.values())
        sentences = both(grammar, *rng.choice(lines), rng)
        if sentences is None:
            continue
        (source, right), (other, wrong) = sentences if len(found) % 2 else reversed(sentences)
        new = source not in found and source not in without and split_of(source) == "test"
        if new and source != other and right != wrong:
            found[source] = MinimalPair(source, right, wrong)
    raise ValueError(f"phenomenon {name!r} makes only {len(found)} pairs")


def both(grammar: Grammar, first: Pattern, second: Pattern, rng: random.Random) -> tuple[Pair, Pair] | None:
    """The two sentences of a line with the same words, each with its translation; None if these suit neither."""
    try:
        node = grammar.drawing.pattern(first, rng)
        same = Node(node.said, pattern=second, slots=node.slots)
        return grammar.write(node).pair, grammar.write(same).pair
    except (DeadEnd, NoForm):
        return None
