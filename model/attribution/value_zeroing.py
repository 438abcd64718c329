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
from model.attribution.why_question import Question
from model.checkpoint.checkpoints import Checkpoint
from model.edit.recorded_names import residual
from model.trace import Tap


def zeroed_values(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    """How much the row asked about takes from each token, (S + T): the mean over layers, adding up to 1.

    In each layer, the value of each token in turn is set to 0 in all heads, with the layer's input as it was; how far
    the row moves, 1 − cosine, is the token's share of it (section 3 of the paper). A decoder's layer shares the row
    among its own tokens and the encoder's.
    """
    model, size = checkpoint.model, len(question.target)
    with torch.inference_mode():
        if not size:
            return np.mean([_encoder_layer(checkpoint, question, layer) for layer in range(len(model.encoder))], axis=0)
        rows = np.mean([_decoder_layer(checkpoint, question, layer) for layer in range(len(model.decoder))], axis=0)
    return np.concatenate([rows[size:], rows[:size]])


def _encoder_layer(checkpoint: Checkpoint, question: Question, number: int) -> np.ndarray:
    """The shares of the tokens of an encoder alone, (S)."""
    model, size = checkpoint.model, len(question.source)
    visible = masks.everything(torch.tensor([question.source], device=model.device))
    mask = masks.encoder_self(visible, is_causal=model.config.causal_encoder)  # to (1, 1, S, S)
    bias = model.bias("encoder", 0, size)

    def run(x: Tensor, tap: Tap) -> Tensor:
        return model.encoder[number](x.to(model.device), mask, tap, bias)

    return _shares(question, "encoder", number, run, ["self_attention"] * size)


def _decoder_layer(checkpoint: Checkpoint, question: Question, number: int) -> np.ndarray:
    """The shares of the decoder's own tokens, then of the encoder's, (T + S)."""
    model, size = checkpoint.model, len(question.target)
    seen, bias = model.seen(number, size), model.bias("decoder", 0, size)
    read = question.run.trace.values["encoder.output"] if question.source else None

    def run(x: Tensor, tap: Tap) -> Tensor:
        memory = None if read is None else torch.from_numpy(read).to(model.device).expand(len(x), -1, -1)
        return model.decoder[number](x.to(model.device), seen, memory, None, tap, bias=bias)

    return _shares(
        question, "decoder", number, run, ["self_attention"] * size + ["cross_attention"] * len(question.source)
    )


def _shares(
    question: Question, side: str, number: int, run: Callable[[Tensor, Tap], Tensor], parts: Sequence[str]
) -> np.ndarray:
    """1 − cosine between a layer's output with and without the value of a token, divided by their sum: (tokens).

    `parts` names the attention of each token, one attention after the other.
    """
    values = question.run.trace.values
    size = len(question.source if side == "encoder" else question.target)
    before = torch.from_numpy(values[residual(side, number - 1 if number else "input")][:size])  # (T, d_model)
    out = run(before.expand(len(parts), -1, -1), _without_values(parts))[:, question.row].cpu()  # (tokens, d_model)
    distances = (1 - cosine(values[residual(side, number)][question.row], out.numpy())).clip(min=0)
    total = distances.sum()
    return distances / total if total > 0 else np.full(len(parts), 1 / len(parts))


def _without_values(parts: Sequence[str]) -> Tap:
    """A tap that sets one token's values to 0 in each sentence of a batch."""

    def tap(name: str, value: Tensor) -> Tensor:
        part, _, what = name.partition(".")
        if what != "v" or part not in parts:
            return value
        first = parts.index(part)
        value = value.clone()  # (B, G, K, D)
        for position in range(parts.count(part)):
            value[first + position, :, position] = 0
        return value

    return tap
