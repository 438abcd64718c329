"""Matrices as a standalone picture, drawn by the modules that draw them on the screen."""

from collections.abc import Mapping, Sequence

from ..components.engine import svg
from ..components.matrix.data import matrix_data
from ..data import Matrix
from ..palette import Mode


def matrix_svg(
    matrices: Sequence[Matrix], words: Mapping[str, str], mode: Mode = "light", *, cell: int | None = None
) -> str:
    """The matrices as SVG text; `words` and `cell` as for `matrix_data`."""
    return svg("matrix", [matrix_data(matrices, words, cell=cell)], mode)
