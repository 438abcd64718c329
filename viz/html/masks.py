"""A padded batch as a table, and how far each step moved as bars.

B batch, K places.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

PAD = "<pad>"


def batch_table(
    rows: Sequence[Sequence[tuple[str, int]]], names: Sequence[str], chosen: int, side: str, caption: str
) -> str:
    """HTML of B rows of K (token, id), padding hatched; every token is escaped.

    `names` heads the rows, `chosen` (from 0) is framed, `side` is "encoder" or "decoder".
    """
    lines = "".join(
        f'<tr{" class=chosen" if number == chosen else ""}><th scope="row">{escape(name)}</th>'
        + "".join(_cell(token, id_) for token, id_ in row)
        + "</tr>"
        for number, (name, row) in enumerate(zip(names, rows, strict=True))
    )
    table = f'<table class="{side}"><caption>{escape(caption)}</caption><tbody>{lines}</tbody></table>'
    around = f'class="gf-batch" tabindex="0" role="region" aria-label="{escape(caption)}"'
    return f"<div {around}>{table}</div>"


def _cell(token: str, id_: int) -> str:
    padding = " class=pad" if token == PAD else ""
    return f"<td{padding}>{escape(token)}<small>{id_}</small></td>"


class Counted(NamedTuple):
    """One place: what the decoder reads there, what it should write, −log p of that in nats, whether it counts."""

    read: str
    expected: str
    loss: float
    counts: bool


def loss_table(places: Sequence[Counted], words: Mapping[str, str]) -> str:
    """HTML of three rows under each other: read, expected, −log p; what does not count is hatched. All is escaped."""
    read = "".join(_place(place.read, str(t), place.read != PAD) for t, place in enumerate(places))
    expected = "".join(_place(place.expected, str(t + 1), place.counts) for t, place in enumerate(places))
    loss = "".join(
        _place(f"{place.loss:.3f}", f"p = {math.exp(-place.loss):.2g}", True)
        if place.counts
        else _place("–", words["ignored"], False)
        for place in places
    )
    lines = "".join(
        f'<tr><th scope="row">{escape(words[name])}</th>{cells}</tr>'
        for name, cells in (("reads", read), ("writes", expected), ("loss", loss))
    )
    caption = escape(words["table"])
    table = f'<table class="decoder"><caption>{caption}</caption><tbody>{lines}</tbody></table>'
    around = f'class="gf-batch" tabindex="0" role="region" aria-label="{caption}"'
    return f"<div {around}>{table}</div>"


def _place(text: str, under: str, counts: bool) -> str:
    return f"<td{'' if counts else ' class=pad'}>{escape(text)}<small>{escape(under)}</small></td>"


def batch_rows(rows: Sequence[Sequence[tuple[str, int]]], names: Sequence[str], side: str) -> list[dict[str, object]]:
    """The same as a long table, a line per token; `seen` is the padding mask."""
    return [
        {"side": side, "sentence": name, "place": place, "token": token, "id": id_, "seen": token != PAD}
        for name, row in zip(names, rows, strict=True)
        for place, (token, id_) in enumerate(row)
    ]
