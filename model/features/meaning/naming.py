"""Names with evidence: which feature of a dictionary is active where a pattern stands, and nearly nowhere else.

The feature of a name is chosen on sentences that were learned from; its evidence is counted on held-out ones.
N tokens of all sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from model.features import scores
from model.features.examples import Activations
from model.features.meaning.patterns import marked
from model.tokenization.tokenizer import Tokenizer

PRECISION, RECALL = 0.8, 0.3  # that a name needs on the sentences on which it is chosen
STRONG = 0.5  # share of a feature's largest strength from which on its tokens are counted
STRONGEST = 10  # sentences


def marks(tokenizer: Tokenizer, active: Activations, pattern: str) -> np.ndarray:
    """The same for every token of sentences, (N)."""
    result = np.zeros(len(active.ids), bool)
    starts = np.flatnonzero(np.diff(active.sentence, prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(active.ids)], strict=True):
        result[start:end] = marked(tokenizer, active.ids[start:end].tolist(), pattern)
    return result


def evidence(active: Activations, feature: int, wanted: np.ndarray) -> dict[str, Any]:
    """How well a feature fits marked tokens (N): of the `active` tokens at which it is strong, `hits` are marked.

    precision  their share, with its 95 % interval
    recall     the share of the marked tokens at which it is active
    strongest  how many of its strongest sentences have it at a marked token, and how many there are
    """
    strengths = active.of(feature)
    strong = strengths >= STRONG * max(float(strengths.max(initial=0)), 1e-6)
    place = dict(zip(zip(active.sentence.tolist(), active.row.tolist(), strict=True), range(len(wanted)), strict=True))
    best = [bool(wanted[place[each.sentence, each.row]]) for each in active.strongest(feature, STRONGEST)]
    hits = wanted[strong].tolist()
    recall = float((strengths[wanted] > 0).mean()) if wanted.any() else 0.0
    return {
        "feature": feature,
        "active": len(hits),
        "hits": sum(hits),
        "precision": [round(each, 4) for each in scores.share(hits)],
        "recall": round(recall, 4),
        "strongest": [sum(best), len(best)],
    }


def best_feature(active: Activations, wanted: np.ndarray) -> int | None:
    """The feature that fits marked tokens (N) best: the largest harmonic mean of precision and recall."""
    if not wanted.any():
        return None
    is_active = active.strengths > 0
    inside = np.bincount(active.features[wanted][is_active[wanted]], minlength=active.count)
    best = (0.0, -1)
    for feature in np.argsort(-inside, kind="stable")[:10].tolist():
        found = evidence(active, feature, wanted)
        precision, recall = found["precision"][0], found["recall"]
        if precision >= PRECISION and recall >= RECALL:
            best = max(best, (2 * precision * recall / (precision + recall), feature))
    return best[1] if best[1] >= 0 else None


def named(
    tokenizer: Tokenizer, patterns: Mapping[str, str], learned: Activations, held_out: Activations
) -> list[dict[str, Any]]:
    """The names of a dictionary with their evidence, no feature with two; those that held-out sentences bear out."""
    result: dict[int, dict[str, Any]] = {}
    for name, pattern in patterns.items():
        feature = best_feature(learned, marks(tokenizer, learned, pattern))
        if feature is None or feature in result:
            continue
        found = {"name": name} | evidence(held_out, feature, marks(tokenizer, held_out, pattern))
        if found["precision"][0] >= PRECISION and found["active"]:
            result[feature] = found
    return list(result.values())
