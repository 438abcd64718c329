"""Byte-pair encoding merge by merge as a figure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ..components.engine import svg
from ..components.merges import FRONTEND, MergeState, merges_data
from ..components.packing import message
from ..standalone.document import Component
from .figure import Figure, Rows


class MergesFigure(Figure):
    """A slider over merges, the text in pieces, the table of pairs, and both lengths as curves.

    states, step, words   those of `merges_data`; the picture is that of the step
    """

    def __init__(self, states: Sequence[MergeState], step: int, words: Mapping[str, str]):
        self._states = tuple(states)
        self._data = merges_data(states, step, words)
        self.name = words["text"]

    def parts(self) -> list[Component]:
        return [Component("merges", FRONTEND, self._data)]

    def svg(self, *, dark: bool = False) -> str:
        """What is said of the step, its pieces and pairs, and the curves."""
        return svg("merges", [message(json.loads(self._data), None, b"")], "dark" if dark else "light")

    def rows(self) -> Rows:
        """A line for each state, with the pair that is merged next."""
        return [
            {
                "merges": step,
                "tokens": state.tokens,
                "vocabulary": state.vocabulary,
                **dict(zip(("left", "right", "count"), state.pairs[0] if state.pairs else ("", "", 0), strict=True)),
                "text": " ".join("|".join(word) for word in state.words),
            }
            for step, state in enumerate(self._states)
        ]
