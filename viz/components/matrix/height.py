"""The height of a matrix figure in pixels, estimated before the browser draws it, to reserve space for it."""

from collections.abc import Sequence

from ...data import Matrix
from ...text_width import SIZE, text_width
from .layout import SIZES, is_phone, matrix_layout, room_of

WIDE, SLIM = 874, 324  # px: the figure in a card beside the list of pages on a screen of 1280, and on a phone of 390
BETWEEN = 28  # px from one row of matrices to the next
TITLE, LINE, HELP = 22.4, 18.85, 34.85
AROUND_MAP, LEGEND, READOUT = 21, 18.85, 21


def height(matrices: Sequence[Matrix], width: int, cell: int | None = None) -> float:
    """Pixels of the figure of that width."""
    room = room_of(width)
    rows: list[list[float]] = []
    used = 0.0
    for wide, high in (_block(matrix, matrices, room, cell) for matrix in matrices):
        if is_phone(width) or not rows or used + SIZES.gap + wide > room:
            rows.append([])
            used = -SIZES.gap
        rows[-1].append(high)
        used += SIZES.gap + wide
    around = 2 * (14 if is_phone(width) else 18) + 2 + HELP
    return around + sum(map(max, rows)) + BETWEEN * (len(rows) - 1)


def estimated_widths(labels: Sequence[str], size: int) -> list[float]:
    return [text_width(label) * size / SIZE for label in labels]


def _block(matrix: Matrix, matrices: Sequence[Matrix], room: float, cell: int | None) -> tuple[float, float]:
    """Width and height of one matrix."""
    laid = matrix_layout(matrix, matrices, room, estimated_widths, cell)
    title = 1 + int(text_width(matrix.title) * 16 / SIZE + 70 > laid.width)
    axes = bool(matrix.row_axis or matrix.column_axis)
    head_height = title * TITLE + LINE * (axes + (_lines(matrix.note, laid.width) if matrix.note else 0))
    return laid.width, head_height + AROUND_MAP + laid.top + laid.high * len(matrix.rows) + LEGEND + READOUT


def _lines(text: str, width: float) -> int:
    wide = sum(13 if text_width(character) > 12 else 6.7 for character in text)  # letters of a note, of 13 px
    return 1 + int(wide // width)
