"""The residual streams of a batch at each depth between layers, as tensors.

B texts, S source tokens, T target tokens, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import torch
from torch import Tensor

from model import masks
from model.analysis.residual_stream import INPUT, PARTS
from model.checkpoint.checkpoints import Checkpoint
from model.decode.greedy import greedy_in_batches
from model.decode.start import decoding_start
from model.transformer import Transformer

T = TypeVar("T")
BATCH = 25  # texts that are read at once
AFTER = f".{PARTS[2]}.residual"  # the end of the recorded name of what a layer gives


class Text(NamedTuple):
    """The ids that the encoder reads, none for a decoder alone, and those that the decoder reads."""

    source: tuple[int, ...]
    target: tuple[int, ...]


@dataclass(frozen=True)
class Streams:
    """The streams of a batch.

    encoder, decoder  depth -> (B, S or T, d_model), in the order of the pass; the encoder's is empty if there is none
    source, target    (B, S) and (B, T), true on real tokens
    logits            (B, T, V)
    """

    encoder: Mapping[str, Tensor]
    decoder: Mapping[str, Tensor]
    source: Tensor
    target: Tensor
    logits: Tensor

    @property
    def final(self) -> Tensor:
        """What the last layer gives, (B, T, d_model)."""
        return list(self.decoder.values())[-1]


def generated(checkpoint: Checkpoint, sentences: Sequence[str]) -> list[Text]:
    """Each sentence with what the model writes for it, greedily. Raises `InvalidInput` for an encoder alone."""
    starts = [decoding_start(checkpoint, sentence) for sentence in sentences]
    sources = [list(start.source or start.prompt) for start in starts]
    limits = {len(source): start.limit for source, start in zip(sources, starts, strict=True)}
    outputs = greedy_in_batches(checkpoint.model, sources, lambda longest: limits[len(longest)], 64)
    return [Text(start.source, start.read(output.ids)) for start, output in zip(starts, outputs, strict=True)]


def batches(texts: Sequence[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """The texts, so many at once."""
    return (texts[start : start + size] for start in range(0, len(texts), size))


def read(model: Transformer, texts: Sequence[Text], *, has_gradients: bool = False) -> Streams:
    """One pass over a batch; with gradients, those of the streams can be asked for, not those of the weights."""
    streams: dict[str, dict[str, Tensor]] = {"encoder": {}, "decoder": {}}

    def tap(name: str, value: Tensor) -> Tensor:
        side, _, rest = name.partition(".")
        if side in streams and (depth := depth_of(rest)):
            if depth == INPUT and has_gradients:
                value = value.detach().requires_grad_()
            streams[side][depth] = value
        return value

    target, target_mask = masks.padded([text.target for text in texts])
    source, source_mask = masks.padded([text.source for text in texts]) if texts[0].source else (None, None)
    with torch.set_grad_enabled(has_gradients):
        logits = model(source, target, source_mask, tap)
    source_mask = torch.empty(0, dtype=torch.bool) if source_mask is None else source_mask
    source_mask, target_mask = source_mask.to(model.device), target_mask.to(model.device)
    return Streams(streams["encoder"], streams["decoder"], source_mask, target_mask, logits)


def depth_of(name: str) -> str:
    """The depth between layers that a recorded name without its side has: `1.feed_forward`; empty for other values."""
    if name == INPUT:
        return INPUT
    return name.removesuffix(".residual") if name.endswith(AFTER) else ""
