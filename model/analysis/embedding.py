"""Measures of an embedding table: rows with a similar direction, and the table projected onto a plane.

V rows. In numpy and double precision, independent of any model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.analysis.cosine import cosine


@dataclass(frozen=True)
class Neighbour:
    """A row of the table, and its cosine to the row that was asked about, −1 … 1."""

    id: int
    cosine: float


@dataclass(frozen=True, eq=False)
class Projection:
    """A table's first two principal components.

    points      (V, n) coordinates, in the table's own unit
    explained   (n) share of the table's variance that each of the n axes keeps, 0 … 1
    mean, axes  (d) and (d, n): a vector x has the coordinates (x − mean) · axes
    """

    points: np.ndarray
    explained: np.ndarray
    mean: np.ndarray
    axes: np.ndarray

    def place(self, x: np.ndarray) -> np.ndarray:
        """The coordinates (…, n) of vectors (…, d) that are not in the table."""
        coordinates: np.ndarray = (x.astype(float) - self.mean) @ self.axes
        return coordinates


def nearest(table: np.ndarray, id_: int, count: int) -> list[Neighbour]:
    """The `count` rows of (V, d) with the largest cosine to row `id_`, largest first; itself is left out.

    Cosine compares directions, so that a frequent word's longer row is no nearer. A row of zeros, such as
    Xavier's for padding, has cosine 0 to all.
    """
    cosines = cosine(table, table[id_])  # (V)
    cosines[id_] = -np.inf
    order = np.argsort(-cosines, kind="stable")[: min(count, len(table) - 1)]
    return [Neighbour(int(i), float(cosines[i])) for i in order]


def project(table: np.ndarray, count: int = 2) -> Projection:
    """Principal components of a table (V, d): the directions in which its rows spread most, `count` of them.

    The right singular vectors of the centred table are the eigenvectors of its (d, d) covariance, which
    is far smaller than the table. Each axis points to where its largest weight is positive.
    """
    mean = table.mean(axis=0, dtype=float)
    centred = table.astype(float) - mean
    variances, axes = np.linalg.eigh(centred.T @ centred)  # ascending
    components = axes[:, : -count - 1 : -1]  # (d, count)
    components = components * np.sign(components[np.abs(components).argmax(axis=0), range(components.shape[1])])
    total = variances.sum()
    shares = variances[: -count - 1 : -1] / total if total > 0 else np.zeros(components.shape[1])
    return Projection(centred @ components, shares, mean, components)


def combined(table: np.ndarray, a: int, b: int, c: int) -> np.ndarray:
    """Cosine of each row of (V, d) to row a − row b + row c: (V)."""
    return cosine(table, table[a].astype(float) - table[b] + table[c])


def solved(table: np.ndarray, questions: Sequence[tuple[int, int, int, int]], *, own: bool) -> int:
    """How many questions (a, b, c, d) have row d nearest to a − b + c; `own` lets a, b and c be the answer too."""
    rows = table.astype(float)
    a, b, c, d = np.array(questions).T
    unit = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    cosines = (rows[a] - rows[b] + rows[c]) @ unit.T  # (N, V) up to the norm of each sum
    if not own:
        for word in (a, b, c):
            cosines[np.arange(len(d)), word] = -np.inf
    return int((cosines.argmax(axis=1) == d).sum())
