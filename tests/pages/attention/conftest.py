"""Fixtures that several files of this folder use."""

from types import SimpleNamespace

import pytest

from pages.attention import arithmetic, scaling, stages
from pages.attention import measures as attention_measures
from viz.data import Matrix


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> dict[str, SimpleNamespace]:
    """What the page hands to its matrix figures, by the key of the figure."""
    figures: dict[str, SimpleNamespace] = {}

    def keep(key: str, matrices: list[Matrix], **options: object) -> None:
        figures[key] = SimpleNamespace(matrices={matrix.key: matrix for matrix in matrices}, **options)

    for module in (arithmetic, attention_measures, scaling, stages):
        monkeypatch.setattr(module, "matrices", keep)
    return figures
