"""The steps of a decoding as a figure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from ..components.engine import svg
from ..components.packing import message
from ..components.timeline import FRONTEND, Step, player_data
from ..standalone.document import Component
from .figure import Figure, Rows


class TimelineFigure(Figure):
    """The time line and the candidates of the step in view; the picture and the numbers are those of this step.

    prompt, steps, step, words   those of `player_data`
    rows                         the lines of its table
    """

    def __init__(
        self,
        prompt: Sequence[str],
        steps: Sequence[Step],
        step: int,
        words: Mapping[str, str],
        rows: Callable[[], Rows],
    ):
        self.name = words["candidates"]
        self._data = player_data(prompt, steps, step, words, fixed=True)
        self._rows = rows

    def parts(self) -> list[Component]:
        return [Component("timeline", FRONTEND, self._data)]

    def svg(self, *, dark: bool = False) -> str:
        """The candidates of the step, as the screen shows them."""
        return svg("timeline", [message(json.loads(self._data), None, b"")], "dark" if dark else "light")

    def rows(self) -> Rows:
        return self._rows()
