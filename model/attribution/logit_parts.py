"""Direct logit attribution: a logit as the sum of what each part of the model has written into the residual stream.

d_model numbers in the stream, D in a head, P parts. Only what goes straight from a part to the output counts: what a
head did to later layers is in their parts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.analysis.layer_norm import Affine, affine, affine_of, layer_norm
from model.analysis.residual_stream import FINAL, Side, sublayers
from model.attribution.attention_methods import attention_of, head_matrices, own_kind
from model.attribution.why_question import Question
from model.trace import AttentionKind, path
from model.transformer import Transformer

KINDS: dict[str, AttentionKind] = {"cross_attention": "cross"}  # of a sublayer; self-attention has that of its side


Head = tuple[AttentionKind, int, int]


@dataclass(frozen=True)
class Part:
    """Summand of the logit that one part of the model writes.

    name   embedding, position, segment, self_attention, cross_attention, feed_forward or biases
    layer  of a sublayer, head of an attention, token where a head is split into what it read
    """

    name: str
    value: float
    layer: int | None = None
    head: int | None = None
    token: int | None = None

    def recorded(self, side: AttentionKind) -> str:
        """As files and commands name it: `cross.1.0` for a head, `decoder.1.feed_forward`, `embedding`.

        `side` is that of the token that is written.
        """
        if self.layer is None:
            return self.name
        if self.head is None:
            return f"{side}.{self.layer}.{self.name}"
        return f"{KINDS.get(self.name, side)}.{self.layer}.{self.head}"


@dataclass(frozen=True)
class Split:
    """A logit, or the difference of two, and its parts in the order of the pass; their sum is the logit."""

    logit: float
    parts: tuple[Part, ...]

    @property
    def total(self) -> float:
        return sum(part.value for part in self.parts)


def can_split(model: Transformer) -> bool:
    """Whether the output layer reads the stream itself; BERT has a layer with an activation in between."""
    config = model.config
    return bool(config.target_vocabulary) and not config.output_transform and not config.embedding_size


def split_logit(model: Transformer, question: Question) -> Split:
    """The logit of the token asked about (less that of the alternative), split exactly.

    The scale of every LayerNorm that the stream passes is held fixed at what it was in this pass; then each step to the
    output is linear. Biases of attention outputs, of norms and of the output layer are one part; those inside a
    feed-forward network belong to it.
    """
    return _split(model, question, None)


def split_head(model: Transformer, question: Question, kind: AttentionKind, layer: int, head: int) -> np.ndarray:
    """Split a head's part of the logit by the token whose value it took: (S + T), 0 for the side that it does not read.

    Their sum is the head's part in `split_logit`.
    """
    read = [part for part in _split(model, question, (kind, layer, head)).parts if part.token is not None]
    values = np.zeros(len(question.source) + len(question.target))
    start = len(question.source) if kind == "decoder" else 0
    for part in read[: len(values) - start]:
        values[start + (part.token or 0)] = part.value
    return values


def _split(model: Transformer, question: Question, open_head: Head | None) -> Split:
    """The logit in parts, with the head `open_head` in a part for each token that it read."""
    side: Side = "decoder" if question.run.target else "encoder"
    values, row = question.run.trace.values, question.row
    parts = _Parts(model.config.d_model)
    for name in ("embedding", "position", "segment"):
        if f"{side}.{name}" in values:
            parts.add(name, values[f"{side}.{name}"][row])
    if model.config.embedding_norm:
        norm = affine_of(model.embedding_norms[side], model.config.norm_kind)
        parts.normalise(norm, values[f"{side}.embedding_sum"][row])
    for sub in sublayers(values, side):
        if sub.part == "feed_forward":
            parts.add(sub.part, sub.output[row], sub.layer)
        else:
            _add_heads(parts, model, question, sub.part, sub.layer, open_head)
        if model.config.norm == "post":
            parts.normalise(affine(model, side, sub.depth), sub.summed[row])
        last = sub.after[row]
    if model.config.final_norm:
        parts.normalise(affine(model, side, FINAL), last)
    return parts.read(model, values["logits"][row], question)


def _add_heads(
    parts: _Parts, model: Transformer, question: Question, part: str, layer: int, open_head: Head | None
) -> None:
    kind = KINDS.get(part, own_kind(question))
    attention, values, row = attention_of(model, kind, layer), question.run.trace.values, question.row
    matrices = head_matrices(attention)
    outputs = values[f"{path(kind, layer)}.head_outputs"][:, row].astype(np.float64)  # (H, D)
    for head, output in enumerate(np.einsum("hd,hdm->hm", outputs, matrices)):
        if open_head == (kind, layer, head):
            weights = values[f"{path(kind, layer)}.weights"][head, row]  # (K)
            v = values[f"{path(kind, layer)}.v"][head // attention.sharing].astype(np.float64)  # (K, D)
            for token, vector in enumerate((weights[:, None] * v) @ matrices[head]):
                parts.add(part, vector, layer, head, token)
        else:
            parts.add(part, output, layer, head)
    if attention.output.bias is not None:
        parts.biases += attention.output.bias.detach().cpu().numpy()


class _Parts:
    """The stream of one token, taken apart: a vector (d_model) for each part."""

    def __init__(self, d_model: int):
        self.named: list[tuple[str, int | None, int | None, int | None]] = []
        self.vectors = np.zeros((0, d_model))  # (P, d_model)
        self.biases = np.zeros(d_model)

    def add(
        self,
        name: str,
        vector: np.ndarray,
        layer: int | None = None,
        head: int | None = None,
        token: int | None = None,
    ) -> None:
        self.named.append((name, layer, head, token))
        self.vectors = np.vstack([self.vectors, vector.astype(np.float64)])

    def normalise(self, norm: Affine, x: np.ndarray) -> None:
        """Pass every part through a LayerNorm whose scale is that of the whole stream x."""
        scale = layer_norm(x, norm).scale
        whole = np.vstack([self.vectors, self.biases])
        centred = whole if norm.kind == "rms" else whole - whole.mean(axis=1, keepdims=True)
        whole = norm.gain * centred / scale
        self.vectors, self.biases = whole[:-1], whole[-1] + norm.bias

    def read(self, model: Transformer, logits: np.ndarray, question: Question) -> Split:
        """Split the logit: the dot product of each part with the row of the output layer."""
        weight = model.output.weight.detach()
        reads, logit, bias = weight[question.word].double().cpu().numpy(), float(logits[question.word]), 0.0
        if model.output.bias is not None:
            bias = float(model.output.bias[question.word])
        if question.rather is not None:
            reads = reads - weight[question.rather].double().cpu().numpy()
            logit -= float(logits[question.rather])
            bias -= 0.0 if model.output.bias is None else float(model.output.bias[question.rather])
        parts = [
            Part(name, float(vector @ reads), *place)
            for (name, *place), vector in zip(self.named, self.vectors, strict=True)
        ]
        return Split(logit, (*parts, Part("biases", float(self.biases @ reads) + bias)))
