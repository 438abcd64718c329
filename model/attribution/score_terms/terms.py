"""A row of scores of one head as a table: each part of the query times each part of the keys.

With the norms held as they are, the streams of the query's token and of a key's token are sums of parts, and
(q · k) / √D is the sum of the products of each part of one with each part of the other.

P parts of the query, R of a key, K keys, D numbers of a head, G keys that heads share, d numbers in the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import torch

from model.analysis.layer_norm import affine_of, scales
from model.analysis.residual_stream import FINAL, Side, Values
from model.analysis.softmax import softmax
from model.attribution.attention_methods import attention_of
from model.attribution.score_terms.stream_parts import BIAS, CROSS, Place, StreamParts, array, read_by
from model.position_methods import frequencies, rotated
from model.trace import AttentionKind, path
from model.transformer import MultiHeadAttention, Transformer

BIASES = "biases"  # the group of what is the same for every token
Parts = Sequence[int]  # places in `queries` or `keys` of a row


@dataclass(frozen=True, eq=False)
class ScoreRow:
    """The scores of one query with every key.

    queries, keys  the parts, P and R
    q              (P, D) of the query, already divided by √D
    k              (R, K, D) of each key
    bias           (K) what positions add to the scores, None where they add nothing
    masked         (K) the recorded scores that the softmax reads, the bias included
    allowed        (K) where the query may look
    weights        (K) as recorded
    """

    queries: tuple[Place, ...]
    keys: tuple[Place, ...]
    q: np.ndarray
    k: np.ndarray
    bias: np.ndarray | None
    masked: np.ndarray
    allowed: np.ndarray
    weights: np.ndarray

    @cached_property
    def total(self) -> np.ndarray:
        """All terms together, (K): the recorded score before the mask, as far as numbers of 32 bits are exact."""
        return self.term(range(len(self.queries)), range(len(self.keys))) + (0.0 if self.bias is None else self.bias)

    def term(self, queries: Parts, keys: Parts) -> np.ndarray:
        """What some parts of the query give together with some parts of each key, (K)."""
        return np.einsum("d,kd->k", self.q[list(queries)].sum(axis=0), self.k[list(keys)].sum(axis=0))

    def table(self, key: int, *, centred: bool) -> np.ndarray:
        """Every term of the score with one key, (P, R); centred: less its mean over the keys that may be seen."""
        k = self.k[:, key] - self.k[:, self.allowed].mean(axis=1) if centred else self.k[:, key]
        return np.einsum("pd,rd->pr", self.q, k)

    def of_positions(self, key: int, *, centred: bool) -> float:
        """The same of what positions add to the score; 0 where they add nothing."""
        if self.bias is None:
            return 0.0
        return float(self.bias[key] - (self.bias[self.allowed].mean() if centred else 0.0))

    def score(self, key: int, *, centred: bool) -> float:
        """The sum of both."""
        return float(self.table(key, centred=centred).sum()) + self.of_positions(key, centred=centred)

    def with_scores(self, scores: np.ndarray) -> np.ndarray:
        """The weights of the row if these (K) were its scores before the mask, (K)."""
        return softmax(np.where(self.allowed, scores, self.masked.astype(np.float64)))

    def without(self, queries: Parts, keys: Parts) -> np.ndarray:
        """The weights of the row if the term of some parts of the query and some of the keys is left out, (K)."""
        return self.with_scores(self.masked.astype(np.float64) - self.term(queries, keys))

    def sides(self, key: int, *, centred: bool) -> dict[str, float]:
        """The score by what it depends on; biases are the same for every token.

        both      parts of the query's token with parts of the key's token
        key       biases with parts of the key's token: whatever the query is
        query     parts of the query's token with biases: whatever the key is
        neither   biases with biases
        position  what positions add to the score
        """
        table = self.table(key, centred=centred)
        of_query, of_key = (np.array([not place.is_bias for place in each]) for each in (self.queries, self.keys))
        return {
            "both": float(table[np.ix_(of_query, of_key)].sum()),
            "key": float(table[np.ix_(~of_query, of_key)].sum()),
            "query": float(table[np.ix_(of_query, ~of_key)].sum()),
            "neither": float(table[np.ix_(~of_query, ~of_key)].sum()),
            "position": self.of_positions(key, centred=centred),
        }


def score_row(
    model: Transformer,
    values: Values,
    kind: AttentionKind,
    layer: int,
    head: int,
    query: int,
    written: Values | None = None,
) -> ScoreRow:
    """The row of one query, of a pass that starts at position 0. `written` as in `stream_parts.read_by`."""
    name, attention = path(kind, layer), attention_of(model, kind, layer)
    of_query = read_for("queries", model, values, kind, layer, slice(query, query + 1), written)
    of_keys = read_for("keys", model, values, kind, layer, slice(0, values[f"{name}.scores"].shape[-1]), written)
    queries, q = projected(attention, "q", head, of_query, layer, values, name)
    keys, k = projected(attention, "k", head, of_keys, layer, values, name)
    q = q[:, 0] / np.sqrt(attention.head_size)
    masked = values[f"{name}.masked_scores"][head, query]
    bias = (
        values[f"{name}.position_bias"][head, query].astype(np.float64) if f"{name}.position_bias" in values else None
    )
    allowed, weights = masked > attention.mask_fill / 2, values[f"{name}.weights"][head, query]
    return ScoreRow(queries, keys, q, k, bias, masked, allowed, weights)


def read_for(
    of: Literal["queries", "keys"],
    model: Transformer,
    values: Values,
    kind: AttentionKind,
    layer: int,
    rows: slice,
    written: Values | None = None,
) -> StreamParts:
    """The parts that queries or keys of an attention are made of, of some rows."""
    if kind == "cross" and of == "keys":
        return read_by(model, values, "encoder", FINAL, rows, written=written)
    side: Side = "encoder" if kind == "encoder" else "decoder"
    depth = f"{layer}.{CROSS if kind == 'cross' else 'self_attention'}"
    return read_by(model, values, side, depth, rows, written=written)


def projected(
    attention: MultiHeadAttention,
    letter: Literal["q", "k"],
    head: int,
    parts: StreamParts,
    layer: int,
    values: Values,
    name: str,
) -> tuple[tuple[Place, ...], np.ndarray]:
    """Each part as a query or a key of one head, (P, R, D); the projection's bias becomes one more part."""
    linear, rows, places = getattr(attention, letter), parts.rows, tuple(parts.places)
    number = head if letter == "q" else head // attention.sharing
    own = slice(number * attention.head_size, (number + 1) * attention.head_size)
    result = np.stack(parts.vectors) @ array(linear.weight[own]).T
    if linear.bias is not None:
        places = (*places, Place(parts.side, f"{'query' if letter == 'q' else 'key'}{BIAS}", layer))
        result = np.concatenate([result, np.broadcast_to(array(linear.bias[own]), (1, *result.shape[1:]))])
    if hasattr(attention, "norms"):
        norm = affine_of(attention.norms[letter], "rms")
        unnormed = values[f"{name}.unnormed_{letter}"][number, rows].astype(np.float64)
        result = norm.gain * result / scales(norm, unnormed)
    if attention.rotary:
        frequency = frequencies(attention.head_size, attention.rotary_base, attention.frequencies)
        result = rotated(torch.from_numpy(result)[None], rows.start, frequency)[0].numpy()
    return places, result


def groups(places: Sequence[Place]) -> dict[str, list[int]]:
    """Parts by where they belong: embedding, position, segment, the number of a layer, and the biases last."""
    result: dict[str, list[int]] = {}
    for at, place in enumerate(places):
        if not place.is_bias:
            result.setdefault(place.name if place.layer is None else str(place.layer), []).append(at)
    biases = [at for at, place in enumerate(places) if place.is_bias]
    return result | ({BIASES: biases} if biases else {})
