"""Matrices beside each other as a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..components.engine import svg
from ..components.matrix.height import WIDE, height
from ..components.matrix.matrix_data import FRONTEND, matrix_data, matrix_rows
from ..data import Matrix, Selection
from ..standalone.document import Component
from .figure import Figure, Rows

AROUND = 60  # px of a file round the figure


class MatrixFigure(Figure):
    """Matrices beside each other; the widget's `selection` has `matrix`, `row` and `column`.

    words, selection, cell, languages   those of `matrix_data`
    rows                                what its table holds; left out, every value of every matrix
    """

    def __init__(
        self,
        matrices: Sequence[Matrix],
        *,
        words: Mapping[str, str],
        selection: Selection | None = None,
        cell: int | None = None,
        rows: Callable[[], Rows] | None = None,
        title: str = "",
        language: str = "en",
        languages: Sequence[tuple[str, str]] = (),
    ):
        self.matrices = tuple(matrices)
        self.words = words
        self.selection, self.cell = selection, cell
        self.title, self.language = title, language
        self.name = self.matrices[0].title or words["figure"]
        self._rows, self._languages = rows, languages

    @property
    def height(self) -> float:  # type: ignore[override]
        return self.height_at(WIDE) + AROUND

    def height_at(self, width: int) -> float:
        """Pixels that it takes where it is `width` pixels wide, estimated."""
        return height(self.matrices, width, self.cell)

    def message(self) -> bytes:
        """Message to the component."""
        return matrix_data(
            self.matrices, self.words, selection=self.selection, cell=self.cell, languages=self._languages
        )

    def parts(self) -> list[Component]:
        return [Component("matrix", FRONTEND, self.message())]

    def svg(self, *, dark: bool = False) -> str:
        """The matrices as the figure shows them."""
        return svg("matrix", [matrix_data(self.matrices, self.words)], "dark" if dark else "light")

    def text(self) -> str:
        """Size, least and greatest value of each matrix."""
        lines = [self._said(matrix) for matrix in self.matrices]
        return "\n".join([self.title, *lines] if self.title else lines)

    def _said(self, matrix: Matrix) -> str:
        rows, columns = matrix.values.shape
        size = {"title": matrix.title or self.words["figure"], "rows": rows, "columns": columns}
        if matrix.scale == "mask":
            return self.words["summary_mask"].format(**size, count=int(matrix.values.sum()), total=matrix.values.size)
        if not matrix.finite.size:
            return self.words["summary_empty"].format(**size)
        values = np.where(np.isfinite(matrix.values), matrix.values, np.nan)
        said: dict[str, str] = {}
        for name, place in (("least", np.nanargmin(values)), ("greatest", np.nanargmax(values))):
            row, column = divmod(int(place), columns)
            said[name] = f"{values[row, column]:.{matrix.decimals}f}".replace("-", "−")
            said |= {f"{name}_row": matrix.rows[row], f"{name}_column": matrix.columns[column]}
        return self.words["summary"].format(**size, **said)

    def rows(self) -> Rows:
        """The numbers of all its matrices."""
        if self._rows:
            return self._rows()
        return [{"matrix": matrix.key, **row} for matrix in self.matrices for row in matrix_rows(matrix)]
