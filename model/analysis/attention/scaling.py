"""The weights of one head with another divisor in place of √d_k, from the scores of a recorded pass.

Q queries, K keys. In numpy and double precision.
"""

from dataclasses import dataclass

import numpy as np

from model.analysis.soft_lookup import gradient_norm
from model.analysis.softmax import entropy_bits, softmax

OWN, NONE = 1.0, 0.0  # the factor of √d_k itself, and what stands for no division
FACTORS = (0.25, 0.5, OWN, 2.0, 4.0)  # of √d_k


@dataclass(frozen=True)
class Spread:
    """How spread the weights of a head are, each a mean over its rows.

    entropy    bits: 0 where one key has all weight, log₂ K where all have the same
    greatest   the greatest weight of a row
    gradient   Frobenius norm of softmax's Jacobian: how much a row still answers to its scores
    """

    entropy: float
    greatest: float
    gradient: float


def divisors(d_k: int) -> dict[float, float]:
    """The divisors of scores that can be chosen, least first: by the factor of √d_k (or `NONE`), the divisor itself."""
    root = float(np.sqrt(d_k))
    divisor_of = {factor: factor * root for factor in FACTORS if factor == OWN or not np.isclose(factor * root, 1)}
    if d_k > 1:
        divisor_of[NONE] = 1.0
    return dict(sorted(divisor_of.items(), key=lambda each: each[1]))


def weights(masked_scores: np.ndarray, d_k: int, divisor: float, bias: np.ndarray | float = 0.0) -> np.ndarray:
    """softmax(q kᵀ / divisor + bias) from recorded scores (Q, K), which are divided by √d_k, biased and masked: (Q, K).

    `bias` (Q, K) is what positions add to the scores; no divisor acts on it.
    """
    scores = masked_scores.astype(np.float64) - bias
    return softmax(scores * (np.sqrt(d_k) / divisor) + bias)


def spread(weights: np.ndarray) -> Spread:
    """Of weights (Q, K)."""
    return Spread(
        entropy=float(entropy_bits(weights).mean()),
        greatest=float(weights.max(axis=-1).mean()),
        gradient=float(np.mean(gradient_norm(weights))),
    )
