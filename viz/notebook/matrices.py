"""Any matrix of numbers as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..data import Matrix, Scale
from ..figures.matrices import MatrixFigure
from .inputs import check_count, in_memory, names, numbers, whole_text
from .texts import matrix_words, tag


def matrix(
    values: Any,
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    row_axis: str = "",
    column_axis: str = "",
    scale: Scale | None = None,
    limit: float | None = None,
    decimals: int = 3,
    note: str = "",
    language: str = "en",
) -> MatrixFigure:
    """A matrix whose cells can be read and locked.

    values             (R, C): an array, tensor or nested list of numbers, or of true and false. −∞ and NaN are hatched
    rows, columns      R and C labels; left out, numbers from 0
    row_axis, column_axis   what the rows and columns are
    scale              "weight" from 0 to 1, "positive" from 0, "signed" round 0, "mask" for true and false; left out,
                       chosen by the values: "mask", else "signed" if one is negative, else "positive"
    limit              the value of full colour; left out, the largest
    decimals           0 to 8
    note               one line under the title
    language           "en", "es" or "zh"

    Raises ValueError or TypeError; the message names the axis that does not fit.

    >>> figure = matrix([[1.0, -2.0], [0.5, 0.0]], rows=["a", "b"], title="scores")
    """
    with in_memory():
        array = numbers(values, "values")
        if array.ndim != 2:
            raise ValueError(
                f"values needs the axes (rows, columns); it has {array.ndim} axes, the shape {array.shape}."
            )
        content = labelled(
            array, "values", title, rows, columns, row_axis=row_axis, column_axis=column_axis, scale=scale, limit=limit,
            decimals=decimals, note=note,
        )  # fmt: skip
    return MatrixFigure([content], words=matrix_words(language), language=tag(language))


def labelled(
    values: np.ndarray,
    key: str,
    title: str,
    rows: Sequence[str] | None,
    columns: Sequence[str] | None,
    *,
    scale: Scale | None = None,
    **rest: Any,
) -> Matrix:
    """A matrix (R, C) with its labels checked, those that are missing counted, and its scale chosen."""
    labels: list[tuple[str, ...]] = []
    for axis, (name, texts) in enumerate((("rows", rows), ("columns", columns))):
        strings = list(map(str, range(values.shape[axis]))) if texts is None else names(texts, name)
        check_count(strings, name, values.shape[axis], axis, name, key)
        labels.append(tuple(strings))
    if values.dtype == np.float16:
        values = values.astype(np.float32)
    said: dict[str, Any] = {
        name: whole_text(value) if isinstance(value, str) else value for name, value in rest.items()
    }
    return Matrix(key, whole_text(title), values, labels[0], labels[1], scale=scale or _scale(values), **said)


def _scale(values: np.ndarray) -> Scale:
    if values.dtype.kind == "b":
        return "mask"
    finite = values[np.isfinite(values)]
    return "signed" if finite.size and finite.min() < 0 else "positive"
