"""The paths of a logit as a figure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ..components.engine import svg
from ..components.packing import message
from ..components.paths import FRONTEND, PathEdge, PathStep, PathToken, path_data
from ..standalone.document import Component
from .figure import Figure, Rows

LINE, AROUND, LIST = 27, 190, 260  # px of a sublayer (as in layout.js), round the drawing, of the list on a phone


class PathFigure(Figure):
    """Tokens as columns, sublayers from below to above, heads as lines and feed-forward networks as squares.

    tokens, steps, edges, answer, words   those of `path_data`
    """

    def __init__(
        self,
        tokens: Sequence[PathToken],
        steps: Sequence[PathStep],
        edges: Sequence[PathEdge],
        answer: PathToken,
        words: Mapping[str, str],
    ):
        self._data = path_data(tokens, steps, edges, answer, words)
        self._edges, self._steps = tuple(edges), tuple(steps)
        self.name = words["figure"]
        self.height = LINE * len(steps) + AROUND

    def parts(self) -> list[Component]:
        return [Component("paths", FRONTEND, self._data)]

    def svg(self, *, dark: bool = False) -> str:
        """The drawing, and below it the sentence of each edge."""
        return svg("paths", [message(json.loads(self._data), None, b"")], "dark" if dark else "light")

    def rows(self) -> Rows:
        """A line for each edge."""
        return [
            {
                "step": self._steps[each.step].label,
                "part": each.part,
                "row": each.row,
                "key": "" if each.key is None else each.key,
                "value": each.value,
                "said": each.said,
            }
            for each in self._edges
        ]
