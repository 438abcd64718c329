"""The layout of one matrix as numbers, by the rules of `viz/frontend/matrix/layout.js`, before a browser measures text.

A change of a rule goes into both files: a test gives both the same widths of labels, and compares.
"""

import json
import math
import re
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from ...column_labels import LABEL_MOST, Turn, room_above, turns_of
from ...data import Matrix
from ..js_bundle import FOLDER

SIZES = SimpleNamespace(**json.loads((FOLDER / "matrix/sizes.json").read_text(encoding="utf-8")))
Measure = Callable[[Sequence[str], int], list[float]]  # labels and the size of their letters → widths in pixels
_EDGE = 6
_INDEX = re.compile("[−-]?[0-9]+")


class Layout(NamedTuple):
    """All in pixels, but the labels shown, by index, and how each of the columns is turned."""

    wide: float  # a cell
    high: float
    row_width: float  # the labels of the rows
    rows: list[int]
    columns: list[int]
    turns: list[Turn]
    size: int  # of the letters of the columns
    top: float  # the labels of the columns
    spill: float  # how far the last ones lean out
    width: float  # the whole


def is_phone(width: float) -> bool:
    return width < SIZES.phone


def room_of(width: float) -> float:
    """What a figure of that width has for its matrices."""
    return width - 2 * (SIZES.card_pad_phone if is_phone(width) else SIZES.card_pad) - 2


def matrix_layout(
    matrix: Matrix, among: Sequence[Matrix], room: float, measure: Measure, cell: int | None = None, ratio: float = 1
) -> Layout:
    """`among`: all matrices of the figure; `cell`: the size that is asked for; `ratio`: a screen's pixels per pixel."""
    share = None if cell else _equation_lane(matrix, among, room, measure)
    alone = not share and _is_alone(matrix, among)
    lane = share or (room if alone else _lane(among, room))
    row_width = _row_room(matrix, room, measure)
    edge = row_width + _EDGE
    cell_most = SIZES.cell_most_alone if alone else SIZES.cell_most
    least = 1 if share else _least_cell(matrix)
    wide = cell or _cell_width(matrix, lane - edge, least, cell_most, ratio)
    across = _column_labels(matrix.columns, wide, measure)
    for _ in range(3):
        if across["spill"] and not cell:
            wide = min(wide, _cell_width(matrix, lane - edge - across["spill"], least, cell_most, ratio))
            across = _column_labels(matrix.columns, wide, measure)
    high = min(cell, SIZES.cell_high) if cell else _cell_height(matrix, wide, ratio)
    rows = _shown(matrix.rows, high, 12 if high < 18 else 15)
    whole = edge + wide * len(matrix.columns) + across["spill"]
    width = min(room, max(whole, lane if lane < room else SIZES.narrowest))
    return Layout(wide=wide, high=high, row_width=row_width, rows=rows, width=width, **across)


def _row_room(matrix: Matrix, room: float, measure: Measure) -> float:
    most = SIZES.label_most_slim if room < SIZES.slim else LABEL_MOST
    return min(most, max(measure(matrix.rows, 14))) + 10


def _equation_lane(matrix: Matrix, among: Sequence[Matrix], room: float, measure: Measure) -> int | None:
    if is_phone(room) or not any(other.sign for other in among):
        return None
    edges = [_row_room(other, room, measure) + _EDGE for other in among]
    roots = [math.sqrt(len(other.columns)) for other in among]
    free = room - SIZES.gap * (len(among) - 1) - sum(edges)
    shares = [free * root / sum(roots) for root in roots]
    for other, share in zip(among, shares, strict=True):
        if share < len(other.columns) * (1 if _are_indices(other.columns) else SIZES.cell_read):
            return None
    at = [other is matrix for other in among].index(True)
    return math.floor(edges[at] + shares[at])


def _is_alone(matrix: Matrix, among: Sequence[Matrix]) -> bool:
    return len(among) == 1 or len(matrix.columns) > SIZES.wide_from


def _lane(among: Sequence[Matrix], room: float) -> float:
    narrow = all(matrix.scale == "mask" or len(matrix.columns) <= SIZES.few for matrix in among)
    like = SIZES.lane_narrow if narrow else SIZES.lane
    small = sum(not _is_alone(matrix, among) for matrix in among)
    lanes = min(max(math.floor((room + SIZES.gap) / (like + SIZES.gap)), 1), small)
    return math.floor((room - (lanes - 1) * SIZES.gap) / lanes)


def _least_cell(matrix: Matrix) -> int:
    columns = len(matrix.columns)
    return 1 if columns > 128 else 4 if columns > 48 else 6


def _cell_width(matrix: Matrix, lane: float, least: float, most: float, ratio: float) -> float:
    wide = min(max(lane / len(matrix.columns), least), most)
    if wide >= 16:
        return math.floor(wide)
    square = min(wide, max(least, SIZES.highest / len(matrix.rows)))
    return math.floor(square * ratio) / ratio


def _cell_height(matrix: Matrix, wide: float, ratio: float) -> float:
    rows = len(matrix.rows)
    high = min(max(wide, min(20, 320 / rows)), SIZES.cell_high, max(4, SIZES.highest / rows))
    return max(1, math.floor(high * ratio) / ratio) if high < 16 else math.floor(high)


def _column_labels(columns: Sequence[str], wide: float, measure: Measure) -> dict[str, Any]:
    upright = _are_indices(columns) or set(turns_of(columns, measure(columns, 14), wide)) == {"0"}
    size = 12 if wide < 16 and not upright else 14
    widths = [min(LABEL_MOST, width) for width in measure(columns, size)]
    shown = _shown(columns, wide, max(widths) + 8 if upright else 13)
    step = shown[1] - shown[0] if len(shown) > 1 else len(columns)
    labels, of_shown = [columns[i] for i in shown], [widths[i] for i in shown]
    turns: list[Turn] = ["0"] * len(shown) if upright else turns_of(labels, of_shown, wide * step)
    top, spill = room_above(turns, of_shown, shown, wide, len(columns))
    return {"turns": turns, "size": size, "columns": shown, "top": top, "spill": spill}


def _are_indices(labels: Sequence[str]) -> bool:
    return all(map(_INDEX.fullmatch, labels))


def _shown(labels: Sequence[str], cell: float, need: float) -> list[int]:
    every = range(len(labels))
    if need <= cell:
        return list(every)
    crowded = math.ceil(need / cell)
    if not _are_indices(labels):
        return list(every[::crowded])
    step = _round_step(max(crowded, len(labels) / SIZES.ticks), len(labels))
    return [i for i in every if int(labels[i].replace("−", "-")) % step == 0]


def _round_step(least: float, count: int) -> int:
    steps, scale, grow = ((1, 2, 4), 1, 8) if count % 16 == 0 else ((1, 2, 5), 1, 10)
    while steps[-1] * scale < least:
        scale *= grow
    return next(step * scale for step in steps if step * scale >= least)
