"""Attention weights times the norm of what they move, from a user's own values and output projection.

L layers, B batch, H heads, Q queries (rows), K keys (columns), D numbers of a head, d numbers of the model.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .inputs import numbers, weights


def weighted_by_values(attention: Any, values: Any, output: Any, *, item: int | None = None) -> np.ndarray:
    """‖α v W^O‖ of each head (Kobayashi et al. 2020) over the sum of its row, (L, H, Q, K): drawn with `norms=True`.

    attention    the weights α of one kind of attention, as `attention_lines` takes an array or a list of layers
    values       the values v that these heads mix, their bias included: as the weights, with the axes (keys, numbers)
                 in place of (queries, keys). With fewer heads, as in grouped queries, neighbours share one
    output       weight of the output projection, (d, H·D) as `torch.nn.Linear` stores it, without its bias; a list or
                 an array with one for each layer, or a single one for one layer
    item         which one of a batch, from 0

    A row sums to 1; one that moves nothing is 0. Raises ValueError or TypeError.
    """
    alpha = weights(attention, "attention", item).values.astype(np.float64)
    v = weights(values, "values", item, "keys, numbers").values.astype(np.float64)
    layers, heads, _, keys = alpha.shape
    if v.shape[0] != layers or v.shape[2] != keys or heads % v.shape[1]:
        raise ValueError(
            f"values have {v.shape[0]} layers, {v.shape[1]} heads and {v.shape[2]} keys; "
            f"the attention has {layers} layers, {heads} heads and {keys} keys."
        )
    v = v.repeat(heads // v.shape[1], axis=1)  # (L, H, K, D)
    norms = np.stack(
        [_norms(*each, layer) for layer, each in enumerate(zip(v, _matrices(output, layers), strict=True))]
    )
    moved = alpha * norms[:, :, None]
    sums = moved.sum(axis=-1, keepdims=True)
    return (moved / np.where(sums > 0, sums, 1)).astype(np.float32)


def _matrices(output: Any, layers: int) -> list[np.ndarray]:
    single = getattr(output, "ndim", 0) == 2
    each = [output] if single else list(output)
    if len(each) != layers:
        raise ValueError(f"output needs a matrix for each of {layers} layers; it has {len(each)}.")
    return [numbers(matrix, f"output, layer {layer}").astype(np.float64) for layer, matrix in enumerate(each)]


def _norms(values: np.ndarray, matrix: np.ndarray, layer: int) -> np.ndarray:
    """‖v W^O‖ of each head's part of the projection: values (H, K, D), matrix (d, H·D), to (H, K)."""
    heads, _, size = values.shape
    if matrix.ndim != 2 or matrix.shape[1] != heads * size:
        raise ValueError(
            f"output, layer {layer}: the shape {matrix.shape} does not fit {heads} heads of {size} numbers, "
            f"which need (d_model, {heads * size}). A matrix that multiplies from the right has to be transposed."
        )
    parts = matrix.reshape(len(matrix), heads, size)  # (d, H, D)
    result: np.ndarray = np.linalg.norm(np.einsum("hkn,dhn->hkd", values, parts), axis=-1)
    return result
