"""Fixtures that several files of this folder use."""

from collections.abc import Iterator

import pytest

from tests.figures import watching_figures
from viz.figures.attention import AttentionFigure
from viz.figures.figure import Figure


@pytest.fixture
def walls() -> Iterator[list[AttentionFigure]]:
    """The two attention figures."""
    result: list[AttentionFigure] = []

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, AttentionFigure):
            result.append(figure)

    with watching_figures(keep):
        yield result
