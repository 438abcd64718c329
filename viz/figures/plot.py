"""A figure of plotly, for three dimensions. Its own button saves the picture, which only a browser can draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..standalone.document import Plotly
from .figure import Figure, Rows

_CONFIG = {
    "displaylogo": False,
    "modeBarButtonsToRemove": ["orbitRotation", "resetCameraLastSave3d", "select2d", "lasso2d", "autoScale2d"],
    "toImageButtonOptions": {"format": "png", "scale": 2, "filename": "glassformer-space"},
}


class Plot(Figure):
    """`drawing` is plotly's JSON; None where a table is shown in its place. `rows` are its numbers.

    `labels` has another text for each of plotly's own English labels and messages.
    """

    has_picture = False

    def __init__(
        self, drawing: Mapping[str, Any] | None, rows: Sequence[Mapping[str, object]], labels: Mapping[str, str]
    ):
        self.drawing = drawing
        self._rows = rows
        self._labels = labels

    def parts(self) -> list[Plotly]:
        return [] if self.drawing is None else [Plotly(self.drawing, self._config())]

    def _config(self) -> dict[str, Any]:
        return _CONFIG | {"locale": "own", "locales": {"own": {"dictionary": dict(self._labels)}}}

    def svg(self, *, dark: bool = False) -> str:
        raise NotImplementedError("The picture of this figure is saved in the browser.")

    def rows(self) -> Rows:
        return self._rows
