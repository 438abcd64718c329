"""Two models side by side as matrices: their heads against each other, their layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data import Matrix


def alike_matrix(values: np.ndarray, heads: tuple[int, int], kind: str, title: str, axes: tuple[str, str]) -> Matrix:
    """Every head of A (rows) against every head of B (columns), (N, N′), each named layer·head."""
    rows, columns = (_heads(count, per) for count, per in zip(values.shape, heads, strict=True))
    return Matrix(f"alike_{kind}", title, values, rows, columns, *axes, scale="weight", colour=kind, decimals=3)


def _heads(count: int, per_layer: int) -> tuple[str, ...]:
    return tuple(f"{i // per_layer}·{i % per_layer}" for i in range(count))


def measure_matrices(
    kind: str, values: Sequence[np.ndarray], titles: Sequence[str], axes: tuple[str, str]
) -> list[Matrix]:
    """One measure of every head of both models, (L, H) each, on one scale."""
    limit = max(float(measure.max()) for measure in values) or 1.0
    return [
        Matrix(
            f"{kind}_{letter}", title, measure, _numbered(measure.shape[0]), _numbered(measure.shape[1]), *axes,
            scale="positive", colour=kind, limit=limit,
        )
        for letter, title, measure in zip("ab", titles, values, strict=True)
    ]  # fmt: skip


def _numbered(count: int) -> tuple[str, ...]:
    return tuple(map(str, range(count)))


def layers_matrix(
    values: np.ndarray, side: str, title: str, depths: tuple[Sequence[str], Sequence[str]], axes: tuple[str, str]
) -> Matrix:
    """The CKA of every depth of A (rows) with every depth of B (columns)."""
    rows, columns = (tuple(names) for names in depths)
    return Matrix(f"layers_{side}", title, values, rows, columns, *axes, scale="weight", colour=side, decimals=3)
