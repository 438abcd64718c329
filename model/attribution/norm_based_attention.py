"""Attention weights times the norm of what they move, and the token that has less of it than of the weights.

L layers, H heads, Q rows, K tokens that a row reads, d numbers in the stream.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from model.attribution.source_share.vectors import moved
from model.trace import AttentionKind, Trace
from model.transformer import Transformer


class Fall(NamedTuple):
    """A token of a head, and its mean share over the rows: of the weights, and of the norms."""

    layer: int
    head: int
    key: int
    weight: float
    norm: float


def norm_weights(model: Transformer, trace: Trace, kind: AttentionKind) -> np.ndarray:
    """‖α v W^O‖ of each head (Kobayashi et al. 2020) over the sum of its row, (L, H, Q, K).

    α is the weight of a token and v its value, its bias included. A row sums to 1; one that moves nothing is 0.
    """
    layers = range(len(trace.weights(kind)))
    return np.stack([_shares(*moved(model, trace, kind, layer)) for layer in layers]).astype(np.float32)


def of_every_kind(model: Transformer, trace: Trace) -> dict[AttentionKind, np.ndarray]:
    """The same of each kind of attention of a pass."""
    return {kind: norm_weights(model, trace, kind) for kind in trace.kinds}


def _shares(weights: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Weights (H, Q, K) times the norms of vectors (H, K, d), each row over its sum, (H, Q, K)."""
    norms = weights * np.linalg.norm(vectors, axis=-1)[:, None]
    sums = norms.sum(axis=-1, keepdims=True)
    return norms / np.where(sums > 0, sums, 1)


def largest_fall(weights: np.ndarray, norms: np.ndarray) -> Fall:
    """The token of a head whose mean share falls most from weights to shares of norms, both (L, H, Q, K)."""
    return falls(weights, norms)[0]


def falls(weights: np.ndarray, norms: np.ndarray) -> list[Fall]:
    """Of each token the head in which its mean share falls most, both (L, H, Q, K); the largest fall first."""
    before, after = (each.astype(np.float64).mean(axis=-2) for each in (weights, norms))  # (L, H, K)
    steepest = (before - after).reshape(-1, before.shape[-1]).argmax(axis=0)  # (K)
    places = zip(*np.unravel_index(steepest, before.shape[:2]), range(before.shape[-1]), strict=True)
    result = [
        Fall(int(layer), int(head), key, float(before[layer, head, key]), float(after[layer, head, key]))
        for layer, head, key in places
    ]
    return sorted(result, key=lambda fall: fall.norm - fall.weight)
