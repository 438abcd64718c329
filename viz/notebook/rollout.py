"""Attention rollout from a user's own weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..attention_rollout import rollout as of_weights
from .inputs import weights


def rollout(attention: Any, *, item: int | None = None) -> np.ndarray:
    """How much of each input token is in each position after each layer, (L, 1, T, T): drawn as one head of each.

    Attention rollout (Abnar & Zuidema 2020): the mean over the heads of a layer, half of it and half of the residual
    connection, multiplied with that of the layers below. Rows sum to 1.

    attention    the weights of self-attention, as `attention_lines` takes an array or a list of layers
    item         which one of a batch, from 0

    Raises ValueError or TypeError.

    >>> glassformer.attention_lines(glassformer.rollout(outputs.attentions), tokens)
    """
    given = weights(attention, "attention", item)
    queries, keys = given.values.shape[2:]
    if queries != keys:
        raise ValueError(
            f"attention: rollout needs self-attention, with as many queries as keys; these have {queries} and {keys}."
        )
    return of_weights(given.values)[:, None].astype(np.float32)
