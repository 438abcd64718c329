"""Interventions as matrices: weights before and after, effects of heads, of patched activations."""

from collections.abc import Mapping, Sequence

import numpy as np

from ..data import Matrix

Words = Mapping[str, str]


def attention_matrices(
    kind: str,
    before: np.ndarray,
    after: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    words: Words,
) -> list[Matrix]:
    """A head's weights (Q, K) before and after, and after − before."""
    labels = (tuple(rows), tuple(columns), words["queries"], words["keys"])
    return [
        Matrix("before", words["before"], before, *labels, scale="weight", colour=kind),
        Matrix("after", words["after"], after, *labels, scale="weight", colour=kind),
        Matrix("difference", words["difference"], after - before, *labels, limit=1.0),
    ]


def head_matrices(
    kind: str, effect: np.ndarray, strength: np.ndarray, limit: float, words: Words, note: str = ""
) -> list[Matrix]:
    """The effect of removing each head, and its largest weights, (L, H) each; `limit` is shared by the kinds."""
    layers, heads = effect.shape
    labels = (tuple(map(str, range(layers))), tuple(map(str, range(heads))), words["layer"], words["head"])
    return [
        Matrix(f"{kind}_effect", words["effect"], effect, *labels, limit=limit, decimals=3),
        Matrix(f"{kind}_strength", words["strength"], strength, *labels, scale="weight", colour=kind, note=note),
    ]


def patch_matrix(changes: np.ndarray, layers: Sequence[str], tokens: Sequence[str], words: Words) -> Matrix:
    """The effect of patching one activation, (layers, S)."""
    return Matrix(
        "patched", words["patched"], changes, tuple(layers), tuple(tokens), words["depth"], words["token"], decimals=3
    )
