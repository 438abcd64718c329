"""The attention that padding receives: a sentence filled up with `<pad>`, with and without its mask."""

from dataclasses import dataclass

import numpy as np
import torch

from model import masks
from model.tokenization.tokenizer import PAD
from model.trace import Recorder
from model.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Padded:
    """A sentence of T tokens with P tokens of padding after it.

    received   (T + P) mean weight that the sentence's own tokens give each key, over them, layers and heads; sums to 1
    largest    the largest single weight among them that falls on padding
    change     largest change of an output value of the sentence's own tokens against no padding at all
    """

    received: np.ndarray
    largest: float
    change: float


def padded(model: Transformer, ids: list[int], padding: int, masked: bool = True) -> Padded:
    """One pass of the first stack over `ids` and `padding` tokens of `<pad>`.

    An encoder hides padding by its mask, unless `masked` is false. A decoder alone has none: padding
    stands at the end, where the causal mask hides it.
    """
    side = "encoder" if model.config.encoder_layers else "decoder"
    alone, beside = (_pass(model, side, [*ids, *[PAD] * more], masked) for more in (0, padding))
    weights = _weights(beside.values, side)[:, :, : len(ids)]  # (L, H, T, T + P)
    outputs = [recorder.values[f"{side}.output"][: len(ids)] for recorder in (alone, beside)]  # (T, d_model) each
    return Padded(
        weights.mean(axis=(0, 1, 2), dtype=float),
        float(weights[..., len(ids) :].max(initial=0)),
        float(np.abs(outputs[0] - outputs[1]).max()),
    )


def _pass(model: Transformer, side: str, ids: list[int], masked: bool) -> Recorder:
    recorder, tokens = Recorder(), torch.tensor([ids])
    mask = masks.real(tokens) if masked else None
    with torch.inference_mode():
        if side == "encoder":
            model.encode(tokens, mask, recorder)
        else:
            model.decode(tokens, None, None, recorder)
    return recorder


def _weights(values: dict[str, np.ndarray], side: str) -> np.ndarray:
    """Self-attention weights of a stack, (L, H, Q, K)."""
    layers: list[np.ndarray] = []
    while (name := f"{side}.{len(layers)}.self_attention.weights") in values:
        layers.append(values[name])
    return np.stack(layers)
