"""Softmax, its logarithm, and how spread its weights are. In numpy, over the last axis, independent of any model."""

from collections.abc import Sequence

import numpy as np

NATS_PER_BIT = float(np.log(2))


def softmax(scores: np.ndarray) -> np.ndarray:
    """exp(s_i) / Σ_j exp(s_j); the shape of `scores`."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))  # the largest is 1: nothing overflows
    return powers / powers.sum(axis=-1, keepdims=True)


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Its natural logarithm, in double precision; the shape of `logits`."""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def log_probabilities(logits: np.ndarray, ids: Sequence[int] | np.ndarray) -> np.ndarray:
    """Log-probabilities of ids (T) under logits (T, V): (T), in nats."""
    return log_softmax(logits)[np.arange(len(ids)), np.asarray(ids, dtype=int)]


def entropy_bits(weights: np.ndarray) -> np.ndarray:
    """−Σ w log₂ w of each row of (…, K): (…). 0 where one weight is 1, log₂ K where all are the same."""
    logarithm = np.log2(weights, out=np.zeros_like(weights, dtype=float), where=weights > 0)  # 0 log 0 counts as 0
    return -(weights * logarithm).sum(axis=-1) + 0.0  # + 0.0 turns −0 into 0
