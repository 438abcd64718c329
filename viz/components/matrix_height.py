"""The height of a matrix figure in pixels, estimated before the browser draws it, to reserve space for it.

It repeats the layout of `viz/frontend/matrix/labels.js` with estimated text widths: change both together.
"""

import unicodedata
from collections.abc import Sequence

from viz.data import Matrix
from viz.text_width import text_width

WIDE, SLIM = 874, 324  # px: the figure in a card beside the list of pages on a screen of 1280, and on a phone of 390
PHONE = 640
GAP, LANE, WIDE_FROM, HIGHEST = 32, 320, 72, 640
CELL_MOST, CELL_MOST_ALONE, CELL_HIGH = 48, 56, 36
LABEL_MOST, NARROWEST = 120, 230
BETWEEN = 28  # px from one row of matrices to the next
TITLE, LINE, HELP = 22.4, 18.85, 34.85
AROUND_MAP, LEGEND, READOUT = 21, 18.85, 21
TALL_LABEL = 14  # px of letters; widths are estimated for 15


def height(matrices: Sequence[Matrix], width: int, cell: int | None = None) -> float:
    """Pixels of the figure of that width."""
    phone = width < PHONE
    room = width - 2 * (12 if phone else 20) - 2
    sizes = [_block(matrix, matrices, room, cell) for matrix in matrices]
    rows: list[list[float]] = []
    used = 0.0
    for wide, high in sizes:
        if phone or not rows or used + GAP + wide > room:
            rows.append([])
            used = -GAP
        rows[-1].append(high)
        used += GAP + wide
    around = 2 * (14 if phone else 18) + 2 + HELP * (1 if room > 500 else 1.5)
    return around + sum(map(max, rows)) + BETWEEN * (len(rows) - 1)


def _block(matrix: Matrix, matrices: Sequence[Matrix], room: float, cell: int | None) -> tuple[float, float]:
    """Width and height of one matrix."""
    alone = len(matrices) == 1 or len(matrix.columns) > WIDE_FROM
    lane = room if alone else _lane(matrices, room)
    edge = min(84 if room < 400 else LABEL_MOST, max(map(_width, matrix.rows))) + 16
    wide = cell or _cell_width(matrix, lane - edge, alone)
    top, spill = _column_labels(matrix, wide)
    if spill and not cell:
        wide = min(wide, _cell_width(matrix, lane - edge - spill, alone))
        top, spill = _column_labels(matrix, wide)
    high = min(cell, CELL_HIGH) if cell else _cell_height(matrix, wide)
    whole = edge + wide * len(matrix.columns) + spill
    width = min(room, max(whole, lane if lane < room else NARROWEST))
    title = 1 + int(text_width(matrix.title) * 16 / 15 + 70 > width)
    axes = bool(matrix.row_axis or matrix.column_axis)
    head_height = title * TITLE + LINE * (axes + (_lines(matrix.note, width) if matrix.note else 0))
    return width, head_height + AROUND_MAP + top + high * len(matrix.rows) + LEGEND + READOUT


def _lane(matrices: Sequence[Matrix], room: float) -> float:
    small = sum(len(matrix.columns) <= WIDE_FROM for matrix in matrices)
    lanes = min(max(int((room + GAP) // (LANE + GAP)), 1), small)
    return (room - (lanes - 1) * GAP) // lanes


def _cell_width(matrix: Matrix, lane: float, alone: bool) -> float:
    columns = len(matrix.columns)
    least = 1 if columns > 128 else 4 if columns > 48 else 6
    wide = min(max(lane / columns, least), CELL_MOST_ALONE if alone else CELL_MOST)
    return wide // 1 if wide >= 16 else min(wide, max(least, HIGHEST / len(matrix.rows))) // 1


def _cell_height(matrix: Matrix, wide: float) -> float:
    rows = len(matrix.rows)
    return max(1, min(max(wide, min(20, 320 / rows)), CELL_HIGH, max(4, HIGHEST / rows)) // 1)


def _column_labels(matrix: Matrix, wide: float) -> tuple[float, float]:
    """Height of the labels of the columns, and how far the last ones lean out."""
    labels = [min(LABEL_MOST, _width(column)) for column in matrix.columns]
    span = max(labels)
    if all(column.lstrip("−-").isdigit() for column in matrix.columns) or span + 8 <= wide:
        return 24, 0
    if sum(map(_is_han, matrix.columns)) * 2 > len(labels) and wide >= 14:
        return span + 12, 0
    if wide < 22:
        return span + 12, 0
    count = len(labels)
    spill = max(0, *(label * 0.71 + 12 - (count - i - 0.5) * wide for i, label in enumerate(labels)))
    return span * 0.71 + 20, spill


def _width(label: str) -> float:
    return text_width(label) * TALL_LABEL / 15


def _lines(text: str, width: float) -> int:
    wide = sum(13 if text_width(character) > 12 else 6.7 for character in text)  # letters of a note, of 13 px
    return 1 + int(wide // width)


def _is_han(label: str) -> bool:
    return any("CJK UNIFIED" in unicodedata.name(character, "") for character in label)
