"""Attention of Longformer and LED: their columns say how far a key is from its query, and which are global tokens.

S tokens, H heads, B batch, G global tokens at most, W keys of the window round a query, itself in their middle.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .inputs import numbers


def has_window(outputs: Any, name: str) -> bool:
    """Whether the attention `name` of these outputs is (B, H, S, G + W)."""
    return hasattr(outputs, name.replace("attentions", "global_attentions"))


def spread(outputs: Any, name: str) -> list[np.ndarray]:
    """The attention `name` of each layer as (B, H, S, S)."""
    of_global = getattr(outputs, name.replace("attentions", "global_attentions"))
    layers = [numbers(layer, name) for layer in getattr(outputs, name)]
    if not of_global:
        return [np.stack([_placed(sentence, [], None) for sentence in layer]) for layer in layers]
    wholes = [numbers(layer, name) for layer in of_global]
    return [
        np.stack(
            [_placed(sentence, _globals(sentence, rows.shape[-1]), rows) for sentence, rows in zip(*both, strict=True)]
        )
        for both in zip(layers, wholes, strict=True)
    ]


def _globals(weights: np.ndarray, most: int) -> list[int]:
    """The places of a sentence's global tokens (H, S, G + W): their rows are empty here. Those of padding are, too,
    but padding comes behind them.
    """
    count = int(weights[..., :most].any(axis=(0, 1)).sum())
    return [int(place) for place in np.flatnonzero(~weights.any(axis=(0, 2)))[:count]]


def _placed(weights: np.ndarray, places: list[int], of_global: np.ndarray | None) -> np.ndarray:
    """(H, S, S) of (H, S, G + W); `of_global`, (H, S or more, G), has the rows of the global tokens as columns."""
    heads, length, columns = weights.shape
    most = 0 if of_global is None else of_global.shape[-1]
    side = (columns - most) // 2
    placed = np.zeros((heads, length, length + 2 * side), weights.dtype)  # the window may reach over both ends
    for row in range(length):
        placed[:, row, row : row + 2 * side + 1] = weights[:, row, most:]
    placed = placed[..., side : side + length].copy()
    for column, place in enumerate(places):
        placed[..., place] += weights[..., column]
    for column, place in enumerate(places):
        placed[:, place] = of_global[:, :length, column]  # type: ignore[index]
    return placed
