"""A row of scores of one head as a table: each part of the query times each part of the keys.

With the norms held as they are, the streams of the query's token and of a key's token are sums of parts, and
(q · k) / √D is the sum of the products of each part of one with each part of the other.

P parts of the query, R of a key, K keys, D numbers of a head, G keys that heads share, d numbers in the stream. Arrays
are of numpy, or tensors where the values of the pass are (`stream_parts`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import torch
from torch import Tensor

from model.analysis.layer_norm import affine_of, scales
from model.analysis.residual_stream import FINAL, Side, Values
from model.analysis.softmax import softmax
from model.attribution.attention_methods import attention_of
from model.attribution.score_terms.stream_parts import (
    BIAS,
    CROSS,
    Place,
    StreamParts,
    exact,
    library,
    read_by,
    reader,
)
from model.position_methods import frequencies, rotated
from model.trace import AttentionKind, path
from model.transformer import MultiHeadAttention, Transformer

BIASES = "biases"  # the group of what is the same for every token
Parts = Sequence[int] | Tensor  # places in `queries` or `keys` of a row


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
    q: Any
    k: Any
    bias: Any
    masked: Any
    allowed: Any
    weights: Any

    @cached_property
    def total(self) -> Any:
        """All terms together, (K): the recorded score before the mask, as far as numbers of 32 bits are exact."""
        return self.term(range(len(self.queries)), range(len(self.keys))) + (0.0 if self.bias is None else self.bias)

    def term(self, queries: Parts, keys: Parts) -> Any:
        """What some parts of the query give together with some parts of each key, (K)."""
        of_query, of_keys = (at if isinstance(at, Tensor) else list(at) for at in (queries, keys))
        return self.k[of_keys].sum(axis=0) @ self.q[of_query].sum(axis=0)

    def table(self, key: Any, *, centred: bool) -> Any:
        """Every term of the score with one key, (P, R); centred: less its mean over the keys that may be seen."""
        k = self.k[:, key] - self.mean_key if centred else self.k[:, key]
        return self.q @ k.T

    @cached_property
    def mean_key(self) -> Any:
        """The mean of each part over the keys that may be seen, (R, D)."""
        return self.k[:, self.allowed].mean(axis=1)

    def of_positions(self, key: Any, *, centred: bool) -> Any:
        """The same of what positions add to the score; 0 where they add nothing."""
        if self.bias is None:
            return 0 * self.q[0, 0]
        return self.bias[key] - (self.bias[self.allowed].mean() if centred else 0.0)

    def score(self, key: Any, *, centred: bool) -> Any:
        """The sum of both."""
        return self.table(key, centred=centred).sum() + self.of_positions(key, centred=centred)

    def with_scores(self, scores: Any) -> Any:
        """The weights of the row if these (K) were its scores before the mask, (K)."""
        scores = library(scores).where(self.allowed, scores, exact(self.masked))
        return scores.softmax(dim=-1) if isinstance(scores, Tensor) else softmax(scores)

    def without(self, queries: Parts, keys: Parts) -> Any:
        """The weights of the row if the term of some parts of the query and some of the keys is left out, (K)."""
        return self.with_scores(exact(self.masked) - self.term(queries, keys))

    def sides(self, key: Any, *, centred: bool) -> dict[str, Any]:
        """The score by what it depends on; biases are the same for every token.

        both      parts of the query's token with parts of the key's token
        key       biases with parts of the key's token: whatever the query is
        query     parts of the query's token with biases: whatever the key is
        neither   biases with biases
        position  what positions add to the score
        """
        table, names = self.table(key, centred=centred), (("both", "query"), ("key", "neither"))
        found = {}
        for names_of_keys, of_query in zip(names, _by_bias(self.queries), strict=True):
            for name, of_key in zip(names_of_keys, _by_bias(self.keys), strict=True):
                found[name] = table[of_query][:, of_key].sum()
        return found | {"position": self.of_positions(key, centred=centred)}


def _by_bias(places: Sequence[Place]) -> tuple[list[int], list[int]]:
    """Where parts are that depend on the token, and where biases."""
    of_token, biases = ([at for at, place in enumerate(places) if place.is_bias == bias] for bias in (False, True))
    return of_token, biases


def score_row(
    model: Transformer,
    values: Values,
    kind: AttentionKind,
    layer: int,
    head: Any,
    query: Any,
    written: Values | None = None,
) -> ScoreRow:
    """The row of one query, of a pass that starts at position 0. `written` as in `stream_parts.read_by`.

    Where values are tensors, head and query are tensors of one number.
    """
    name, attention = path(kind, layer), attention_of(model, kind, layer)
    of_query = read_for("queries", model, values, kind, layer, slice(query, query + 1), written)
    of_keys = read_for("keys", model, values, kind, layer, slice(0, None), written)
    queries, q = projected(attention, "q", head, of_query, layer, values, name)
    keys, k = projected(attention, "k", head, of_keys, layer, values, name)
    q = q[:, 0] / math.sqrt(attention.head_size)
    masked = values[f"{name}.masked_scores"][head][query]
    bias = exact(values[f"{name}.position_bias"][head][query]) if f"{name}.position_bias" in values else None
    allowed, weights = masked > attention.mask_fill / 2, values[f"{name}.weights"][head][query]
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
    head: Any,
    parts: StreamParts,
    layer: int,
    values: Values,
    name: str,
) -> tuple[tuple[Place, ...], Any]:
    """Each part as a query or a key of one head, (P, R, D); the projection's bias becomes one more part."""
    places, result = unrotated(attention, letter, head, parts, layer, values, name)
    if attention.rotary:
        frequency = frequencies(attention.head_size, attention.rotary_base, attention.frequencies)
        turned = rotated(torch.as_tensor(result)[None], parts.rows.start, frequency)[0]
        result = turned if isinstance(result, Tensor) else turned.numpy()
    return places, result


def unrotated(
    attention: MultiHeadAttention,
    letter: Literal["q", "k"],
    head: Any,
    parts: StreamParts,
    layer: int,
    values: Values,
    name: str,
) -> tuple[tuple[Place, ...], Any]:
    """The same before positions rotate it, (P, R, D)."""
    linear, rows, places = getattr(attention, letter), parts.rows, tuple(parts.places)
    number = head if letter == "q" or attention.sharing == 1 else head // attention.sharing
    vectors = parts.vectors
    read, of = reader(vectors), library(vectors)
    weight = read(linear.weight.view(-1, attention.head_size, linear.in_features)[number])  # (D, d)
    result = vectors @ weight.T
    if linear.bias is not None:
        places = (*places, Place(parts.side, f"{'query' if letter == 'q' else 'key'}{BIAS}", layer))
        bias = read(linear.bias.view(-1, attention.head_size)[number])
        result = of.concatenate([result, of.broadcast_to(bias, (1, *result.shape[1:]))])
    if hasattr(attention, "norms"):
        norm = affine_of(attention.norms[letter], "rms", read)
        unnormed = exact(values[f"{name}.unnormed_{letter}"][number][rows])
        result = norm.gain * result / scales(norm, unnormed)
    return places, result


def groups(places: Sequence[Place]) -> dict[str, list[int]]:
    """Parts by where they belong: embedding, position, segment, the number of a layer, and the biases last."""
    result: dict[str, list[int]] = {}
    for at, place in enumerate(places):
        if not place.is_bias:
            result.setdefault(place.name if place.layer is None else str(place.layer), []).append(at)
    biases = [at for at, place in enumerate(places) if place.is_bias]
    return result | ({BIASES: biases} if biases else {})
