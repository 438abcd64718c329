"""One padded batch through the model, and one sentence's attention as it came out of it.

B batch, H heads, Q queries, K keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model import masks
from model.trace import AttentionKind, path
from model.transformer import Transformer

Ids = Sequence[Sequence[int]]


@dataclass(frozen=True)
class AttentionPass:
    """Scores and weights of one attention for one sentence of a batch, (H, Q, K) each, its padding included.

    scores are those with the position bias, where positions are one. A forbidden masked score is the model's own
    fill, −∞ or −1e9.
    """

    scores: np.ndarray
    masked_scores: np.ndarray
    weights: np.ndarray


def padded(sentences: Ids) -> Tensor | None:
    """Ids (B, T) filled up with `<pad>`; None where there is nothing to read."""
    return masks.padded(sentences)[0] if any(sentences) else None


def attention(
    model: Transformer, sources: Ids, targets: Ids, *, kind: AttentionKind, layer: int, row: int
) -> AttentionPass:
    """Run sources and targets as one padded batch and keep one attention of the sentence in `row`.

    A side that the architecture lacks is a list of empty sentences. `layer` and `row` count from 0.
    """
    name = path(kind, layer)
    values: dict[str, np.ndarray] = {}

    def keep(at: str, value: Tensor) -> Tensor:
        attention_, _, part = at.rpartition(".")
        if attention_ == name and part in ("scores", "masked_scores", "weights"):
            values[part] = value[row].cpu().numpy().copy()  # (H, Q, K)
        elif attention_ == name and part == "position_bias":
            values["scores"] += value[0].cpu().numpy()
        return value

    with torch.inference_mode():
        source = padded(sources)
        model(source, padded(targets), None if source is None else masks.padded(sources)[1], keep)
    return AttentionPass(**values)
