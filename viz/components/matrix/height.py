"""The height of a matrix figure in pixels, estimated before the browser draws it, to reserve space for it."""

import json
from collections.abc import Sequence
from functools import lru_cache

from ...data import Matrix
from .. import engine
from .matrix_data import described

WIDE, SLIM = 874, 324  # px: the figure in a card beside the list of pages on a screen of 1280, and on a phone of 390
COARSE = (180, 28)  # px round a matrix and of a row, where there is no engine to lay it out


def height(matrices: Sequence[Matrix], width: int, cell: int | None = None) -> float:
    """Pixels of the figure of that width."""
    try:
        return _height(json.dumps([described(matrix) for matrix in matrices]), width, cell)
    except ImportError:
        return max(COARSE[0] + COARSE[1] * len(matrix.rows) for matrix in matrices)


@lru_cache(512)
def _height(headers: str, width: int, cell: int | None) -> float:
    return engine.matrix_height(headers, width, cell)
