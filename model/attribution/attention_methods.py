"""Attribution by attention: the weights themselves, their rollout, and weights times the norm of what they move.

L layers, H heads, S source tokens, T target tokens up to the row asked about, D numbers per head. Values by token are
(S + T), the source first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from model.analysis.layer_norm import array
from model.attribution.why_question import Question
from model.trace import AttentionKind, Trace, path
from model.transformer import MultiHeadAttention, Transformer
from viz.attention_rollout import mixed, rollout


def own_kind(question: Question) -> AttentionKind:
    """The self-attention of the side that wrote the token."""
    return "decoder" if question.run.target else "encoder"


def mean_weights(question: Question) -> np.ndarray:
    """The mean of the weights of all heads and layers in the row asked about; those of each kind add up to 1."""
    return _beside(question, lambda kind: _rows(question, kind).mean(axis=(0, 1)))


def head_weights(question: Question, kind: AttentionKind, layer: int, head: int) -> np.ndarray:
    """The weights of one head in the row asked about; 0 for the side that it does not read."""
    return _beside(question, lambda each: _rows(question, each)[layer, head] if each == kind else None)


def _rows(question: Question, kind: AttentionKind) -> np.ndarray:
    """The weights of a kind in the row asked about, (L, H, K)."""
    weights = question.run.trace.weights(kind)[:, :, question.row].astype(np.float64)
    return weights[..., : len(question.target)] if kind == "decoder" else weights


def _beside(question: Question, of) -> np.ndarray:
    """Values of the source's tokens, then of the target's; 0 where a side has none."""
    own = own_kind(question)
    if own == "encoder":
        return _or_zeros(of(own), len(question.source))
    source = of("cross") if question.source else None
    return np.concatenate([_or_zeros(source, len(question.source)), _or_zeros(of(own), len(question.target))])


def _or_zeros(values: np.ndarray | None, count: int) -> np.ndarray:
    return np.zeros(count) if values is None else values


Step = tuple[np.ndarray, np.ndarray | None]  # what a position takes: of the own side (T, T), of the encoder (T, S)


def rolled(steps: Iterable[Step], size: int, memory: np.ndarray | None) -> np.ndarray:
    """How much of each token of the source and of the own side is in each position after all steps, (T, S + T).

    memory (S, S) says the same of the encoder's output, None without an encoder behind it.
    """
    count = 0 if memory is None else len(memory)
    shares = np.concatenate([np.zeros((size, count)), np.eye(size)], axis=1)
    for own, cross in steps:
        shares = own @ shares
        if cross is not None and memory is not None:
            shares[:, :count] += cross @ memory
    return shares


def rolled_out(question: Question) -> np.ndarray:
    """Attention rollout (Abnar & Zuidema 2020) of the row asked about; adds up to 1.

    Self-attention goes on with ½ A + ½ I, cross-attention with ½ of the stream and ½ of what it reads from the encoder,
    which is rolled out itself.
    """
    trace, own = question.run.trace, own_kind(question)
    size = len(question.target) or len(question.source)
    selves = mixed(trace.weights(own)[..., :size, :size])  # (L, T, T)
    steps: list[Step] = []
    for layer, step in enumerate(selves):
        steps.append((step, None))
        if "cross" in trace.kinds:
            steps.append((np.eye(size) / 2, _mean(trace, layer)[:size] / 2))
    memory = rollout(trace.weights("encoder"))[-1] if "cross" in trace.kinds else None
    return rolled(steps, size, memory)[question.row]


def _mean(trace: Trace, layer: int) -> np.ndarray:
    weights: np.ndarray = trace.values[f"{path('cross', layer)}.weights"].astype(np.float64).mean(axis=0)
    return weights


def weighted_norms(model: Transformer, question: Question) -> np.ndarray:
    """Mean over layers of ‖Σ_h α_h v_h W_h^O‖ (Kobayashi et al. 2020, equation 4) for each token that is read.

    α is the weight of the row asked about and v the token's value, its bias included.
    """

    def of(kind: AttentionKind) -> np.ndarray:
        return np.mean([_norms(model, question, kind, layer) for layer in range(len(_rows(question, kind)))], axis=0)

    return _beside(question, of)


def attention_of(model: Transformer, kind: AttentionKind, layer: int) -> MultiHeadAttention:
    """The module of one kind of attention in one layer."""
    stack = model.encoder if kind == "encoder" else model.decoder
    module: MultiHeadAttention = getattr(stack[layer], f"{'cross' if kind == 'cross' else 'self'}_attention")
    return module


def head_matrices(attention: MultiHeadAttention, read: Callable[[Any], Any] = array) -> Any:
    """W^O cut into heads, (H, D, d_model): a head's output times its part is what it adds to the stream."""
    return read(attention.output.weight).T.reshape(attention.heads, attention.head_size, -1)


def _norms(model: Transformer, question: Question, kind: AttentionKind, layer: int) -> np.ndarray:
    attention = attention_of(model, kind, layer)
    weights = _rows(question, kind)[layer]  # (H, K)
    values = question.run.trace.values[f"{path(kind, layer)}.v"].astype(np.float64)  # (G, K, D)
    values = values.repeat(attention.sharing, axis=0)[:, : weights.shape[1]]  # (H, K, D)
    vectors = np.einsum("hk,hkd,hdm->km", weights, values, head_matrices(attention))
    return np.linalg.norm(vectors, axis=-1)
