"""Fixtures that several files of this folder use."""

from collections.abc import Iterator

import pytest

from tests.figures import watching_figures
from viz.data import Matrix
from viz.figures.figure import Figure
from viz.figures.matrices import MatrixFigure


@pytest.fixture
def drawn() -> Iterator[dict[str, dict[str, Matrix]]]:
    """The matrices that the page shows, by figure and key."""
    result: dict[str, dict[str, Matrix]] = {}

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, MatrixFigure):
            result[figure.matrices[0].key] = {matrix.key: matrix for matrix in figure.matrices}

    with watching_figures(keep):
        yield result
