"""Figures of pages, as tests see them: every figure passes through `show.figure`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import altair as alt
import pytest

from pages.shared.ui import show
from viz.figures.attention import AttentionFigure
from viz.figures.figure import Figure

KINDS = {"layer": alt.LayerChart, "hconcat": alt.HConcatChart, "vconcat": alt.VConcatChart}


@contextmanager
def watching_figures(keep: Callable[[str, Figure], None]) -> Iterator[None]:
    """Call `keep` with each figure that is shown, and its name."""
    draw = show.figure

    def watch(name: str, figure: Figure, **settings: object) -> None:
        keep(name, figure)
        draw(name, figure, **settings)

    with patch.object(show, "figure", watch):
        yield


@pytest.fixture
def figures() -> Iterator[list[Figure]]:
    """Figures of the page, run after run."""
    result: list[Figure] = []
    with watching_figures(lambda name, figure: result.append(figure)):
        yield result


def attention(figures: list[Figure]) -> AttentionFigure:
    """The figure of attention that was drawn last."""
    return [figure for figure in figures if isinstance(figure, AttentionFigure)][-1]


def check_chart(spec: dict) -> None:
    """Raise where Vega-Lite knows no such thing: the app itself does not look."""
    kind = next((kind for name, kind in KINDS.items() if name in spec), alt.Chart)
    kind.validate(spec)
