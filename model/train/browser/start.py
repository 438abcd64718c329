"""The starting weights of a model that a page trains: page and Python draw the same ones, so none have to travel."""

import math
from typing import NamedTuple

import numpy as np
import torch

from model.transformer import Transformer

SEED = 3
_STEP = 0x6D2B79F5  # of mulberry32, `random` in live/frontend/random.js: number i is a function of seed + i · step


class Drawn(NamedTuple):
    """How the numbers of a parameter are drawn: from centre − spread to centre + spread, all equally likely."""

    name: str
    shape: list[int]
    centre: float
    spread: float


def drawn(model: Transformer) -> list[Drawn]:
    """Of each parameter, in the order of the model. The variance is that of `initial_weights.initialise`, "scaled"."""
    return [
        Drawn(name, list(each.shape), *_range(name, each.shape, model.config.d_model))
        for name, each in model.named_parameters()
    ]


def vector(model: Transformer) -> torch.Tensor:
    """The starting weights (N) of a model, in the order of its parameters."""
    rules = drawn(model)
    centre, spread = (
        np.repeat([rule[at] for rule in rules], [math.prod(rule.shape) for rule in rules]) for at in (2, 3)
    )
    return torch.from_numpy((centre + spread * (2 * _random(len(centre)) - 1)).astype(np.float32))


def _range(name: str, shape: torch.Size, d_model: int) -> tuple[float, float]:
    if len(shape) == 1:
        return (0.0 if name.endswith("bias") else 1.0), 0.0
    if name.endswith("embedding.weight"):
        return 0.0, math.sqrt(3 / d_model)
    return 0.0, math.sqrt(6 / sum(shape))  # Xavier


def _random(count: int) -> np.ndarray:
    """Numbers from 0 to below 1 (count)."""
    with np.errstate(over="ignore"):
        state = np.uint32(SEED) + np.uint32(_STEP) * np.arange(1, count + 1, dtype=np.uint32)
        mixed = (state ^ (state >> 15)) * (state | 1)
        mixed ^= mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)
    return (mixed ^ (mixed >> 14)) / 2**32
