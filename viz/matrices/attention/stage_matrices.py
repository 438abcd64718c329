"""One head step by step, as labelled matrices: the inputs and the result of each step.

Q queries, K keys, D = d_model / H.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...data import Matrix, Scale

# step: its equation, each part after its sign, the part that it makes last; a model may lack some (a bias)
STEPS: dict[str, tuple[tuple[str, str], ...]] = {
    "input": (("", "memory"), ("", "before"), ("→", "x")),
    "query": (("", "x"), ("·", "w_q"), ("+", "b_q"), ("=", "unnormed_q"), ("→", "unrotated_q"), ("→", "q")),
    "key": (("", "memory"), ("·", "w_k"), ("+", "b_k"), ("=", "unnormed_k"), ("→", "unrotated_k"), ("→", "k")),
    "value": (("", "memory"), ("·", "w_v"), ("+", "b_v"), ("=", "v")),
    "raw": (("", "q"), ("·", "k_transposed"), ("=", "raw")),
    "scaled": (("", "raw"), ("→", "scaled")),
    "mask": (("", "allowed"),),
    "masked": (("", "allowed"), ("", "scaled"), ("+", "bias"), ("→", "masked")),
    "softmax": (("", "masked"), ("→", "weights")),
    "mix": (("", "weights"), ("·", "v"), ("=", "head_output")),
    "concat": (("", "head_output"), ("→", "concatenated")),
    "output": (("", "concatenated"), ("·", "w_o"), ("+", "b_o"), ("=", "output")),
    "residual": (("", "before"), ("+", "output"), ("=", "added"), ("→", "residual")),
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
    "unnormed_q": ("queries", "head"),
    "unnormed_k": ("keys", "head"),
    "unrotated_q": ("queries", "head"),
    "unrotated_k": ("keys", "head"),
    "q": ("queries", "head"),
    "k": ("keys", "head"),
    "v": ("keys", "head"),
    "k_transposed": ("head", "keys"),
    "head_output": ("queries", "head"),
    "w_o": ("model", "model"),
}
PAIRS = ("raw", "scaled", "bias", "allowed", "masked", "weights")  # a cell for each query and key
_SCALES: dict[str, Scale] = {"allowed": "mask", "weights": "weight"}


@dataclass(frozen=True)
class Labels:
    """The tokens of a head's queries and keys, and its colour."""

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    colour: str


def step_parts(step: str, values: Mapping[str, np.ndarray | None]) -> list[tuple[str, str]]:
    """The equation of a step with the parts that this model has; of two with equal values the later one. If they
    follow each other, nothing happens between them: the sign of the first stands before both. What a product makes
    first, it makes last where the model does nothing more with it (=).
    """
    parts: list[tuple[str, str]] = []
    for sign, part in reversed(_present(STEPS[step], values)):
        value = np.asarray(values[part])
        same = next((i for i, (_, other) in enumerate(parts) if _same(values[other], value)), None)
        if same is None:
            parts.append((sign, part))
        elif same == len(parts) - 1:
            parts[same] = (sign, parts[same][1])
    parts[-1] = ("", parts[-1][1])
    return parts[::-1]


def _present(parts: Sequence[tuple[str, str]], values: Mapping[str, np.ndarray | None]) -> list[tuple[str, str]]:
    present, is_result = [], False
    for sign, part in parts:
        if values.get(part) is not None:
            present.append(("=" if is_result else sign, part))
        is_result = (is_result or sign == "=") and values.get(part) is None
    return present


def _same(first: np.ndarray | None, second: np.ndarray) -> bool:
    return first is not None and first.dtype == second.dtype and np.array_equal(first, second)


def stage_matrices(
    parts: Sequence[tuple[str, str]], values: Mapping[str, np.ndarray | None], labels: Labels, words: Mapping[str, str]
) -> list[Matrix]:
    """A matrix for each of `parts` (its sign, its name), with title and axes in the user's language."""
    return [_matrix(part, sign, np.asarray(values[part]), labels, words) for sign, part in parts]


def _matrix(part: str, sign: str, value: np.ndarray, labels: Labels, words: Mapping[str, str]) -> Matrix:
    row_axis, column_axis = _AXES.get(part, ("queries", "keys" if part in PAIRS else "model"))
    scale = _SCALES.get(part, "signed")
    return Matrix(
        key=part,
        sign=sign,
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
