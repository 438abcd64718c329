"""Where one attention weight comes from, as plain numbers for the command line."""

from __future__ import annotations

from typing import Any

import numpy as np

from model.attribution.score_terms.stream_parts import Head
from model.attribution.score_terms.terms import ScoreRow, score_row
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


def about(checkpoint: Checkpoint, sentence: str, name: str, query: int, key: int, most: int) -> dict[str, Any]:
    """The `most` largest terms of a cell, the sum of the others, and what both sides give.

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
    return {
        "output": run.text,
        "query": queries[query],
        "key": keys[key],
        "weight": float(row.weights[key]),
        "score": {"raw": row.score(key, centred=False), "centred": row.score(key, centred=True)},
        "sides": row.sides(key, centred=True),
        **_terms(row, key, most),
    }


def _terms(row: ScoreRow, key: int, most: int) -> dict[str, Any]:
    raw, centred = (row.table(key, centred=each) for each in (False, True))
    places = [divmod(int(at), len(row.keys)) for at in np.argsort(-np.abs(centred), axis=None, kind="stable")]
    shown = places[: max(0, most)]
    terms = [
        {
            "query": row.queries[p].recorded,
            "key": row.keys[r].recorded,
            "raw": float(raw[p, r]),
            "centred": float(centred[p, r]),
            "weight_without": float(row.without([p], [r])[key]),
        }
        for p, r in shown
    ]
    rest = {
        name: float(table.sum() - sum(table[place] for place in shown))
        for name, table in (("raw", raw), ("centred", centred))
    }
    return {"terms": terms, "others": {"count": len(places) - len(shown), **rest}}
