"""One attention head step by step, from its input to its share of the residual stream; values as in the pass.

Q queries, K keys, D = d_model / H.
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from model.trace import AttentionKind, Trace, path
from model.transformer import MultiHeadAttention, Residual, Transformer


@dataclass(frozen=True, eq=False)
class Stages:
    """Everything between a sublayer's input and its output, for one head.

    before        (Q, d_model) the residual stream that enters the sublayer
    x             (Q, d_model) what queries are made of: `before`, in a pre-norm model after its LayerNorm
    memory        (K, d_model) what keys and values are made of: x itself, in cross-attention the encoder's output
    w_q w_k w_v   (d_model, D) this head's columns of W^Q, W^K, W^V; several heads may share those of keys and values
    b_q b_k b_v   (1, D) its biases, or None
    unrotated_q   (Q, D) q before it is rotated by its positions, or None; unrotated_k (K, D)
    q; k, v       (Q, D); (K, D)
    raw           (Q, K) q kᵀ
    scaled        (Q, K) raw ÷ √D
    bias          (Q, K) what positions add to the scores, or None
    allowed       (Q, K) the mask: true where a query may look
    masked        (Q, K) scaled (and bias), −∞ (or −1e9) where forbidden
    weights       (Q, K) softmax of masked, rows sum to 1
    head_output   (Q, D) weights × v
    concatenated  (Q, H · D) the outputs of all heads side by side
    w_o, b_o      (H · D, d_model), (1, d_model) or None
    output        (Q, d_model) concatenated × w_o + b_o
    added         (Q, d_model) before + output
    residual      (Q, d_model) `added`, in a post-norm model after its LayerNorm
    """

    before: np.ndarray
    x: np.ndarray
    memory: np.ndarray
    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    b_q: np.ndarray | None
    b_k: np.ndarray | None
    b_v: np.ndarray | None
    unnormed_q: np.ndarray | None
    unnormed_k: np.ndarray | None
    unrotated_q: np.ndarray | None
    unrotated_k: np.ndarray | None
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    raw: np.ndarray
    scaled: np.ndarray
    bias: np.ndarray | None
    allowed: np.ndarray
    masked: np.ndarray
    weights: np.ndarray
    head_output: np.ndarray
    concatenated: np.ndarray
    w_o: np.ndarray
    b_o: np.ndarray | None
    output: np.ndarray
    added: np.ndarray
    residual: np.ndarray


def stages(model: Transformer, trace: Trace, kind: AttentionKind, layer: int, head: int) -> Stages:
    """The stages of one head: the trace's values, the model's weights, and what follows from the two."""
    name = path(kind, layer)
    attention, residual = _parts(model, kind, layer)
    values = {part: trace.values[f"{name}.{part}"] for part in ("scores", "masked_scores", "weights", "head_outputs")}
    key_value_head = head // attention.sharing  # the number of its key and value
    numbers = {"q": head, "k": key_value_head, "v": key_value_head}
    q, k, v = (trace.values[f"{name}.{part}"][number] for part, number in numbers.items())
    before_turns = {
        f"{was}_{part}": _of(trace, f"{name}.{was}_{part}", numbers[part])
        for was in ("unnormed", "unrotated")
        for part in "qk"
    }
    before, output = _entering(trace, kind, layer), trace.values[f"{name}.output"]
    x = _normed(residual, before, model.device) if residual.pre else before
    w_q, w_k, w_v = (_columns(getattr(attention, part), number, q.shape[-1]) for part, number in numbers.items())
    b_q, b_k, b_v = (_bias(getattr(attention, part), number, q.shape[-1]) for part, number in numbers.items())
    return Stages(
        before=before,
        x=x,
        memory=trace.values["encoder.output"] if kind == "cross" else x,
        w_q=w_q, w_k=w_k, w_v=w_v,
        b_q=b_q, b_k=b_k, b_v=b_v,
        **before_turns,
        q=q, k=k, v=v,
        raw=q @ k.T,
        scaled=values["scores"][head],
        bias=_of(trace, f"{name}.position_bias", head),
        allowed=values["masked_scores"][head] > attention.mask_fill / 2,
        masked=values["masked_scores"][head],
        weights=values["weights"][head],
        head_output=values["head_outputs"][head],
        concatenated=np.concatenate(list(values["head_outputs"]), axis=-1),
        w_o=attention.output.weight.detach().cpu().numpy().T,
        b_o=_bias(attention.output, 0, output.shape[-1]),
        output=output,
        added=before + output,
        residual=trace.values[f"{name}.residual"],
    )  # fmt: skip


def _parts(model: Transformer, kind: AttentionKind, layer: int) -> tuple[MultiHeadAttention, Residual]:
    """The attention of a layer, and the residual connection round it."""
    attention = model.get_submodule(path(kind, layer))
    residual = model.get_submodule(f"{path(kind, layer).rpartition('.')[0]}.residuals.{int(kind == 'cross')}")
    assert isinstance(attention, MultiHeadAttention)
    assert isinstance(residual, Residual)
    return attention, residual


def _entering(trace: Trace, kind: AttentionKind, layer: int) -> np.ndarray:
    """The residual stream before the sublayer, (Q, d_model)."""
    if kind == "cross":
        return trace.values[f"{path('decoder', layer)}.residual"]
    return trace.values[f"{kind}.{layer - 1}.feed_forward.residual" if layer else f"{kind}.input"]


def _of(trace: Trace, name: str, head: int) -> np.ndarray | None:
    """A head's part of a value that not every model has."""
    return trace.values[name][head] if name in trace.values else None


def _normed(residual: Residual, before: np.ndarray, device: torch.device) -> np.ndarray:
    with torch.inference_mode():
        return residual.norm(torch.from_numpy(before).to(device)).cpu().numpy()


def _columns(linear: nn.Linear, head: int, size: int) -> np.ndarray:
    """A head's columns of a projection, (d_model, D); torch keeps the transpose."""
    return linear.weight.detach().cpu().numpy()[head * size : (head + 1) * size].T


def _bias(linear: nn.Linear, head: int, size: int) -> np.ndarray | None:
    return None if linear.bias is None else linear.bias.detach().cpu().numpy()[None, head * size : (head + 1) * size]
