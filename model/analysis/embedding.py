"""Measures of an embedding table: rows with a similar direction, and the table projected onto a plane.

V rows. In numpy and double precision, independent of any model.
"""

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

    points      (V, 2) coordinates, in the table's own unit
    explained   (2) share of the table's variance that each of the two keeps, 0 … 1
    """

    points: np.ndarray
    explained: np.ndarray


def nearest(table: np.ndarray, id_: int, count: int) -> list[Neighbour]:
    """The `count` rows of (V, d) with the largest cosine to row `id_`, largest first; itself is left out.

    Cosine compares directions, so that a frequent word's longer row is no nearer. A row of zeros, such as
    Xavier's for padding, has cosine 0 to all.
    """
    cosines = cosine(table, table[id_])  # (V)
    cosines[id_] = -np.inf
    order = np.argsort(-cosines, kind="stable")[: min(count, len(table) - 1)]
    return [Neighbour(int(i), float(cosines[i])) for i in order]


def project(table: np.ndarray) -> Projection:
    """Principal components of a table (V, d): the plane in which its rows spread most.

    The right singular vectors of the centred table are the eigenvectors of its (d, d) covariance, which
    is far smaller than the table. Each axis points to where its largest weight is positive.
    """
    centred = table.astype(float) - table.mean(axis=0, dtype=float)
    variances, axes = np.linalg.eigh(centred.T @ centred)  # ascending
    plane = axes[:, :-3:-1]  # (d, 2)
    plane = plane * np.sign(plane[np.abs(plane).argmax(axis=0), [0, 1]])
    total = variances.sum()
    return Projection(centred @ plane, variances[:-3:-1] / total if total > 0 else np.zeros(2))
