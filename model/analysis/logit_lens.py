"""The logit lens: the model's own output layer, applied to the residual stream at each depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.analysis.residual_stream import INPUT, PARTS, Side, Values, stream

if TYPE_CHECKING:
    from model.transformer import Transformer


ROWS = 512  # of logits that are computed at once


@dataclass(frozen=True)
class LogitLens:
    """Predictions of the output layer at each of N depths; T tokens, K candidates, ranks from 1.

    depths              (N) as in `depths`
    top                 (N, T, K) the ids of the likeliest tokens, `top_probabilities` beside them
    top_before          (N, T, K) the rank each of them had one depth earlier, 0 at the first depth
    final               (T, K) the likeliest ids at the last depth: the model's own prediction first
    final_ranks         (N, T, K) their rank at every depth
    """

    depths: tuple[str, ...]
    top: np.ndarray
    top_probabilities: np.ndarray
    top_before: np.ndarray
    final: np.ndarray
    final_ranks: np.ndarray


@dataclass(frozen=True)
class Translator:
    """The affine map of a fitted lens at one depth of the stream: matrix (d_model, d_model) and bias (d_model)."""

    matrix: np.ndarray
    bias: np.ndarray

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """The vectors (…, d_model) as the final layer would have them."""
        return x @ self.matrix.T + self.bias


Translators = Mapping[str, Translator]  # by the depth that each one reads


# LogitLens predictions


def early_depths(values: Values, side: Side, every_sublayer: bool) -> dict[str, np.ndarray]:
    """Where to read the stream early, depth -> (T, d_model): the input, then after each layer or each sublayer."""
    return {
        depth: x
        for depth, x in stream(values, side).items()
        if every_sublayer or depth == INPUT or depth.endswith(PARTS[2])
    }


def early_logits(model: Transformer, side: Side, x: np.ndarray) -> np.ndarray:
    """The model's own ending, final norm if there is one and output layer, on a stream (…, d_model): (…, V).

    The "logit lens"; at the last depth it gives the model's logits.
    """
    import torch  # late, see above

    norm = getattr(model, f"{side}_norm")
    with torch.inference_mode():
        stream = torch.from_numpy(np.ascontiguousarray(x, dtype=np.float32)).to(model.device)
        return model.predict(norm(stream)).cpu().numpy()


def early(
    model: Transformer,
    values: Values,
    side: Side,
    every_sublayer: bool = False,
    count: int = 5,
    translators: Translators | None = None,
) -> LogitLens:
    """Decode every depth of the stream by the output layer, for every token: the likeliest ids and their ranks.

    Where a fitted lens has a translator, the vectors go through it first.
    """
    depths = early_depths(values, side, every_sublayer)
    streams = [(translators or {}).get(depth, _unchanged)(x) for depth, x in depths.items()]
    logits = _all_logits(model, side, streams)  # N × (T, V)
    count = min(count, logits[0].shape[-1])
    final = top_ids(logits[-1], count)
    top = [top_ids(each, count) for each in logits]
    before = [np.zeros_like(top[0]), *(_ranks(*pair) for pair in zip(logits[:-1], top[1:], strict=True))]
    return LogitLens(
        depths=tuple(depths),
        top=np.stack(top),
        top_probabilities=np.stack([_probabilities(*pair) for pair in zip(logits, top, strict=True)]),
        top_before=np.stack(before),
        final=final,
        final_ranks=np.stack([_ranks(each, final) for each in logits]),
    )


def _unchanged(x: np.ndarray) -> np.ndarray:
    return x


def _all_logits(model: Transformer, side: Side, streams: list[np.ndarray]) -> list[np.ndarray]:
    """`early_logits` of each stream (T, d_model), several at once: reading a large output layer takes most of it."""
    at_once = max(1, ROWS // len(streams[0]))
    chunks = [streams[start : start + at_once] for start in range(0, len(streams), at_once)]
    return [logits for chunk in chunks for logits in early_logits(model, side, np.stack(chunk))]


def top_ids(logits: np.ndarray, count: int) -> np.ndarray:
    """(T, V) to the ids (T, K) of the largest, largest first; the lower id first where two are equal."""
    import torch  # its topk does not sort the whole vocabulary

    least = torch.from_numpy(logits).topk(count, dim=-1).values[:, -1].numpy()  # (T)
    rows = []
    for row, limit in zip(logits, least, strict=True):
        ids = np.flatnonzero(row >= limit)  # more than K where some are equal
        rows.append(ids[np.argsort(-row[ids], kind="stable")[:count]])
    return np.stack(rows)


def _ranks(logits: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Rank from 1 of each of ids (T, K) among logits (T, V), counted as `_top` orders them."""
    logits_of_ids = np.take_along_axis(logits, ids, axis=-1)  # (T, K)
    ranks = np.empty(ids.shape, dtype=np.int64)
    for t, row in enumerate(logits):
        for k, (id_, value) in enumerate(zip(ids[t], logits_of_ids[t], strict=True)):
            ranks[t, k] = 1 + np.count_nonzero(row > value) + np.count_nonzero(row[:id_] == value)
    return ranks


def _probabilities(logits: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """softmax of (T, V) at ids (T, K)."""
    largest = logits.max(-1, keepdims=True)
    total = np.exp(logits - largest).sum(-1, keepdims=True, dtype=np.float64)
    return np.exp(np.take_along_axis(logits, ids, axis=-1).astype(np.float64) - largest) / total
