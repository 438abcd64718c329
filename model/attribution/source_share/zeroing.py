"""Source and written text by value zeroing (Mohebbi et al. 2023): all rows of a decoder's layer at once.

S source tokens, T tokens that the decoder read, d numbers in the stream.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model.analysis.cosine import cosine
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import Translation
from model.edit.recorded_names import residual
from model.trace import Tap

NUMBERS = 2_000_000  # of hidden activations at once


def at_once(checkpoint: Checkpoint, run: Translation) -> int:
    """How many tokens to zero in one batch."""
    return max(1, NUMBERS // (checkpoint.model.config.d_ff * len(run.target)))


def moved(checkpoint: Checkpoint, run: Translation, layer: int, tokens: Sequence[int]) -> np.ndarray:
    """How far a decoder layer's output turns at each row without the value of a token, 1 − cosine: (tokens, T).

    `tokens` count those that the decoder read, then those of the source. Each one's value is set to 0 in all heads of
    the attention that reads it, with the layer's input as it was.
    """
    model, values, size = checkpoint.model, run.trace.values, len(run.target)
    x = torch.from_numpy(values[residual("decoder", layer - 1 if layer else "input")]).to(model.device)
    memory = torch.from_numpy(values["encoder.output"]).to(model.device)
    many = len(tokens), -1, -1
    with torch.inference_mode():
        out = model.decoder[layer](x.expand(*many), model.seen(layer, size), memory.expand(*many), None,
                                   _without_values(tokens, size), bias=model.bias("decoder", 0, size))  # fmt: skip
    return (1 - cosine(values[residual("decoder", layer)], out.cpu().numpy())).clip(min=0)


def _without_values(tokens: Sequence[int], size: int) -> Tap:
    """A tap that sets one token's values to 0 in each sentence of a batch."""

    def tap(name: str, value: Tensor) -> Tensor:
        if name not in ("self_attention.v", "cross_attention.v"):
            return value
        value = value.clone()  # (B, G, K, D)
        for number, token in enumerate(tokens):
            if (token < size) == (name == "self_attention.v"):
                value[number, :, token if token < size else token - size] = 0
        return value

    return tap


def shares(distances: np.ndarray, size: int) -> np.ndarray:
    """The source's share of how far all tokens move each row, the mean over layers: (L, T + S, T) to (T).

    `size` is T. Where no value of a layer matters, each token that a row may read counts alike.
    """
    of_source, total = distances[:, size:].sum(axis=1), distances.sum(axis=1)  # (L, T)
    source = distances.shape[1] - size
    alike = source / (source + 1 + np.arange(size))
    shares_of_layers = np.where(total > 0, of_source / np.where(total > 0, total, 1), alike)
    result: np.ndarray = shares_of_layers.mean(axis=0)
    return result
