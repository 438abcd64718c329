"""Where one attention weight comes from, as plain numbers for the command line."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from model.attribution.score_terms.stream_parts import Head
from model.attribution.score_terms.terms import ScoreRow, groups, score_row
from model.checkpoint.checkpoints import Checkpoint
from model.decode.translate import translate
from model.errors import InvalidInput
from model.trace import AttentionKind, TokenList, Trace

# of each kind the tokens of its queries and of its keys; a query of cross-attention is named by the token it writes
TOKENS: dict[AttentionKind, tuple[TokenList, TokenList]] = {
    "encoder": ("source_tokens", "source_tokens"),
    "decoder": ("target_tokens", "target_tokens"),
    "cross": ("output_tokens", "source_tokens"),
}
Parts = dict[str, list[int]]  # by name the places of parts that belong together


def heads(trace: Trace, count: int) -> dict[str, Head]:
    """Every head of a pass by the name that commands give it, `cross.1.0`."""
    return {
        f"{kind}.{layer}.{head}": (kind, layer, head)
        for kind in trace.kinds
        for layer in range(len(trace.weights(kind)))
        for head in range(count)
    }


def head_named(trace: Trace, count: int, name: str) -> Head:
    """Raises `InvalidInput` where there is none."""
    places = heads(trace, count)
    if name not in places:
        raise InvalidInput("why_head", head=name, choices=", ".join(places))
    return places[name]


def about(
    checkpoint: Checkpoint,
    sentence: str,
    name: str,
    query: int,
    key: int,
    most: int,
    keys_as: Callable[[Trace, Head, ScoreRow, int], ScoreRow] | None = None,
) -> dict[str, Any]:
    """The `most` largest terms of a cell, the sum of the others, and what both sides give.

    `groups` has the same of parts that belong together: a layer, by its number, or the biases.
    `keys_as` gives the row with other parts of the keys, for a pass, a head, the row and the key.
    `centred` is a term less its mean over the keys that the query may see: what the softmax notices.
    Raises `InvalidInput` for a head or a token that is not there, and for a key that the mask hides.
    """
    run = translate(checkpoint, sentence)
    kind, layer, head = head_named(run.trace, checkpoint.model.config.heads, name)
    trace = run.trace
    queries, keys = (getattr(trace, name) for name in TOKENS[kind])
    for side, place, tokens in (("query", query, queries), ("key", key, keys)):
        if not 0 <= place < len(tokens):
            raise InvalidInput("why_there_token", side=side, place=place, last=len(tokens) - 1)
    row = score_row(checkpoint.model, trace.values, kind, layer, head, query)
    if not row.allowed[key]:
        raise InvalidInput("why_there_hidden", query=query, key=key)
    if keys_as is not None:
        row = keys_as(trace, (kind, layer, head), row, key)
    sides = row.queries, row.keys
    return {
        "output": run.text,
        "query": queries[query],
        "key": keys[key],
        "weight": float(row.weights[key]),
        "score": {"raw": row.score(key, centred=False), "centred": row.score(key, centred=True)},
        "sides": row.sides(key, centred=True),
        **_terms(row, key, most, *({place.recorded: [at] for at, place in enumerate(each)} for each in sides)),
        "groups": _terms(row, key, most, *map(groups, sides)),
    }


def _terms(row: ScoreRow, key: int, most: int, queries: Parts, keys: Parts) -> dict[str, Any]:
    """The largest terms of some parts of the query with some of the key, both by name, and what is left of the sum."""
    pairs = list(product(queries.items(), keys.items()))
    tables = {name: row.table(key, centred=name == "centred") for name in ("raw", "centred")}
    sums = {
        name: np.array([table[np.ix_(of_query, of_key)].sum() for (_, of_query), (_, of_key) in pairs])
        for name, table in tables.items()
    }
    order = np.argsort(-np.abs(sums["centred"]), kind="stable")
    shown, others = order[: max(0, most)], order[max(0, most) :]
    terms = []
    for at in shown:
        (of_query, p), (of_key, r) = pairs[at]
        values = {name: float(each[at]) for name, each in sums.items()}
        terms.append({"query": of_query, "key": of_key, **values, "weight_without": float(row.without(p, r)[key])})
    rest = {name: float(each[others].sum()) for name, each in sums.items()}
    return {"terms": terms, "others": {"count": len(others), **rest}}
