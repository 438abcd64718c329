"""Labelled matrices of numbers, packed for the component in the browser.

R rows, C columns. Numbers travel as float32, so that −∞ and NaN arrive as what they are; masks as bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from viz.bundle import byte_planes, check_words, frontend, message

Scale = Literal["weight", "signed", "positive", "mask"]
SCALES: tuple[Scale, ...] = ("weight", "signed", "positive", "mask")
COLOURS = ("encoder", "decoder", "cross", "neutral")
MOST_DECIMALS = 8

# What the component says, in the user's language. Placeholders stand in braces.
WORDS = (
    "figure",  # name of the group of matrices, for screen readers
    "axis_rows",  # {axis}: what the rows are
    "axis_columns",  # {axis}
    "least",  # {value}
    "greatest",  # {value}
    "true",  # what a cell of a mask says
    "false",
    "true_count",  # {count} {total}
    "no_finite",  # in place of least and greatest
    "readout",  # {row} {column} {value}
    "matrix",  # {title} {rows} {columns}: name of one matrix, for screen readers
    "help",
    "summary",  # {title} {rows} {columns} {least} {least_row} {least_column} {greatest} …: the text alternative
    "summary_mask",  # {title} {rows} {columns} {count} {total}
    "summary_empty",  # {title} {rows} {columns}
)


class Selection(NamedTuple):
    """One cell of one matrix."""

    key: str
    row: int
    column: int


@dataclass(frozen=True, eq=False)
class Matrix:
    """One matrix of numbers with its labels."""

    key: str  # names it in the selection
    title: str  # shown above it
    values: np.ndarray  # (R, C); −∞ and NaN are drawn hatched; of a mask: bool
    rows: tuple[str, ...]  # R, may repeat
    columns: tuple[str, ...]  # C
    row_axis: str = ""  # what the rows are, e.g. "queries ↓"
    column_axis: str = ""  # e.g. "keys →"
    scale: Scale = "signed"  # weight: 0–1; signed: symmetric around 0; positive: from 0; mask: true or false
    colour: str = "neutral"  # of COLOURS; signed has its own two
    limit: float | None = None  # the value of full colour; None: the largest finite |value|
    decimals: int = 3
    note: str = ""  # one line under the title
    blank: str = ""  # what is said in place of NaN where a cell has no number and should have none

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise ValueError(f"The scale of {self.key!r} is one of {', '.join(SCALES)}, not {self.scale!r}.")
        if self.colour not in COLOURS:
            raise ValueError(f"The colour of {self.key!r} is one of {', '.join(COLOURS)}, not {self.colour!r}.")
        if not 0 <= self.decimals <= MOST_DECIMALS:
            raise ValueError(f"{self.key!r} may show 0 to {MOST_DECIMALS} decimals, not {self.decimals}.")
        _check_shape(self)
        _check_limit(self)
        _check_values(self)

    @property
    def full(self) -> float:
        """The value of full colour; 1 where there is nothing to measure it by."""
        if self.scale in ("weight", "mask"):
            return 1.0
        if self.limit is not None:
            return self.limit
        return float(np.abs(self.finite).max(initial=0)) or 1.0

    @property
    def finite(self) -> np.ndarray:
        """All finite values, flat."""
        return self.values[np.isfinite(self.values)]


def _check_shape(matrix: Matrix) -> None:
    shape = matrix.values.shape
    if len(shape) != 2 or 0 in shape:
        raise ValueError(f"{matrix.key!r} needs the shape (rows, columns), neither of them 0; it has {shape}.")
    for name, count in zip(("rows", "columns"), shape, strict=True):
        given = len(getattr(matrix, name))
        if given != count:
            raise ValueError(f"{matrix.key!r} needs {count} labels of its {name}, but {given} were given.")


def _check_limit(matrix: Matrix) -> None:
    if matrix.limit is None:
        return
    if matrix.scale in ("weight", "mask"):
        raise ValueError(f"{matrix.key!r} has the scale {matrix.scale}, whose limit is fixed; leave `limit` empty.")
    if not (np.isfinite(matrix.limit) and matrix.limit > 0):
        raise ValueError(f"The limit of {matrix.key!r} must be greater than 0; it is {matrix.limit}.")


def _check_values(matrix: Matrix) -> None:
    kind = matrix.values.dtype.kind
    if (kind == "b") != (matrix.scale == "mask") or kind not in "biuf":
        wanted = "true or false" if matrix.scale == "mask" else "real numbers"
        raise ValueError(f"{matrix.key!r} has the scale {matrix.scale} and must hold {wanted}, not {kind!r} values.")
    finite = matrix.finite
    if matrix.scale == "mask" or not finite.size:
        return
    if np.abs(finite).max() > np.finfo(np.float32).max:
        raise ValueError(f"{matrix.key!r} holds values that are too large for 32 bits.")
    # float32 may step over an edge by a rounding error
    least, greatest = finite.min(), finite.max()
    if matrix.scale == "weight" and (least < -1e-5 or greatest > 1 + 1e-5):
        raise ValueError(
            f"The weights {matrix.key!r} must lie between 0 and 1; they run {least:.4g} to {greatest:.4g}."
        )
    if matrix.scale == "positive" and least < -1e-5 * matrix.full:
        raise ValueError(f"{matrix.key!r} has the scale positive, but its least value is {least:.4g}.")


def matrix_data(
    matrices: Sequence[Matrix],
    words: Mapping[str, str],
    *,
    selection: Selection | None = None,
    cell: int | None = None,
) -> bytes:
    """The component's `data`: header length, header, values.

    `cell` is the preferred size of a cell in pixels; None: fit the room. Raises ValueError if two matrices
    have one key, the selection is not there or a word is missing.
    """
    _check_keys(matrices)
    if selection is not None:
        _check_selection(matrices, selection)
    if cell is not None and cell < 1:
        raise ValueError(f"A cell is at least 1 pixel large, not {cell}.")
    check_words("matrix", WORDS, words)
    content = {
        "cell": cell,
        "matrices": [_described(matrix) for matrix in matrices],
        "words": {name: words[name] for name in WORDS},
    }
    body = b"".join(_packed(matrix) for matrix in matrices)
    return message(content, None if selection is None else selection._asdict(), body)


def _check_keys(matrices: Sequence[Matrix]) -> None:
    keys = [matrix.key for matrix in matrices]
    if not keys or len(set(keys)) != len(keys):
        raise ValueError(f"The figure needs at least one matrix, each with a key of its own; it got {keys}.")


def _check_selection(matrices: Sequence[Matrix], selection: Selection) -> None:
    shapes = {matrix.key: matrix.values.shape for matrix in matrices}
    if selection.key not in shapes:
        raise ValueError(f"There is no matrix {selection.key!r}; there are {', '.join(shapes)}.")
    rows, columns = shapes[selection.key]
    if not (0 <= selection.row < rows and 0 <= selection.column < columns):
        raise ValueError(
            f"There is no row {selection.row}, column {selection.column}: "
            f"{selection.key!r} has rows 0–{rows - 1} and columns 0–{columns - 1}."
        )


def _described(matrix: Matrix) -> dict[str, object]:
    return {
        "key": matrix.key,
        "title": matrix.title,
        "note": matrix.note,
        "rows": matrix.rows,
        "columns": matrix.columns,
        "rowAxis": matrix.row_axis,
        "columnAxis": matrix.column_axis,
        "scale": matrix.scale,
        "colour": matrix.colour,
        "full": matrix.full,
        "decimals": matrix.decimals,
        "blank": matrix.blank,
    }


def _packed(matrix: Matrix) -> bytes:
    """R·C bytes of a mask; of numbers R·C little-endian float32 as four planes of bytes."""
    if matrix.scale == "mask":
        return matrix.values.astype(np.uint8).tobytes()
    return byte_planes(matrix.values.astype("<f4"))


def matrix_rows(matrix: Matrix) -> list[dict[str, object]]:
    """The matrix as a long table, a line per value, in full precision."""
    return [
        {"row_index": i, "row": row, "column_index": j, "column": column, "value": value}
        for i, (row, line) in enumerate(zip(matrix.rows, matrix.values.tolist(), strict=True))
        for j, (column, value) in enumerate(zip(matrix.columns, line, strict=True))
    ]


PARTS = ("values", "block", "labels", "paint", "legend")
SCRIPTS = ("dom", "data", "scale", "fade", *(f"matrix_{part}" for part in PARTS), "matrix")
FRONTEND = frontend("gf-matrices", "matrix", SCRIPTS)
