"""The residual stream of some tokens as the sum of what each part of the model has written into it.

R rows (tokens), d numbers in the stream, P parts, H heads, D numbers of a head, K tokens that a head reads. The scale
of every norm that the stream passes is held at what it was in the pass; then each part goes through it by itself.

Values of a recorded pass are of numpy, and computed with in double precision. While `model/graph/score_rows.py` traces
them into a graph they are tensors, and so is all that is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch

from model.analysis.layer_norm import Affine, affine, affine_of, array, scales
from model.analysis.residual_stream import FINAL, Side, Values, sublayers
from model.attribution.attention_methods import attention_of, head_matrices
from model.trace import AttentionKind, Head, path
from model.transformer import Transformer

BIAS = "_bias"  # ends the name of a part that is the same for every token of every sentence, norms apart
CROSS = "cross_attention"


class Place(NamedTuple):
    """Where a part was written.

    name   embedding, position, segment, self_attention, cross_attention, feed_forward, or a bias: widening_bias,
           norm_bias (of all norms), self_attention_bias, cross_attention_bias (of W_O), query_bias, key_bias
    layer  of a sublayer, head of an attention, token where a head is split into what it read
    """

    side: Side
    name: str
    layer: int | None = None
    head: int | None = None
    token: int | None = None

    @property
    def kind(self) -> AttentionKind:
        """Of the attention, if it is one."""
        return kind_of(self.side, self.name)

    @property
    def is_bias(self) -> bool:
        """Whether it is the same for every token."""
        return self.name.endswith(BIAS)

    @property
    def recorded(self) -> str:
        """As files and commands name it: `cross.1.0`, `encoder.1.feed_forward`, `encoder.embedding`."""
        if self.layer is None:
            return f"{self.side}.{self.name}"
        if self.head is None:
            return f"{self.side}.{self.layer}.{self.name}"
        return f"{self.kind}.{self.layer}.{self.head}"

    @property
    def value(self) -> str:
        """The recorded name of what it wrote; a bias has none."""
        if self.layer is None:
            return f"{self.side}.{self.name}"
        if self.head is None:
            return f"{self.side}.{self.layer}.{self.name}.output"
        return f"{path(self.kind, self.layer)}.head_outputs"


def kind_of(side: AttentionKind, sublayer: str) -> AttentionKind:
    """The kind of a side's attention."""
    return "cross" if sublayer == CROSS else side


class StreamParts:
    """Parts of the stream of R tokens: `places` (P), and what stands there in `blocks`, (P, R, d) in pieces."""

    def __init__(self, side: Side, rows: slice):
        self.side, self.rows = side, rows
        self.places: list[Place] = []
        self.blocks: list[Any] = []

    @property
    def vectors(self) -> Any:
        """All parts, (P, R, d)."""
        return library(self.blocks[0]).concatenate(self.blocks)

    def add(self, vectors: Any, name: str, *place: int | None) -> None:
        """A part, (R, d)."""
        self.add_all(vectors[None], [Place(self.side, name, *place)])

    def add_all(self, vectors: Any, places: Sequence[Place]) -> None:
        """Several parts at once, (N, R, d)."""
        self.places += places
        self.blocks.append(exact(vectors))

    def add_bias(self, vector: Any, name: str, *place: int | None) -> None:
        """The same vector (d) for all tokens; what was added under this name before has it added."""
        if (at := Place(self.side, name, *place)) in self.places:
            found, vectors = self.places.index(at), self.vectors
            self.blocks = [vectors[:found], vectors[found : found + 1] + vector, vectors[found + 1 :]]
        else:
            self.add(library(vector).broadcast_to(vector, self.blocks[0].shape[1:]), name, *place)

    def normalise(self, norm: Affine, x: Any) -> None:
        """Pass every part through a norm whose scales are those of the whole stream, x (T, d)."""
        factor = norm.gain / scales(norm, exact(x[self.rows]))  # (R, d)
        vectors = self.vectors
        self.blocks = [factor * (vectors if norm.kind == "rms" else vectors - vectors.mean(axis=-1, keepdims=True))]
        if norm.kind != "rms":
            self.add_bias(norm.bias, f"norm{BIAS}")


def read_by(
    model: Transformer,
    values: Values,
    side: Side,
    depth: str,
    rows: slice,
    *,
    written: Values | None = None,
    opened: Head | None = None,
) -> StreamParts:
    """The stream as the attention at `depth` ("1.self_attention") reads it, or at FINAL what leaves the side.

    The values may be of a pass that has come no farther.
    `written` has what the parts wrote, if not what `values` say; the scales are those of `values`. The head `opened` is
    a part for each token that it read.
    """
    config, written, read = model.config, values if written is None else written, reader(values[f"{side}.input"])
    parts = StreamParts(side, rows)
    add_inputs(parts, model, values, written)
    last = values[f"{side}.input"]
    for sub in sublayers(values, side):
        if sub.depth == depth:
            break
        if sub.part == "feed_forward":
            parts.add(written[f"{side}.{sub.depth}.output"][rows], sub.part, sub.layer)
        else:
            _add_heads(parts, model, written, (sub.part, sub.layer), opened)
        if config.norm == "post":
            parts.normalise(affine(model, side, sub.depth, read), sub.summed)
        last = sub.after
    if config.final_norm if depth == FINAL else config.norm == "pre":
        parts.normalise(affine(model, side, depth, read), last)
    return parts


def add_inputs(parts: StreamParts, model: Transformer, values: Values, written: Values) -> None:
    """The parts that enter the first layer."""
    side = parts.side
    read = reader(values[f"{side}.embedding"])
    for name in ("embedding", "position", "segment"):
        if f"{side}.{name}" in values:
            parts.add(written[f"{side}.{name}"][parts.rows], name)
    if model.config.embedding_norm:
        norm = affine_of(model.embedding_norms[side], model.config.norm_kind, read)
        parts.normalise(norm, values[f"{side}.embedding_sum"])
    if model.config.embedding_size:
        weight, bias = read(model.widening.weight), read(model.widening.bias)
        parts.blocks = [parts.vectors @ weight.T]
        parts.add_bias(bias, f"widening{BIAS}")


def _add_heads(
    parts: StreamParts, model: Transformer, written: Values, sublayer: tuple[str, int], opened: Head | None
) -> None:
    part, layer = sublayer
    kind = kind_of(parts.side, part)
    attention, name = attention_of(model, kind, layer), path(kind, layer)
    outputs = exact(written[f"{name}.head_outputs"][:, parts.rows])  # (H, R, D)
    read = reader(outputs)
    matrices = head_matrices(attention, read)
    of_heads = outputs @ matrices
    places = [Place(parts.side, part, layer, head) for head in range(attention.heads)]
    if opened is None or opened[:2] != (kind, layer):
        parts.add_all(of_heads, places)
    else:
        head = opened[2]
        weights = written[f"{name}.weights"][head, parts.rows].T[..., None]  # (K, R, 1)
        v = exact(written[f"{name}.v"][head // attention.sharing])  # (K, D)
        of_tokens = weights * (v @ matrices[head])[:, None]  # (K, R, d)
        parts.add_all(of_heads[:head], places[:head])
        parts.add_all(of_tokens, [places[head]._replace(token=token) for token in range(len(of_tokens))])
        parts.add_all(of_heads[head + 1 :], places[head + 1 :])
    if attention.output.bias is not None:
        parts.add_bias(read(attention.output.bias), f"{part}{BIAS}", layer)


def exact(values: Any) -> Any:
    """Numbers of a pass in double precision; tensors as they are."""
    return values.astype(np.float64) if isinstance(values, np.ndarray) else values


def library(values: Any) -> Any:
    """What computes with them, numpy or torch."""
    return np if isinstance(values, np.ndarray) else torch


def reader(values: Any) -> Callable[[Any], Any]:
    """How weights are read to compute with them: beside tensors they stay parameters, which a graph names."""
    return array if isinstance(values, np.ndarray) else lambda parameter: parameter
