"""Positions that act in self-attention: a bias for each distance, or rotations of queries and keys.

H heads, N distances, T positions, D numbers per head.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from model.transformer import Transformer


def biases(model: Transformer, side: str, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbers added to the scores of each head at every distance (key − query) up to `reach`: (N), (H, N).

    A decoder sees no later token, so its distances end at 0. The model has relative positions or ALiBi.
    """
    import torch

    last = reach if side == "encoder" else 0
    with torch.inference_mode():
        bias = model.bias(side, 0, 2 * reach + 1)  # (1, H, Q, K)
    assert bias is not None, "positions of this model are no bias"
    return np.arange(-reach, last + 1), bias[0, :, reach, : reach + last + 1].cpu().numpy()


def rotated_scores(
    q: np.ndarray, k: np.ndarray, base: float, positions: int, given: Sequence[float] = ()
) -> np.ndarray:
    """The score of one query at each position with one key at each position, (T, T), before any mask.

    q and k (D) are as they are before the rotation; `given` are the pairs' frequencies
    where no base gives them. A score depends on the distance of the two positions alone.
    """
    import torch

    from model.position_methods import frequencies, rotated

    frequency = frequencies(len(q), base, given)
    at = [
        rotated(torch.from_numpy(np.tile(vector.astype(np.float64), (positions, 1)))[None, None], 0, frequency)[0, 0]
        for vector in (q, k)
    ]
    return (at[0] @ at[1].T / len(q) ** 0.5).numpy()


def off_diagonals(scores: np.ndarray) -> float:
    """The largest difference of two scores (T, T) of equal distance: 0 where only the distance counts."""
    diagonals = (np.diagonal(scores, offset) for offset in range(1 - len(scores), len(scores)))
    return max(float(np.ptp(each)) for each in diagonals)
