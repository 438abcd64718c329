"""Labelled matrices of numbers, packed for the component in the browser.

R rows, C columns. Numbers are sent as float32, which has −∞ and NaN; masks are sent as bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...data import Matrix, Selection
from ..frontend import figure_frontend
from ..packing import byte_planes, message


def matrix_data(
    matrices: Sequence[Matrix],
    words: Mapping[str, str],
    *,
    selection: Selection | None = None,
    cell: int | None = None,
    languages: Sequence[tuple[str, str]] = (),
) -> bytes:
    """The component's `data`: header length, header, values.

    `cell` is the preferred size of a cell in pixels; None: fit the room. `languages` are the HTML tags of each
    matrix's rows and columns. Raises ValueError if two matrices
    have one key or the selection is not there.
    """
    _check_keys(matrices)
    if selection is not None:
        _check_selection(matrices, selection)
    if cell is not None and cell < 1:
        raise ValueError(f"A cell is at least 1 pixel large, not {cell}.")
    content: dict[str, object] = {
        "cell": cell,
        "matrices": [described(matrix) for matrix in matrices],
        "words": dict(words),
    }
    if any(map(any, languages)):
        content["languages"] = list(languages)
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


def described(matrix: Matrix) -> dict[str, object]:
    """Describe a matrix for the header of its message: all but its numbers."""
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
        "sign": matrix.sign,
    }


def _packed(matrix: Matrix) -> bytes:
    """A mask as R·C bytes; numbers as R·C little-endian float32 in four planes of bytes."""
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


FRONTEND = figure_frontend("matrix", "gf-matrices")
