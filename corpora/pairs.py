"""Sentence pairs and their split: by source sentence, so that no test source is ever trained on."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

HEADERS = {("de", "en"), ("zh", "en"), ("source", "target")}
Split = Literal["train", "validation", "test"]
ENDS = ".?!。？！"  # of sentences


class Pair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


def split_of(source: str) -> Split:
    """Which split a source sentence belongs to: 1 in 20 each for test and validation, by its hash."""
    bucket = int(hashlib.sha256(source.encode()).hexdigest(), 16) % 20
    return "test" if bucket == 0 else "validation" if bucket == 1 else "train"


def part(pairs: Iterable[Pair], split: Split) -> list[Pair]:
    """The pairs of one split, in order, each pair once."""
    return [pair for pair in dict.fromkeys(pairs) if split_of(pair.source) == split]


def read_tsv(path: Path) -> list[Pair]:
    """Pairs from a file of two tab-separated columns; a header like `de en` or `source target` is skipped.

    Raises ValueError naming the line that has no two columns, or an empty one.
    """
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        columns = line.removesuffix("\r").split("\t")
        if columns == [""] or (number == 1 and tuple(columns) in HEADERS):
            continue
        if len(columns) != 2 or not all(column.strip() for column in columns):
            raise ValueError(f"line {number} does not hold a sentence, a tab and its translation")
        pairs.append(Pair(*columns))
    return pairs


# source ids and target ids, each from <bos> to <eos>. A decoder alone has no source; the target of an encoder
# alone is what it should find in each place of its source, <pad> where nothing is asked
Example = tuple[Sequence[int], Sequence[int]]
