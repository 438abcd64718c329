"""A figure of plotly, for three dimensions. Its own button saves the picture, which only a browser can draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..standalone.document import Plotly
from .figure import Figure, Rows


class Plot(Figure):
    """`drawing` is plotly's JSON; None where a table is shown in its place. `rows` are its numbers."""

    has_picture = False

    def __init__(self, drawing: Mapping[str, Any] | None, rows: Sequence[Mapping[str, object]]):
        self.drawing = drawing
        self._rows = rows

    def parts(self) -> list[Plotly]:
        return [] if self.drawing is None else [Plotly(self.drawing)]

    def svg(self, *, dark: bool = False) -> str:
        raise NotImplementedError("The picture of this figure is saved in the browser.")

    def rows(self) -> Rows:
        return self._rows
