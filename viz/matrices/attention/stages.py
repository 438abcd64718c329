"""One head step by step, as labelled matrices: the inputs and the result of each step.

Q queries, K keys, D = d_model / H.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from viz.data import Matrix, Scale

# step: the part it makes, then those it is made of, in the order of the formula; a model may lack some (a bias)
STEPS: dict[str, tuple[str, ...]] = {
    "input": ("x", "memory", "before"),
    "query": ("q", "x", "w_q", "b_q"),
    "key": ("k", "memory", "w_k", "b_k"),
    "value": ("v", "memory", "w_v", "b_v"),
    "raw": ("raw", "q", "k_transposed"),
    "scaled": ("scaled", "raw"),
    "mask": ("allowed",),
    "masked": ("masked", "scaled", "allowed"),
    "softmax": ("weights", "masked"),
    "mix": ("head_output", "weights", "v"),
    "concat": ("concatenated", "head_output"),
    "output": ("output", "concatenated", "w_o", "b_o"),
    "residual": ("residual", "added", "before", "output"),
}
# part: its rows and columns. Everything else is a vector for each query.
_AXES = {
    "memory": ("keys", "model"),
    "w_q": ("model", "head"),
    "w_k": ("model", "head"),
    "w_v": ("model", "head"),
    "b_q": ("one", "head"),
    "b_k": ("one", "head"),
    "b_v": ("one", "head"),
    "b_o": ("one", "model"),
    "q": ("queries", "head"),
    "k": ("keys", "head"),
    "v": ("keys", "head"),
    "k_transposed": ("head", "keys"),
    "head_output": ("queries", "head"),
    "w_o": ("model", "model"),
}
PAIRS = ("raw", "scaled", "allowed", "masked", "weights")  # a cell for each query and key
_SCALES: dict[str, Scale] = {"allowed": "mask", "weights": "weight"}

# What stands on the matrices, in the user's language: the parts, and what rows and columns are.
WORDS = (
    "before", "x", "memory", "w_q", "w_k", "w_v", "b_q", "b_k", "b_v", "q", "k", "v", "k_transposed", "raw", "scaled",
    "allowed", "masked", "weights", "head_output", "concatenated", "w_o", "b_o", "output", "added", "residual",
    "queries", "keys", "model", "head",
)  # fmt: skip


@dataclass(frozen=True)
class Labels:
    """The tokens of a head's queries and keys, and its colour."""

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    colour: str


def step_parts(step: str, values: Mapping[str, np.ndarray | None]) -> list[str]:
    """The names of the matrices of a step that this model has; of two with equal values only the first."""
    parts: list[str] = []
    for part in STEPS[step]:
        value = values.get(part)
        if value is not None and not any(_same(values[other], value) for other in parts):
            parts.append(part)
    return parts


def _same(first: np.ndarray | None, second: np.ndarray) -> bool:
    return first is not None and first.dtype == second.dtype and np.array_equal(first, second)


def stage_matrices(
    parts: Sequence[str], values: Mapping[str, np.ndarray | None], labels: Labels, words: Mapping[str, str]
) -> list[Matrix]:
    """A matrix for each of `parts`, its title and axes in the user's language."""
    return [_matrix(part, np.asarray(values[part]), labels, words) for part in parts]


def _matrix(part: str, value: np.ndarray, labels: Labels, words: Mapping[str, str]) -> Matrix:
    row_axis, column_axis = _AXES.get(part, ("queries", "keys" if part in PAIRS else "model"))
    scale = _SCALES.get(part, "signed")
    return Matrix(
        key=part,
        title=words[part],
        values=value,
        rows=_ticks(row_axis, value.shape[0], labels),
        columns=_ticks(column_axis, value.shape[1], labels),
        row_axis=words.get(row_axis, ""),
        column_axis=words.get(column_axis, ""),
        scale=scale,
        colour="neutral" if scale == "signed" else labels.colour,
        # a fill of −1e9 would leave every other score without a colour
        limit=float(np.abs(value[value > -1e8]).max(initial=0)) or None if part == "masked" else None,
    )


def _ticks(axis: str, count: int, labels: Labels) -> tuple[str, ...]:
    if axis in ("queries", "keys"):
        return labels.queries if axis == "queries" else labels.keys
    return ("b",) if axis == "one" else tuple(str(i) for i in range(count))
