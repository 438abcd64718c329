"""Where the names of points on a map stand: beside, above or below, over no other named point, name or arrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from ...chart_legends import LETTER
from ...palette import INK
from ...text_width import text_width
from ..marks import marks
from ..style import Row, Words

SIZE = 12  # px high
SIDES: dict[str, tuple[Any, int, int]] = {  # alignment, px from the point across and down
    "right": ("left", 8, -1), "left": ("right", -8, -1), "above": ("center", 0, -13), "below": ("center", 0, 13),
    "above right": ("left", 4, -12), "below right": ("left", 4, 12),
}  # fmt: skip
DOT, LINE = 6, 1  # px from the centre of a point or an arrow to where a name may stand
ON_ARROW = 40  # places of an arrow that are looked at


@dataclass(frozen=True)
class Point:
    """A token on the map; `kind` is one of those of the map."""

    token: str
    id: int
    x: float
    y: float
    kind: str


Arrow = tuple[Point, Point]
Place = tuple[float, float]  # px
Box = tuple[float, float, float, float]  # px: left, top, right, bottom


def sides(
    points: Sequence[Point], arrows: Sequence[Arrow], scale: tuple[float, float], *, all_named: bool
) -> list[tuple[Point, str]]:
    """The points with the first free side of each, earlier points first; `scale` is in px per unit.

    A point without a free side has no name, or with `all_named` one at the first side.
    """
    across, up = scale
    at = {point: (point.x * across, -point.y * up) for point in points}
    ends = [((a.x * across, -a.y * up), (b.x * across, -b.y * up)) for a, b in arrows]
    shafts = [(x, y) for a, b in ends for x, y in np.linspace(a, b, ON_ARROW).tolist()]
    names: list[Box] = []
    placed = []

    def is_free(box: Box, others: Iterable[Place]) -> bool:
        return not (_covers(box, others, DOT) or _covers(box, shafts, LINE) or _meets(box, names))

    for point in points:
        others = [place for other, place in at.items() if other is not point]
        boxes = {side: _box(point.token, at[point], side) for side in SIDES}
        free = [side for side, box in boxes.items() if is_free(box, others)]
        if free or all_named:
            side = [*free, *SIDES][0]
            names.append(boxes[side])
            placed.append((point, side))
    return placed


def point_rows(points: Sequence[Point], kinds: Sequence[str], words: Words) -> list[Row]:
    """A line per point in the order of the kinds, so that the first lie below."""
    return [
        {"token": p.token, "id": p.id, "x": round(p.x, 4), "y": round(p.y, 4), "kind": words[f"kind_{p.kind}"]}
        for p in sorted(points, key=lambda p: kinds.index(p.kind))
    ]


def names(placed: Sequence[tuple[Point, str]], **axes: Any) -> list[alt.Chart]:
    """The tokens of points at their sides: a layer for each side."""
    layers = []
    for side, (align, dx, dy) in SIDES.items():
        rows = [{"token": p.token, "x": round(p.x, 4), "y": round(p.y, 4)} for p, of in placed if of == side]
        text = marks(rows, **axes, text=alt.Text("token:N"))
        layers += [text.mark_text(align=align, dx=dx, dy=dy, fontSize=SIZE, color=INK)] if rows else []
    return layers


def extent(values: Sequence[float]) -> float:
    """From the least to the largest; 1 where they are the same."""
    return float(np.ptp(values)) or 1.0


def _box(token: str, at: Place, side: str) -> Box:
    width, (align, dx, dy) = text_width(token, SIZE, LETTER + 0.08), SIDES[side]
    left = at[0] + dx - width * {"left": 0, "center": 0.5, "right": 1}[align]
    return left, at[1] + dy - SIZE / 2, left + width, at[1] + dy + SIZE / 2


def _covers(box: Box, places: Iterable[Place], around: float) -> bool:
    """Whether one of the places is nearer to the name than so many px."""
    left, top, right, bottom = box
    return any(left - around < x < right + around and top - around < y < bottom + around for x, y in places)


def _meets(box: Box, others: Iterable[Box]) -> bool:
    return any(box[0] < o[2] and o[0] < box[2] and box[1] < o[3] and o[1] < box[3] for o in others)
