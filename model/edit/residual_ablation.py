"""Residual connections removed: an untrained stack of several depths and the model in use, with them and without.

T tokens, N depths, d = d_model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from model.analysis.cosine import cosines
from model.analysis.residual_stream import Side, stream
from model.checkpoint.checkpoints import Checkpoint, random_model
from model.config import TransformerConfig
from model.decode.translate import Translation
from model.edit.edit_effects import Outcome, edited_values, outcome
from model.edit.edited_pass import compose
from model.edit.edits import remove_residual

Norm = Literal["pre", "post", "none"]
DEPTHS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24)  # layers
TOKENS = 12
STACK = TransformerConfig(
    architecture="encoder", source_vocabulary=TOKENS, d_model=64, heads=4, encoder_layers=DEPTHS[-1], decoder_layers=0,
    d_ff=256, dropout=0.0, max_length=TOKENS,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Depths:
    """The stack of `STACK` cut off after each of N depths.

    alike      (N) mean cosine between the outputs of every two tokens: at 1 nothing tells them apart
    gradient   (N) length of the gradient that reaches the input, of one that starts with length 1 at the output
               and only asks for what tells the tokens apart: its sum over them is 0
    """

    alike: np.ndarray
    gradient: np.ndarray


def alike(x: np.ndarray) -> float:
    """Mean cosine between every two of the rows of (T, d); 1 for a single row."""
    return float(cosines(x.astype(float))[np.triu_indices(len(x), 1)].mean()) if len(x) > 1 else 1.0


def by_depth(norm: Norm, *, residual: bool, seed: int = 0) -> Depths:
    """An untrained stack of as many tokens as words, each once; the same weights with residual connections or without.

    In double precision: what is left without them is soon less than the rounding of 32 bits.
    """
    model = random_model(replace(STACK, norm=norm), seed).double()
    values: dict[str, Tensor] = {}

    def keep(name: str, value: Tensor) -> Tensor:
        values[name] = value.requires_grad_() if name == "encoder.input" else value
        return value

    ids = torch.arange(TOKENS)[None]
    with torch.enable_grad():
        model.encode(ids, tap=compose(model, *_edits(residual), then=keep))
    outputs = [values["encoder.input" if not n else f"encoder.{n - 1}.feed_forward.residual"] for n in DEPTHS]
    start = _telling_apart(outputs[0].shape, seed)
    gradients = [torch.autograd.grad(x, outputs[0], start.to(x.device), retain_graph=True)[0] for x in outputs]
    return Depths(
        np.array([alike(x[0].detach().cpu().numpy()) for x in outputs]),
        np.array([float(gradient.norm()) for gradient in gradients]),
    )


def _edits(residual: bool) -> tuple:
    return () if residual else (remove_residual(),)


def _telling_apart(shape: torch.Size, seed: int) -> Tensor:
    """A random gradient (1, T, d) of length 1 whose sum over the tokens is 0."""
    gradient = torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    gradient = gradient - gradient.mean(dim=1, keepdim=True)
    return gradient / gradient.norm()


@dataclass(frozen=True, eq=False)
class Removed:
    """Output of a model without any residual connection, and the values of its pass over what it wrote with them."""

    outcome: Outcome
    values: Mapping[str, np.ndarray]


def removed(checkpoint: Checkpoint, run: Translation) -> Removed:
    """Take every residual connection away; nothing is trained anew."""
    edits = _edits(residual=False)
    return Removed(outcome(checkpoint, run, edits), edited_values(checkpoint, run, edits))


def along(values: Mapping[str, np.ndarray], side: Side) -> dict[str, float]:
    """How alike the tokens' vectors are at each depth of a pass, as `alike`."""
    return {place: alike(x) for place, x in stream(values, side).items()}
