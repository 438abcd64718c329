"""The curves of a training run as a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..components.engine import svg
from ..components.packing import message
from ..standalone.document import Picture
from .figure import Figure, Rows


class RunFigure(Figure):
    """The curves of a run up to its last report.

    reports   the numbers of each report by name, those that were not measured left out; asked for with each picture
    steps     of the whole run: the end of the axis
    heads     (layer, head) whose look-up of repeated letters is measured, if it is
    words     those of the component `live_run`
    rows      the lines of its table
    """

    def __init__(
        self,
        reports: Callable[[], Sequence[Mapping[str, float]]],
        steps: int,
        heads: Sequence[tuple[int, int]],
        words: Mapping[str, str],
        rows: Callable[[], Rows],
    ):
        self._reports, self._rows = reports, rows
        self._content = {"steps": steps, "heads": list(heads), "words": dict(words)}

    def parts(self) -> list[Picture]:
        return [Picture(self.svg())]

    def svg(self, *, dark: bool = False) -> str:
        """The curves as the screen shows them when nothing is pointed at."""
        data = message({**self._content, "reports": list(self._reports())}, None, b"")
        return svg("live_run", [data], "dark" if dark else "light")

    def rows(self) -> Rows:
        return self._rows()
