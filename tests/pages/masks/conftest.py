"""Fixtures that several files of this folder use."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from pages.shared.ui import matrices as figures
from viz.data import Matrix


@pytest.fixture
def drawn() -> Iterator[dict[str, dict[str, Matrix]]]:
    """The matrices handed to the figures, by figure and key."""
    found: dict[str, dict[str, Matrix]] = {}
    pack = figures.matrix_data

    def watch(shown, words, **rest):
        found[shown[0].key] = {matrix.key: matrix for matrix in shown}
        return pack(shown, words, **rest)

    with patch.object(figures, "matrix_data", watch):
        yield found
