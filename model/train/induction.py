"""How a model that learns to go on with repeated letters looks them up, measured while it learns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.analysis.attention.copying import induction_share, is_known, previous_share
from model.trace import path
from model.transformer import Transformer

TEXTS = 16  # held-out texts that are looked at


@dataclass(frozen=True)
class Induction:
    """Losses in nats per token, and two scores of every head, from 0 to 1.

    first      loss where a letter occurs for the first time: nothing helps to guess what follows it
    again      loss where it has occurred before: what followed it then follows again
    previous   (L, H) the weight of the token before, `induction` (L, H) of what followed an earlier copy
    """

    first: float
    again: float
    previous: tuple[tuple[float, ...], ...]
    induction: tuple[tuple[float, ...], ...]


def measured(model: Transformer, texts: Sequence[Sequence[int]]) -> Induction:
    """On texts (B, T) of one length, as ids with `<bos>` and without `<eos>`; a decoder alone."""
    ids = torch.tensor(texts)
    weights: dict[str, np.ndarray] = {}
    names = {f"{path('decoder', layer)}.weights": layer for layer in range(len(model.decoder))}

    def watch(name: str, value: Tensor) -> Tensor:
        if name in names:
            weights[name] = value.cpu().numpy()  # (B, H, T, T)
        return value

    with torch.inference_mode():
        logits = model(None, ids[:, :-1], None, watch)
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none").numpy()
    read = ids[:, :-1].numpy()  # (B, T)
    repeats = np.stack([is_known(each) for each in read])
    heads = np.stack([weights[name] for name in names])  # (L, B, H, T, T)
    induction = np.mean([induction_share(heads[:, each], ids_) for each, ids_ in enumerate(read)], axis=0)
    return Induction(
        float(losses[~repeats].mean()),
        float(losses[repeats].mean()),
        _table(previous_share(heads).mean(axis=1)),
        _table(induction),
    )


def _table(values: np.ndarray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(value), 5) for value in row) for row in values)
