"""Fixtures that several files of this folder use."""

from types import SimpleNamespace

import pytest

from pages.attention import arithmetic, measures, replaced_parts, scaling, several_heads, stages, why_there
from pages.shared.text.words import section
from viz.data import Matrix
from viz.figures.matrices import MatrixFigure


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, SimpleNamespace]:
    """Matrices and options that the page hands to its matrix figures, by the key of the figure."""
    figures: dict[str, SimpleNamespace] = {}

    def keep(key: str, matrices: list[Matrix], **options: object) -> MatrixFigure:
        figures[key] = SimpleNamespace(matrices={matrix.key: matrix for matrix in matrices}, **options)
        return MatrixFigure(matrices, words=section("matrix_figure"))

    for module in (arithmetic, measures, replaced_parts, scaling, several_heads, stages, why_there):
        monkeypatch.setattr(module, "matrices", keep)
    return figures
