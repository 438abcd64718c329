"""The labels of columns in a standalone picture, turned as on the screen."""

from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from viz.column_labels import Turn, room_above, turns_of
from viz.svg.text import text
from viz.text_width import SIZE, text_width


class ColumnLabels(NamedTuple):
    """The labels that are drawn, each with its column and turn, and the room that they need, in pixels."""

    labels: list[str]
    at: Sequence[int]
    turns: list[Turn]
    wide: int  # of a column
    top: float  # above the columns
    spill: float  # to the right of the last one

    def draw(self, left: float, top: float) -> list[str]:
        """Their lines of SVG above a matrix whose corner is at (left, top)."""
        places = [left + (column + 0.5) * self.wide for column in self.at]
        return [_drawn(*each, top) for each in zip(self.labels, self.turns, places, strict=True)]


def column_labels(columns: Sequence[str], at: Sequence[int], wide: int) -> ColumnLabels:
    """The labels of the columns `at`, of which each has `wide` pixels."""
    labels = [columns[i] for i in at]
    widths = [text_width(label) for label in labels]
    step = at[1] - at[0] if len(at) > 1 else len(columns)
    turns = turns_of(labels, widths, wide * step)
    top, spill = room_above(turns, widths, at, wide, len(columns))
    return ColumnLabels(labels, at, turns, wide, top + 4, spill)


def _drawn(label: str, turn: Turn, x: float, top: float) -> str:
    if turn == "0":
        return text(x, top - 10, label, 'text-anchor="middle"')
    if turn == "han":
        return _stacked(label, x, top)
    lean = {"45": f"rotate(-45 {x:.1f} {top - 8:.1f})", "90": f"rotate(-90 {x + 5:.1f} {top - 8:.1f})"}[turn]
    return text(x if turn == "45" else x + 5, top - 8, label, f'transform="{lean}"')


def _stacked(label: str, x: float, top: float) -> str:
    """Its characters below each other."""
    first = top - 10 - SIZE * (len(label) - 1)
    lines = "".join(
        f'<tspan x="{x:.1f}" y="{first + SIZE * i:.1f}">{escape(character)}</tspan>'
        for i, character in enumerate(label)
    )
    return f'<text text-anchor="middle">{lines}</text>'
