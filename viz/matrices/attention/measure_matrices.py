"""Measures of heads, attention rollout, and the similarity of heads, as labelled matrices.

L layers, H heads, T tokens, N = L · H.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ...data import Matrix


def rollout_matrices(
    mean: np.ndarray, rollout: np.ndarray, layer: int, tokens: tuple[str, ...], colour: str, words: Mapping[str, str]
) -> list[Matrix]:
    """The mean over heads of one layer's attention (T, T), beside the rollout up to that layer (T, T)."""
    return [
        Matrix(
            key=name,
            title=words[name].format(layer=layer),
            values=values,
            rows=tokens,
            columns=tokens,
            row_axis=words["queries"],
            column_axis=words[columns],
            scale="weight",
            colour=colour,
        )
        for name, values, columns in (("mean", mean, "keys"), ("rollout", rollout, "inputs"))
    ]


def measure_matrices(
    measures_by_kind: Mapping[str, np.ndarray], titles: Mapping[str, str], words: Mapping[str, str]
) -> list[Matrix]:
    """One small wall (L, H) for each kind that has the measure, all on one scale."""
    complete = {kind: values for kind, values in measures_by_kind.items() if not np.isnan(values).any()}
    limit = max((float(values.max()) for values in complete.values()), default=0.0)
    return [
        Matrix(
            key=kind,
            title=titles[kind],
            values=values,
            rows=tuple(words["layer"].format(layer=i) for i in range(values.shape[0])),
            columns=tuple(words["head"].format(head=i) for i in range(values.shape[1])),
            row_axis=words["layers"],
            column_axis=words["heads"],
            scale="positive",
            colour=kind,
            limit=limit or 1.0,
        )
        for kind, values in complete.items()
    ]


def similarity_matrix(alike: np.ndarray, heads: int, kind: str, title: str, words: Mapping[str, str]) -> Matrix:
    """All heads of one kind against each other, (N, N), each named layer·head."""
    names = tuple(f"{i // heads}·{i % heads}" for i in range(len(alike)))
    return Matrix(
        key="alike",
        title=words["alike"].format(kind=title),
        values=alike,
        rows=names,
        columns=names,
        row_axis=words["layer_head"],
        column_axis=words["layer_head"],
        scale="weight",
        colour=kind,
    )


def table_rows(
    measures_by_kind: Mapping[str, Mapping[str, np.ndarray]], names: Sequence[str]
) -> list[dict[str, str | int | float | None]]:
    """A line for each head of each kind: kind, layer, head and the measures, None where the kind has no such measure.

    `measures_by_kind`: kind -> measure -> (L, H).
    """
    rows: list[dict[str, str | int | float | None]] = []
    for kind, measures in measures_by_kind.items():
        layers, heads = next(iter(measures.values())).shape
        for layer in range(layers):
            for head in range(heads):
                values = {name: float(measures[name][layer, head]) for name in names}
                numbers = {name: None if math.isnan(value) else value for name, value in values.items()}
                rows.append({"kind": kind, "layer": layer, "head": head, **numbers})
    return rows
