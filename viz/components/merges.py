"""Byte-pair encoding merge by merge, as data for the component in the browser."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .frontend import figure_frontend
from .live_run import CURVES

PAIRS = 8  # of a state that are listed


@dataclass(frozen=True)
class MergeState:
    """The text after some merges.

    words       the pieces of each word; joined, they are the same in all states
    vocabulary  number of different pieces so far
    pairs       left, right and count, the next pair to merge first
    ties        other pairs that are as frequent as the first
    """

    words: tuple[tuple[str, ...], ...]
    vocabulary: int
    pairs: tuple[tuple[str, str, int], ...]
    ties: int

    @property
    def tokens(self) -> int:
        return sum(map(len, self.words))


def merges_data(states: Sequence[MergeState], step: int, words: Mapping[str, str]) -> str:
    """The component's `data`. Raises ValueError if there is no such step."""
    if not 0 <= step < len(states):
        raise ValueError(f"There is no step {step}: there are {len(states)}.")
    content = {
        "text": [["".join(cuts[0]), _joins(cuts)] for cuts in zip(*(state.words for state in states), strict=True)],
        "steps": [_step(state) for state in states],
        "step": step,
        "words": dict(words),
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _step(state: MergeState) -> dict[str, object]:
    return {
        "tokens": state.tokens,
        "vocabulary": state.vocabulary,
        "pairs": [list(pair) for pair in state.pairs[:PAIRS]],
        "distinct": len(state.pairs),
        "ties": state.ties,
    }


def _joins(cuts: Sequence[tuple[str, ...]]) -> list[int]:
    """For each place between two characters of a word, the merge that joins them, from 1; 0 where none does."""
    borders = [{len("".join(cut[:count])) for count in range(1, len(cut))} for cut in cuts]
    gone = {place: step for step, (before, after) in enumerate(pairwise(borders), 1) for place in before - after}
    return [gone.get(place, 0) for place in range(1, len("".join(cuts[0])))]


_FIGURE = figure_frontend("merges", "gf-merges")
FRONTEND = _FIGURE._replace(css=f"{CURVES}\n{_FIGURE.css}")
