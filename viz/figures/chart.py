"""A Vega-Lite chart as a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any

from ..standalone.document import VegaLite
from ..vega import Altair, vega_spec, vega_svg
from .figure import Figure, Rows

AXES = 40  # px that a chart's axes and title take beside its own height


class Chart(Figure):
    """Altair chart as plain data that a cache may keep: altair takes 10 to 30 ms for one.

    drawing   needs a `description`, its text alternative
    rows      its numbers for the table; left out, its own data without their colours
    """

    def __init__(self, drawing: Altair, rows: Rows | Callable[[], Rows] | None = None):
        self.spec = vega_spec(drawing)
        self.name = str(self.spec.get("description", ""))
        self._rows = self._own_rows if rows is None else rows

    def with_rows(self, rows: Callable[[], Rows]) -> Chart:
        """The same chart with other numbers for its table, such as those that it leaves out."""
        other = copy(self)
        other._rows = rows
        return other

    @property
    def height(self) -> float:  # type: ignore[override]
        """Pixels, 0 where only Vega knows."""
        own = own_height(self.spec)
        return own + AXES if own else 0

    def parts(self) -> list[VegaLite]:
        return [VegaLite(self.spec)]

    def svg(self, *, dark: bool = False) -> str:
        """The chart in the colours of a light page."""
        return vega_svg(self.spec)

    def svg_of_width(self, pixels: int) -> str:
        """The same, as wide as a card; a chart of its own size keeps it."""
        return vega_svg(self.spec | ({"width": pixels} if self.spec.get("width") == "container" else {}))

    def rows(self) -> Rows:
        return self._rows() if callable(self._rows) else self._rows

    def _own_rows(self) -> list[dict[str, Any]]:
        return [{key: row[key] for key in row if key != "colour"} for row in self.spec["data"]["values"]]


def own_height(spec: Mapping[str, Any]) -> float:
    """The pixels that a chart takes without its axes; 0 where only Vega knows."""
    if "vconcat" in spec:
        return sum(own_height(part) for part in spec["vconcat"])
    if "hconcat" in spec:
        return max(own_height(part) for part in spec["hconcat"])
    height = spec.get("height", 0)
    if isinstance(height, Mapping):  # so much for each category, which are as many as it is sorted by
        first = spec.get("layer", [spec])[0]
        order = first.get("encoding", {}).get("y", {}).get("sort")
        return height.get("step", 0) * len(order) if isinstance(order, list) else 0
    return height
