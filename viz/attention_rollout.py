"""Attention rollout. The package for notebooks needs it without the model, so `model/` takes it from here.

L layers, H heads, T tokens.
"""

import numpy as np


def mixed(weights: np.ndarray) -> np.ndarray:
    """½ A + ½ I with A the mean over heads, rows renormalised: (L, T, T) from weights (L, H, T, T)."""
    mean = weights.astype(float).mean(axis=1)  # (L, T, T)
    half = 0.5 * mean + 0.5 * np.eye(mean.shape[-1])
    return half / half.sum(axis=-1, keepdims=True)


def rollout(weights: np.ndarray) -> np.ndarray:
    """How much of each input token is in each position after layer 0 … L − 1, (L, T, T); rows sum to 1.

    Attention rollout of Abnar & Zuidema 2020, equation 1: Ã_l = (½ A + ½ I) Ã_{l−1}, the half of I
    standing for the residual connection. Weights (L, H, T, T) of self-attention.
    """
    layers = mixed(weights)
    steps = [layers[0]]
    for layer in layers[1:]:
        steps.append(layer @ steps[-1])
    return np.stack(steps)
