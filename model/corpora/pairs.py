"""Sentence pairs and their split: by source sentence, so that no test source is ever trained on."""

import csv
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

Split = Literal["train", "validation", "test"]


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
    """Pairs from a file of two tab-separated columns; a header `de en` or `source target` is skipped."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row]
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise ValueError(f"{path.name}:{number}: two columns expected (sentence, translation), found {len(row)}")
    if rows and tuple(rows[0]) in {("de", "en"), ("source", "target")}:
        rows = rows[1:]
    return [Pair(*row) for row in rows]
