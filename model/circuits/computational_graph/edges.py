"""The edges of a model whose residual stream is a plain sum: who writes into it, and who reads it behind.

A writer is the embedding of a side, a head or a feed-forward network. A reader is the query, key or value of a head, a
feed-forward network, or the output layer. Every reader reads every writer in front of it on its side; the keys and
values of cross-attention read the encoder.

B passes, T rows, H heads (G groups of keys and values), D numbers of a head.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from model.analysis.residual_stream import Side, Sublayer, Values, sublayers
from model.config import TransformerConfig
from model.trace import LOGITS, silent
from model.transformer import Transformer

LETTERS = ("q", "k", "v")


@dataclass(frozen=True, order=True)
class Writer:
    """What writes into the stream of a side; `part` is `input`, or a sublayer's; `depth` counts its sublayers."""

    side: Side
    depth: int
    layer: int
    part: str
    head: int = 0

    @property
    def name(self) -> str:
        """As a file spells it: `encoder.input`, `cross.0.1`, `decoder.0.feed_forward`."""
        if self.part == "input":
            return f"{self.side}.input"
        if self.part == "feed_forward":
            return f"{self.side}.{self.layer}.feed_forward"
        return f"{'cross' if self.part == 'cross_attention' else self.side}.{self.layer}.{self.head}"


@dataclass(frozen=True, order=True)
class Reader:
    """What reads the stream of `stream` behind `depth` sublayers; `letter` of a head: q, k or v."""

    stream: Side
    depth: int
    side: Side
    layer: int
    part: str
    letter: str = ""
    head: int = 0

    @property
    def name(self) -> str:
        """As a file spells it: `cross.0.1.q`, `decoder.0.feed_forward`, `logits`."""
        if self.part == LOGITS:
            return LOGITS
        if self.part == "feed_forward":
            return f"{self.side}.{self.layer}.feed_forward"
        return f"{'cross' if self.part == 'cross_attention' else self.side}.{self.layer}.{self.head}.{self.letter}"

    @property
    def value(self) -> str:
        """The recorded name of what it makes of the stream."""
        if self.part == LOGITS:
            return LOGITS
        return f"{self.side}.{self.layer}.{self.part}.{self.letter or 'output'}"


Edge = tuple[Writer, Reader]


def can_wire(config: TransformerConfig) -> bool:
    """Whether the stream is a plain sum of what was written, and the model writes tokens."""
    return config.norm in ("pre", "none") and not config.parallel and bool(config.target_vocabulary)


def edges(config: TransformerConfig) -> list[Edge]:
    """Every edge of such a model, by its reader in the order of the pass."""
    writers: dict[Side, list[Writer]] = {"encoder": [], "decoder": []}
    readers: list[Reader] = []
    sides: tuple[tuple[Side, int], ...] = (("encoder", config.encoder_layers), ("decoder", config.decoder_layers))
    last: Side = "decoder" if config.decoder_layers else "encoder"
    for side, layers in sides:
        own = writers[side]
        if layers:
            own.append(Writer(side, -1, 0, "input"))
        parts = ["self_attention", "feed_forward"]
        if side == "decoder" and config.architecture == "encoder-decoder":
            parts.insert(1, "cross_attention")
        for depth, (layer, part) in enumerate((layer, part) for layer in range(layers) for part in parts):
            if part == "feed_forward":
                readers.append(Reader(side, depth, side, layer, part))
                own.append(Writer(side, depth, layer, part))
                continue
            for letter in LETTERS:
                count = config.heads if letter == "q" else config.kv_heads
                far = part == "cross_attention" and letter != "q"
                stream: Side = "encoder" if far else side
                at = 2 * config.encoder_layers if far else depth
                readers += [Reader(stream, at, side, layer, part, letter, head) for head in range(count)]
            own += [Writer(side, depth, layer, part, head) for head in range(config.heads)]
    depth = len({writer.depth for writer in writers[last]}) - 1
    readers.append(Reader(last, depth, last, 0, LOGITS))
    return [(writer, reader) for reader in readers for writer in writers[reader.stream] if writer.depth < reader.depth]


def written(model: Transformer, values: Values, writer: Writer) -> np.ndarray:
    """What a writer adds to the stream, (T, d_model), biases of attention outputs apart."""
    if writer.part == "input":
        return values[f"{writer.side}.input"]
    name = f"{writer.side}.{writer.layer}.{writer.part}"
    if writer.part == "feed_forward":
        return values[f"{name}.output"]
    attention = getattr(getattr(model, writer.side)[writer.layer], writer.part)
    size = attention.head_size
    weight = attention.output.weight.detach().cpu().numpy()[:, writer.head * size : (writer.head + 1) * size]
    result: np.ndarray = values[f"{name}.head_outputs"][writer.head] @ weight.T
    return result


def stream(values: Values, reader: Reader) -> np.ndarray:
    """What a reader reads, (T, d_model), before its norm."""
    subs: list[Sublayer] = sublayers(values, reader.stream)
    return subs[reader.depth].before if reader.depth < len(subs) else subs[-1].after


def made(model: Transformer, reader: Reader, x: Tensor) -> Tensor:
    """What a reader makes of the stream x (B, T, d_model): (B, T, D) of a head, (B, T, d_model) or the logits."""
    if reader.part == LOGITS:
        norm: Any = getattr(model, f"{reader.stream}_norm")
        return model.predict(norm(x))
    layer = getattr(model, reader.side)[reader.layer]
    y = model.encoder_norm(x) if reader.stream != reader.side else _norm(layer, reader.part)(x)
    if reader.part == "feed_forward":
        result: Tensor = layer.feed_forward(y)
        return result
    attention = getattr(layer, reader.part)
    if reader.letter == "v":
        head: Tensor = attention.split(attention.v(y))[:, reader.head]
        return head
    head = attention.placed(reader.letter, getattr(attention, reader.letter)(y), 0, silent)[:, reader.head]
    return head


def _norm(layer: Any, part: str) -> Any:
    """The norm in front of a part of a layer."""
    present = [each for each in ("self_attention", "cross_attention", "feed_forward") if getattr(layer, each, None)]
    return layer.residuals[present.index(part)].norm
