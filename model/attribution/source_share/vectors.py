"""Source and written text by the vectors that attention moves: their norms, or ALTI+ with the residual stream.

H heads, D numbers in a head, S source tokens, T tokens that the decoder read, K tokens that one attention reads, d
numbers in the stream.
"""

from __future__ import annotations

import numpy as np

from model.analysis.layer_norm import affine, layer_norm
from model.analysis.residual_stream import Sublayer, sublayers
from model.attribution.attention_methods import attention_of, head_matrices
from model.decode.translate import Translation
from model.trace import AttentionKind, Trace, path
from model.transformer import Transformer

KINDS: dict[str, AttentionKind] = {"self_attention": "decoder", "cross_attention": "cross"}


def moved(model: Transformer, trace: Trace, kind: AttentionKind, layer: int) -> tuple[np.ndarray, np.ndarray]:
    """The weights of an attention (H, T, K), and what each head takes from each token at weight 1, v W^O: (H, K, d)."""
    attention = attention_of(model, kind, layer)
    weights = trace.values[f"{path(kind, layer)}.weights"].astype(np.float64)
    values = trace.values[f"{path(kind, layer)}.v"].astype(np.float64).repeat(attention.sharing, axis=0)  # (H, K, D)
    return weights, values @ head_matrices(attention)


def norm_shares(model: Transformer, run: Translation) -> np.ndarray:
    """The source's share of Σ ‖Σ_h α v W^O‖ (Kobayashi et al. 2020, equation 4) over layers and tokens, (T)."""
    sums = {kind: np.zeros(len(run.target)) for kind in KINDS.values()}
    for layer in range(len(model.decoder)):
        for kind, total in sums.items():
            weights, vectors = moved(model, run.trace, kind, layer)
            total += [np.linalg.norm(_taken(weights[:, row], vectors), axis=-1).sum() for row in range(len(total))]
    whole = sums["cross"] + sums["decoder"]
    return sums["cross"] / np.where(whole > 0, whole, np.nan)


def _taken(weights: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """What one row takes from each token through all heads: weights (H, K), vectors (H, K, d), to (K, d)."""
    return np.einsum("hk,hkd->kd", weights, vectors)


def alti_shares(model: Transformer, run: Translation) -> np.ndarray:
    """The source's share of each row after the last layer by ALTI+ (Ferrando et al. 2022), (T).

    Each attention's output at a row is a sum of vectors, one for each token that it reads and one for the residual
    stream. A vector's share is max(0, ‖y‖₁ − ‖y − vector‖₁), y being the sublayer's output, over the sum of all. The
    share of the source goes on through the layers: self-attention mixes that of the rows read, cross-attention adds its
    own. Feed-forward networks are passed over, as in the paper; a norm after the sum keeps its scale.
    """
    source = np.zeros(len(run.target))
    for sub in sublayers(run.trace.values, "decoder"):
        if sub.part in KINDS:
            source = _passed_on(model, run.trace, sub, source)
    return source


def _passed_on(model: Transformer, trace: Trace, sub: Sublayer, source: np.ndarray) -> np.ndarray:
    """The source's share of each row after an attention, from that before it, (T)."""
    weights, vectors = moved(model, trace, KINDS[sub.part], sub.layer)
    result = np.empty_like(source)
    for row in range(len(source)):
        shares = _contributions(model, sub, row, _taken(weights[:, row], vectors))
        of_read = source if sub.part == "self_attention" else np.ones(len(shares) - 1)
        result[row] = shares @ np.append(of_read, source[row])
    return result


def _contributions(model: Transformer, sub: Sublayer, row: int, taken: np.ndarray) -> np.ndarray:
    """Shares of the tokens (K, d) that a row reads and, last, of its residual stream: (K + 1), adding up to 1."""
    parts = np.vstack([taken, sub.before[row]])
    if model.config.norm == "post":
        norm = affine(model, "decoder", sub.depth)
        centred = parts if norm.kind == "rms" else parts - parts.mean(axis=1, keepdims=True)
        parts = norm.gain * centred / layer_norm(sub.summed[row], norm).scale
    y = sub.after[row].astype(np.float64)
    close = (np.abs(y).sum() - np.abs(y - parts).sum(axis=1)).clip(min=0)
    total = close.sum()
    return close / total if total else np.append(np.zeros(len(taken)), 1.0)
