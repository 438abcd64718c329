"""A padded batch as a table, and how far each step moved as bars.

B batch, K places.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..templates import render

PAD = "<pad>"
TEMPLATE = "html/templates/masks.html"


def batch_table(
    rows: Sequence[Sequence[tuple[str, int]]], names: Sequence[str], chosen: int, side: str, caption: str
) -> str:
    """HTML of B rows of K (token, id), padding hatched.

    `names` heads the rows, `chosen` (from 0) is framed, `side` is "encoder" or "decoder".
    """
    lines = [
        (name, number == chosen, [(token, id_, token != PAD) for token, id_ in row])
        for number, (name, row) in enumerate(zip(names, rows, strict=True))
    ]
    return render(TEMPLATE, "table", side=side, caption=caption, lines=lines)


class Counted(NamedTuple):
    """One place: what the decoder reads there, what it should write, −log p of that in nats, whether it counts."""

    read: str
    expected: str
    loss: float
    counts: bool


def loss_table(places: Sequence[Counted], words: Mapping[str, str]) -> str:
    """HTML of three rows under each other: read, expected, −log p; what does not count is hatched."""
    read = [(place.read, t, place.read != PAD) for t, place in enumerate(places)]
    expected = [(place.expected, t + 1, place.counts) for t, place in enumerate(places)]
    loss = [
        (f"{place.loss:.3f}", f"p = {math.exp(-place.loss):.2g}", True)
        if place.counts
        else ("–", words["ignored"], False)
        for place in places
    ]
    lines = [(words["reads"], False, read), (words["writes"], False, expected), (words["loss"], False, loss)]
    return render(TEMPLATE, "table", side="decoder", caption=words["table"], lines=lines)


def batch_rows(rows: Sequence[Sequence[tuple[str, int]]], names: Sequence[str], side: str) -> list[dict[str, object]]:
    """The same as a long table, a line per token; `seen` is the padding mask."""
    return [
        {"side": side, "sentence": name, "place": place, "token": token, "id": id_, "seen": token != PAD}
        for name, row in zip(names, rows, strict=True)
        for place, (token, id_) in enumerate(row)
    ]
