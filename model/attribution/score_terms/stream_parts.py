"""The residual stream of some tokens as the sum of what each part of the model has written into it.

R rows (tokens), d numbers in the stream, P parts, H heads, D numbers of a head, K tokens that a head reads. The scale
of every norm that the stream passes is held at what it was in the pass; then each part goes through it by itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from model.analysis.layer_norm import Affine, affine, affine_of, scales
from model.analysis.residual_stream import FINAL, Side, Values, sublayers
from model.attribution.attention_methods import attention_of, head_matrices
from model.trace import AttentionKind, path
from model.transformer import Transformer

BIAS = "_bias"  # ends the name of a part that is the same for every token of every sentence, norms apart
CROSS = "cross_attention"
Head = tuple[AttentionKind, int, int]


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
    """Parts of the stream of R tokens: `places` (P) and `vectors`, P times (R, d)."""

    def __init__(self, side: Side, rows: slice):
        self.side, self.rows = side, rows
        self.places: list[Place] = []
        self.vectors: list[np.ndarray] = []

    def add(self, vectors: np.ndarray, name: str, *place: int | None) -> None:
        """A part, (R, d)."""
        self.places.append(Place(self.side, name, *place))
        self.vectors.append(vectors.astype(np.float64))

    def add_bias(self, vector: np.ndarray, name: str, *place: int | None) -> None:
        """The same vector (d) for all tokens; what was added under this name before has it added."""
        if (at := Place(self.side, name, *place)) in self.places:
            self.vectors[self.places.index(at)] += vector
        else:
            self.add(np.broadcast_to(vector, self.vectors[0].shape), name, *place)

    def normalise(self, norm: Affine, x: np.ndarray) -> None:
        """Pass every part through a norm whose scales are those of the whole stream, x (T, d)."""
        factor = norm.gain / scales(norm, x[self.rows].astype(np.float64))  # (R, d)
        centred = (each if norm.kind == "rms" else each - each.mean(axis=-1, keepdims=True) for each in self.vectors)
        self.vectors = [factor * each for each in centred]
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

    `written` has what the parts wrote, if not what `values` say; the scales are those of `values`. The head `opened` is
    a part for each token that it read.
    """
    config, written = model.config, values if written is None else written
    parts = StreamParts(side, rows)
    _add_inputs(parts, model, values, written)
    last = values[f"{side}.input"]
    for sub in sublayers(values, side):
        if sub.depth == depth:
            if config.norm == "pre":
                parts.normalise(affine(model, side, depth), sub.before)
            return parts
        if sub.part == "feed_forward":
            parts.add(written[f"{side}.{sub.depth}.output"][rows], sub.part, sub.layer)
        else:
            _add_heads(parts, model, written, (sub.part, sub.layer), opened)
        if config.norm == "post":
            parts.normalise(affine(model, side, sub.depth), sub.summed)
        last = sub.after
    if config.final_norm:
        parts.normalise(affine(model, side, FINAL), last)
    return parts


def _add_inputs(parts: StreamParts, model: Transformer, values: Values, written: Values) -> None:
    side = parts.side
    for name in ("embedding", "position", "segment"):
        if f"{side}.{name}" in values:
            parts.add(written[f"{side}.{name}"][parts.rows], name)
    if model.config.embedding_norm:
        norm = affine_of(model.embedding_norms[side], model.config.norm_kind)
        parts.normalise(norm, values[f"{side}.embedding_sum"])
    if model.config.embedding_size:
        weight, bias = array(model.widening.weight), array(model.widening.bias)
        parts.vectors = [each @ weight.T for each in parts.vectors]
        parts.add_bias(bias, f"widening{BIAS}")


def _add_heads(
    parts: StreamParts, model: Transformer, written: Values, sublayer: tuple[str, int], opened: Head | None
) -> None:
    part, layer = sublayer
    kind = kind_of(parts.side, part)
    attention, name = attention_of(model, kind, layer), path(kind, layer)
    matrices = head_matrices(attention)
    outputs = written[f"{name}.head_outputs"][:, parts.rows].astype(np.float64)  # (H, R, D)
    for head, output in enumerate(outputs @ matrices):
        if opened == (kind, layer, head):
            weights = written[f"{name}.weights"][head, parts.rows].T[..., None]  # (K, R, 1)
            v = written[f"{name}.v"][head // attention.sharing].astype(np.float64)  # (K, D)
            for token, vectors in enumerate(weights * (v @ matrices[head])[:, None]):
                parts.add(vectors, part, layer, head, token)
        else:
            parts.add(output, part, layer, head)
    if attention.output.bias is not None:
        parts.add_bias(array(attention.output.bias), f"{part}{BIAS}", layer)


def array(parameter) -> np.ndarray:
    """A weight in double precision."""
    result: np.ndarray = parameter.detach().double().cpu().numpy()
    return result
