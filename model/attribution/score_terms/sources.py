"""What a head matches: how much of the variance of its scores over the keys comes from which kinds of parts.

H heads, Q rows, K keys, R rows of one side, d numbers in the stream, D numbers of a head.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from model.attribution.attention_methods import attention_of
from model.attribution.score_terms.stream_parts import BIAS, Head, Place, StreamParts
from model.attribution.score_terms.terms import projected, read_for
from model.trace import Trace, path
from model.transformer import Transformer

CONTENT, POSITION, BOTH, HEADS, FEED_FORWARD = SOURCES = ("content", "position", "both", "heads", "feed_forward")
_OF_PARTS = {"embedding": CONTENT, "segment": CONTENT, "position": POSITION, "feed_forward": FEED_FORWARD}
STILL = 1e-9  # variance of scores below which there is nothing to share out


def shares(model: Transformer, trace: Trace) -> dict[Head, dict[str, float]]:
    """Of each head of a pass the share of each source; a head whose scores do not vary is left out.

    content       embedding × embedding (and segment)
    position      position × position, and what positions add to the score
    both          embedding × position, and the reverse
    heads         any term with what an earlier head wrote
    feed_forward  any other term with what an earlier feed-forward network wrote

    A bias counts as what it is multiplied with. The share is the covariance of a source with the score over the keys
    that each row may see, over the variance of the score, so shares add up to 1, and one below 0 works against it.
    """
    result = {}
    for kind in trace.kinds:
        for layer in range(len(trace.weights(kind))):
            name, attention = path(kind, layer), attention_of(model, kind, layer)
            heads, queries, keys = trace.values[f"{name}.scores"].shape
            of_queries = _by_source(read_for("queries", model, trace.values, kind, layer, slice(0, queries)))
            of_keys = _by_source(read_for("keys", model, trace.values, kind, layer, slice(0, keys)))
            for head in range(heads):
                q = zip(*projected(attention, "q", head, of_queries, layer, trace.values, name), strict=True)
                k = zip(*projected(attention, "k", head, of_keys, layer, trace.values, name), strict=True)
                terms = {source: np.zeros((queries, keys)) for source in SOURCES}
                for (first, a), (second, b) in product(q, k):
                    terms[_met(first, second)] += a @ b.T
                bias = trace.values.get(f"{name}.position_bias")
                if bias is not None:
                    terms[POSITION] += bias[head] * np.sqrt(attention.head_size)
                allowed = trace.values[f"{name}.masked_scores"][head] > attention.mask_fill / 2
                found = _shares(terms, allowed)
                if found:
                    result[kind, layer, head] = found
    return result


def _source(place: Place) -> str:
    return BIAS if place.is_bias else _OF_PARTS.get(place.name, HEADS)


def _met(*places: Place) -> str:
    """The source of a term of two parts, each of one source."""
    both = {place.name for place in places if not place.is_bias}
    if not both:
        return POSITION  # biases alone differ between keys only where positions rotate them
    for later in (HEADS, FEED_FORWARD):
        if later in both:
            return later
    return BOTH if len(both) > 1 else both.pop()


def _by_source(parts: StreamParts) -> StreamParts:
    """The same stream in one part for each source."""
    result = StreamParts(parts.side, parts.rows)
    for source in (*SOURCES, BIAS):
        own = [vectors for place, vectors in zip(parts.places, parts.vectors, strict=True) if _source(place) == source]
        if own:
            result.add(np.sum(own, axis=0), source)
    return result


def _centred(values: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Values (Q, K) less their mean over the keys of each row; 0 where it may not look."""
    counts = allowed.sum(axis=1, keepdims=True).clip(min=1)
    result: np.ndarray = np.where(allowed, values - np.where(allowed, values, 0).sum(axis=1, keepdims=True) / counts, 0)
    return result


def _shares(terms: dict[str, np.ndarray], allowed: np.ndarray) -> dict[str, float]:
    """Shares of the variance of the sum of terms (Q, K) over the keys of each row."""
    each = {source: _centred(values, allowed) for source, values in terms.items()}
    score = np.sum(list(each.values()), axis=0)
    variance = float(np.square(score).sum())
    if variance < STILL:
        return {}
    return {source: float((values * score).sum()) / variance for source, values in each.items()}


class Matched(NamedTuple):
    """What a head matches, the mean over passes.

    spread  standard deviation of its scores over the keys of a row: how much there is to share out
    shares  of each source in the variance
    """

    spread: float
    shares: dict[str, float]


def matched(model: Transformer, traces: Iterable[Trace]) -> dict[Head, Matched]:
    """Of each head whose scores vary."""
    spreads, found = dict[Head, list[float]](), dict[Head, list[dict[str, float]]]()
    for trace in traces:
        for head, each in shares(model, trace).items():
            found.setdefault(head, []).append(each)
            spreads.setdefault(head, []).append(_spread(model, trace, head))
    return {
        head: Matched(
            float(np.mean(spreads[head])), {source: float(np.mean([row[source] for row in rows])) for source in SOURCES}
        )
        for head, rows in found.items()
    }


def _spread(model: Transformer, trace: Trace, head: Head) -> float:
    kind, layer, number = head
    scores = trace.values[f"{path(kind, layer)}.masked_scores"][number].astype(np.float64)
    allowed = scores > attention_of(model, kind, layer).mask_fill / 2
    return float(np.sqrt(np.square(_centred(scores, allowed)).sum() / allowed.sum()))


def begins(spreads: Mapping[int, float]) -> int:
    """The first moment, by its step, at which the scores of a head spread at least half as far as at the last one."""
    steps = sorted(spreads)
    return next(step for step in steps if 2 * spreads[step] >= spreads[steps[-1]])
