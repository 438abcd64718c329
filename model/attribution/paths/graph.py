"""Contribution graph of a logit: how much of it came along each head from each token, exactly.

What a pass has decided is held as it was: where heads look, the scales of norms, which feed-forward units are on. Then
every step from the embeddings to the logit is linear, apart from biases, and the logit is a sum over paths. The value
of an edge is the sum over all paths through it. So what arrives at a node is what left the nodes below it, and the
values of the embeddings and of all biases add up to the logit (the rules of Achtibat et al. 2024, with weights held).

S source tokens, T target tokens up to the row asked about, N tokens of a side, H heads (G groups of keys and values),
D numbers of a head, Q rows, K tokens read. All in double precision.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from model.analysis.layer_norm import Affine, affine, affine_of, array, scales
from model.analysis.residual_stream import FINAL, Side, Sublayer, Values, sublayers
from model.attribution.attention_methods import attention_of, head_matrices
from model.attribution.why_question import Question
from model.trace import AttentionKind, path
from model.transformer import Transformer


@dataclass(frozen=True)
class Step:
    """What one sublayer adds to the logit.

    side, layer, part   whose sublayer; its part as in `residual_stream.PARTS`
    heads               (H, Q, K) of attention: what head h moved from token k to row q; None for a feed-forward
    rows                (Q) of a feed-forward: what it added in each row; None for an attention
    after               (N) what the stream behind it contributes by all later ways, in each row
    """

    side: Side
    layer: int
    part: str
    heads: np.ndarray | None
    rows: np.ndarray | None
    after: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """`heads` or `rows`, whichever it has."""
        table = self.rows if self.heads is None else self.heads
        assert table is not None
        return table

    @property
    def kind(self) -> AttentionKind:
        """The kind of attention; of a feed-forward its side."""
        return "cross" if self.part == "cross_attention" else self.side


@dataclass(frozen=True)
class Graph:
    """A logit, or the difference of two, as a sum along paths.

    logit    the sum, as the model computed it
    row      the row asked about
    side     of the token that is written
    steps    every sublayer in the order of the pass, the encoder's first
    inputs   (N) of each side: what its embeddings and positions contribute
    biases   what all biases contribute
    """

    logit: float
    row: int
    side: Side
    steps: tuple[Step, ...]
    inputs: dict[Side, np.ndarray]
    biases: float

    @property
    def total(self) -> float:
        """Inputs and biases, which is the logit."""
        return sum(float(each.sum()) for each in self.inputs.values()) + self.biases


def contribution_graph(model: Transformer, question: Question) -> Graph:
    """The logit of the token asked about (less that of the alternative) along its paths.

    A model that `logit_parts.can_split` refuses has none.
    """
    side: Side = "decoder" if question.run.target else "encoder"
    values, row = question.run.trace.values, question.row
    reads, bias = readout(model, question)
    gradient = np.zeros((len(question.target) or len(question.source), model.config.d_model))
    gradient[row] = reads
    back = _Backward(model, values, bias)
    inputs: dict[Side, np.ndarray] = {side: back.through(side, gradient)}
    if side == "decoder" and question.source:
        inputs = {"encoder": back.through("encoder", back.memory), side: inputs[side]}
    in_order = sorted(back.steps, key=lambda step: step.side == "decoder")
    return Graph(logit_of(question), row, side, tuple(in_order), inputs, back.biases)


def logit_of(question: Question) -> float:
    """The logit asked about, less that of the alternative."""
    logits = question.run.trace.values["logits"][question.row]
    return float(logits[question.word]) - (0.0 if question.rather is None else float(logits[question.rather]))


def readout(model: Transformer, question: Question) -> tuple[np.ndarray, float]:
    """The row of the output layer that reads the logit, (d_model), and its bias."""
    weight, bias = array(model.output.weight), model.output.bias
    ids = [(question.word, 1.0)] + ([] if question.rather is None else [(question.rather, -1.0)])
    reads = np.sum([sign * weight[id_] for id_, sign in ids], axis=0)
    return reads, 0.0 if bias is None else sum(sign * float(bias[id_]) for id_, sign in ids)


@dataclass
class _Backward:
    """The way back from the logit: a gradient (N, d_model) of the stream, and what biases have contributed so far.

    memory   the gradient of the encoder's output, (S, d_model), gathered from all cross-attentions
    """

    model: Transformer
    values: Values
    biases: float
    steps: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        size = len(self.values["encoder.output"]) if "encoder.output" in self.values else 0
        self.memory = np.zeros((size, self.model.config.d_model))

    def through(self, side: Side, gradient: np.ndarray) -> np.ndarray:
        """Go back from the output of a side to its embeddings; gives what these contribute, (N)."""
        config, size = self.model.config, len(gradient)
        subs = [_rows_of(sub, size) for sub in sublayers(self.values, side)]
        if config.final_norm:
            gradient = self.normalised(affine(self.model, side, FINAL), subs[-1].after, gradient)
        found: list[Step] = []
        for _, each in groupby(reversed(subs), key=lambda sub: sub.layer):
            gradient = self.layer(side, list(each), gradient, found)
        self.steps += reversed(found)
        summed = subs[0].before
        if config.embedding_norm:
            norm = affine_of(self.model.embedding_norms[side], config.norm_kind)
            summed = self.values[f"{side}.embedding_sum"][:size].astype(np.float64)
            gradient = self.normalised(norm, summed, gradient)
        return _contributed(gradient, summed)

    def layer(self, side: Side, subs: list[Sublayer], gradient: np.ndarray, found: list[Step]) -> np.ndarray:
        """Go back through the sublayers of a layer, the last one first."""
        config, entered = self.model.config, subs[-1].before
        of_entered = np.zeros_like(gradient)
        for sub in subs:
            after = _contributed(gradient, sub.after)
            norm = None if config.norm == "none" else affine(self.model, side, sub.depth)
            if config.norm == "post" and norm is not None:
                gradient = self.normalised(norm, sub.summed, gradient)
            is_parallel = config.parallel and config.norm == "pre" and sub.part == "feed_forward"
            x = entered if is_parallel else sub.before
            y = x if config.norm != "pre" or norm is None else _norm(norm, x)
            go_back = self.feed_forward if sub.part == "feed_forward" else self.attention
            of_read, heads, rows = go_back(side, sub, y, gradient)
            if config.norm == "pre" and norm is not None:
                of_read = self.normalised(norm, x, of_read)
            found.append(Step(side, sub.layer, sub.part, heads, rows, after))
            if is_parallel:
                of_entered += of_read
            else:
                gradient = gradient + of_read
        return gradient + of_entered

    def normalised(self, norm: Affine, x: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Go back through a norm of x (N, d_model) whose scales are held."""
        self.biases += float((gradient @ norm.bias).sum())
        scaled = norm.gain * gradient / scales(norm, x)
        return scaled if norm.kind == "rms" else scaled - scaled.mean(axis=-1, keepdims=True)

    def attention(self, side: Side, sub: Sublayer, y: np.ndarray, gradient: np.ndarray) -> _Back:
        """Go back through the heads of an attention to what its values were made of, the weights held."""
        kind: AttentionKind = "cross" if sub.part == "cross_attention" else side
        module, name = attention_of(self.model, kind, sub.layer), path(kind, sub.layer)
        size, keys = len(gradient), len(self.memory) if kind == "cross" else len(gradient)
        weights = self.values[f"{name}.weights"][:, :size, :keys].astype(np.float64)  # (H, Q, K)
        v = self.values[f"{name}.v"][:, :keys].astype(np.float64)  # (G, K, D)
        of_outputs = np.einsum("hdm,qm->hqd", head_matrices(module), gradient)  # (H, Q, D)
        heads = weights * (of_outputs @ v.repeat(module.sharing, axis=0).transpose(0, 2, 1))  # (H, Q, K)
        of_v = weights.transpose(0, 2, 1) @ of_outputs  # (H, K, D)
        of_v = of_v.reshape(-1, module.sharing, *of_v.shape[1:]).sum(axis=1)  # (G, K, D)
        flat = of_v.transpose(1, 0, 2).reshape(keys, -1)  # (K, G · D)
        if module.output.bias is not None:
            self.biases += float((gradient @ array(module.output.bias)).sum())
            self.biases += float((flat @ array(module.v.bias)).sum())
        of_read = flat @ array(module.v.weight)  # (K, d_model)
        if kind != "cross":
            return of_read, heads, None
        self.memory += of_read
        return np.zeros_like(gradient), heads, None

    def feed_forward(self, side: Side, sub: Sublayer, y: np.ndarray, gradient: np.ndarray) -> _Back:
        """Go back through a feed-forward network that read y, each unit's share of its sum held."""
        stack: Any = self.model.encoder if side == "encoder" else self.model.decoder
        module, name, size = stack[sub.layer].feed_forward, f"{side}.{sub.layer}.feed_forward", len(gradient)
        weight = array(module.hidden.weight)  # (d_ff, d_model)
        bias = 0.0 if module.hidden.bias is None else array(module.hidden.bias)
        if module.gated:
            factor = self.values[f"{name}.gate"][:size].astype(np.float64)
        else:
            sums = y @ weight.T + bias
            hidden = self.values[f"{name}.hidden"][:size].astype(np.float64)
            factor = np.divide(hidden, sums, out=np.zeros_like(sums), where=np.abs(sums) > TINY)
        of_sums = (gradient @ array(module.output.weight)) * factor  # (N, d_ff)
        self.biases += float((of_sums * bias).sum())
        if module.output.bias is not None:
            self.biases += float((gradient @ array(module.output.bias)).sum())
        return of_sums @ weight, None, _contributed(gradient, sub.output)


TINY = 1e-9  # a sum of a unit below it lets nothing through
_Back = tuple[np.ndarray, np.ndarray | None, np.ndarray | None]  # gradient of what was read; `heads`, `rows` of a step


def _contributed(gradient: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The share of each row: (N, d_model) twice to (N)."""
    return np.einsum("nd,nd->n", gradient, x)


def _rows_of(sub: Sublayer, size: int) -> Sublayer:
    """A sublayer in its first rows, in double precision."""
    before, output, after = (each[:size].astype(np.float64) for each in (sub.before, sub.output, sub.after))
    return Sublayer(sub.layer, sub.part, before, output, after)


def _norm(norm: Affine, x: np.ndarray) -> np.ndarray:
    centred = x if norm.kind == "rms" else x - x.mean(axis=-1, keepdims=True)
    result: np.ndarray = norm.gain * centred / scales(norm, x) + norm.bias
    return result
