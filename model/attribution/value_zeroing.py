"""Value zeroing (Mohebbi et al. 2023): how much a layer's output moves if it is not given the value of one token.

S source tokens, T target tokens up to the row asked about.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from model import masks
from model.analysis.cosine import cosine
from model.attribution.attention_methods import Step, rolled
from model.attribution.question import Question
from model.checkpoint.load import Checkpoint
from model.edit.notation import residual
from model.trace import Tap


def zeroed_values(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    """How much of each token is in the row asked about, (S + T), adding up to 1.

    In each layer, the value of each token in turn is set to 0 in all heads, with the layer's input as it was; how far
    a position moves, 1 − cosine, is the token's share of it (section 3 of the paper). Shares are multiplied over the
    layers as in attention rollout; a decoder's layer shares each position among its own tokens and the encoder's.
    """
    with torch.inference_mode():
        memory = _encoder(checkpoint, question) if question.source else None
        if not question.target:
            assert memory is not None
            return memory[question.row]
        steps = [_decoder_step(checkpoint, question, layer) for layer in range(len(checkpoint.model.decoder))]
    return rolled(steps, len(question.target), memory)[question.row]


def _encoder(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    """How much of each source token is in each output of the encoder, (S, S)."""
    model, size = checkpoint.model, len(question.source)
    mask = masks.encoder_self(
        torch.ones(1, size, dtype=torch.bool), is_causal=model.config.causal_encoder
    )  # to (1, 1, S, S)
    bias = model.bias("encoder", 0, size)
    steps: list[Step] = []
    for number, layer in enumerate(model.encoder):

        def run(x: Tensor, tap: Tap, layer=layer) -> Tensor:
            return layer(x, mask, tap, bias)

        moved = _moved(question, "encoder", number, run, ["self_attention"] * size)
        steps.append((_shares(moved), None))
    return rolled(steps, size, None)


def _decoder_step(checkpoint: Checkpoint, question: Question, number: int) -> Step:
    """What each position of a decoder's layer takes from its own side, (T, T), and from the encoder, (T, S)."""
    model, size = checkpoint.model, len(question.target)
    causal, bias = masks.causal(size), model.bias("decoder", 0, size)
    read = question.run.trace.values["encoder.output"] if question.source else None
    parts = ["self_attention"] * size + ["cross_attention"] * len(question.source)

    def run(x: Tensor, tap: Tap) -> Tensor:
        memory = None if read is None else torch.from_numpy(read).expand(len(x), -1, -1)
        return model.decoder[number](x, causal, memory, None, tap, bias=bias)

    shares = _shares(_moved(question, "decoder", number, run, parts))
    return shares[:, :size], shares[:, size:] if question.source else None


def _moved(
    question: Question, side: str, number: int, run: Callable[[Tensor, Tap], Tensor], parts: Sequence[str]
) -> np.ndarray:
    """1 − cosine between a layer's output with and without the value of a token, (positions, tokens).

    `parts` names the attention of each token, one attention after the other.
    """
    values = question.run.trace.values
    size = len(question.source if side == "encoder" else question.target)
    before = torch.from_numpy(values[residual(side, number - 1 if number else "input")][:size])  # (T, d_model)
    out = run(before.expand(len(parts), -1, -1), _without_values(parts)).numpy()  # (tokens, T, d_model)
    return 1 - cosine(values[residual(side, number)][:size], out).T


def _without_values(parts: Sequence[str]) -> Tap:
    """A tap that sets one token's values to 0 in each sentence of a batch."""

    def tap(name: str, value: Tensor) -> Tensor:
        part, _, what = name.partition(".")
        if what != "v" or part not in parts:
            return value
        first = parts.index(part)
        value = value.clone()  # (B, G, K, D)
        for place in range(parts.count(part)):
            value[first + place, :, place] = 0
        return value

    return tap


def _shares(moved: np.ndarray) -> np.ndarray:
    """Each row divided by its sum; a position that nothing moves keeps to itself."""
    moved = moved.astype(np.float64).clip(min=0)
    total = moved.sum(axis=1, keepdims=True)
    return np.where(total > 0, moved / np.where(total > 0, total, 1), np.eye(*moved.shape))
