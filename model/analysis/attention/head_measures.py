"""Measures of attention weights: of one head, of two heads, and of all layers together.

L layers, H heads, Q query positions (rows), K key positions (columns), T tokens where both are the same.
Rows of weights sum to 1. Needs no torch.
"""

import numpy as np

from model.analysis.softmax import entropy_bits
from model.trace import AttentionKind

MEASURES = ("entropy", "distance", "previous", "first", "diagonal", "coverage")
# what each kind has no meaning for: source and target positions do not correspond, and only cross reads a source
_LACKS = {
    "encoder": ("coverage",),
    "decoder": ("coverage",),
    "cross": ("distance", "previous", "diagonal"),
}


def measures(weights: np.ndarray, kind: AttentionKind) -> dict[str, np.ndarray]:
    """Every measure of every head, (L, H) each, from weights (L, H, Q, K); NaN where the kind has no such measure.

    entropy   mean over rows, in bits: 0 looks at one token, log₂ K at all alike
    distance  Σ_k w |q − k|, mean over rows, in tokens
    previous  weight of the token before the query, mean over the rows that have one; 0 for a single token
    first     weight of token 0, mean over rows
    diagonal  weight of the query's own token, mean over rows
    coverage  mean over keys of min(1, Σ_q w), as in the coverage penalty of Wu et al. 2016, equation 14:
              1 when each source token has received at least as much as one row gives
    """
    rows, columns = weights.shape[-2:]
    distances = np.abs(np.arange(rows)[:, None] - np.arange(columns))  # (Q, K)
    previous = np.diagonal(weights, offset=-1, axis1=-2, axis2=-1)  # (L, H, Q − 1)
    values = {
        "entropy": entropy_bits(weights).mean(axis=-1),
        "distance": (weights * distances).sum(axis=-1).mean(axis=-1),
        "previous": previous.mean(axis=-1) if rows > 1 else np.zeros(weights.shape[:-2]),
        "first": weights[..., 0].mean(axis=-1),
        "diagonal": np.diagonal(weights, axis1=-2, axis2=-1).mean(axis=-1),
        "coverage": np.minimum(1, weights.sum(axis=-2)).mean(axis=-1),
    }
    return {
        name: np.full(weights.shape[:-2], np.nan) if name in _LACKS[kind] else np.asarray(value, dtype=float)
        for name, value in values.items()
    }


def similarity(weights: np.ndarray) -> np.ndarray:
    """1 − mean over rows of the Jensen–Shannon divergence (base 2) of two heads: (N, N) from weights (N, Q, K).

    1 where two heads look alike everywhere, 0 where they never look at the same token.
    JSD(p, q) = H(½ p + ½ q) − ½ H(p) − ½ H(q).
    """
    weights = weights.astype(float)
    count = len(weights)
    entropies = entropy_bits(weights).mean(axis=-1)  # (N)
    alike = np.ones((count, count))
    for i in range(count - 1):  # one head at a time: all pairs at once would need gigabytes for long sentences
        between = entropy_bits((weights[i] + weights[i + 1 :]) / 2).mean(axis=-1)  # (N − 1 − i)
        divergence = between - (entropies[i] + entropies[i + 1 :]) / 2
        alike[i, i + 1 :] = alike[i + 1 :, i] = 1 - np.clip(divergence, 0, 1)
    return alike


def pairs(alike: np.ndarray) -> list[tuple[int, int]]:
    """All pairs i < j of a similarity matrix (N, N), most alike first."""
    first, second = np.triu_indices(len(alike), k=1)
    order = np.argsort(-alike[first, second], kind="stable")
    return [(int(first[i]), int(second[i])) for i in order]
