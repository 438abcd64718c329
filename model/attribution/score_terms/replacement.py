"""The test of a term: what one part wrote at one token is replaced by its mean over sentences, in a real run.

The prediction knows the terms of one row alone: the norms and all other parts keep what they were. In the run all that
comes later is computed anew, so later parts that read the token, and the norms, may answer.

T tokens, K keys, H heads, D numbers of a head, d numbers in the stream.
"""

from __future__ import annotations

import random
from collections import ChainMap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.attribution.method_names import FEWEST
from model.attribution.score_terms.stream_parts import Head, Place
from model.attribution.score_terms.terms import ScoreRow, score_row
from model.decode.recorded_pass import recorded
from model.decode.translate import Translation
from model.edit.edit_effects import spearman
from model.edit.edited_pass import compose
from model.edit.edits import patch
from model.trace import Trace, path
from model.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Replaced:
    """Weights of a row (K): as they were, as the terms predict them without the part, and as the run gives them."""

    actual: np.ndarray
    predicted: np.ndarray
    measured: np.ndarray


def means(runs: Sequence[Trace], name: str) -> np.ndarray:
    """The mean of a recorded value over all tokens of all passes: (H, 1, D) of heads, else (1, d)."""
    mean: np.ndarray = np.concatenate([run.values[name] for run in runs], axis=-2).mean(axis=-2, keepdims=True)
    return mean


def replaced(
    model: Transformer,
    run: Translation,
    head: Head,
    row: ScoreRow,
    query: int,
    place: Place,
    token: int,
    mean: np.ndarray,
) -> Replaced:
    """The row of `query` with a part at `token` (of the part's side) replaced by `mean`, as `means` gives it."""
    kind, layer, number = head
    values = run.trace.values
    value = values[place.value].copy()
    at = token if place.head is None else (place.head, token)
    value[at] = mean[0] if place.head is None else mean[place.head, 0]
    written = ChainMap({place.value: value}, dict(values))
    change = score_row(model, values, kind, layer, number, query, written).total - row.total
    tap = compose(model, patch(place.value, value, head=place.head, row=token))
    after = recorded(model, run.source, run.target, tap)
    measured = after[f"{path(kind, layer)}.weights"][number, query]
    return Replaced(row.weights, row.with_scores(row.masked + change), measured)


def replaceable(row: ScoreRow, key: int, count: int) -> list[tuple[Place, bool]]:
    """The parts that matter most for the score with a key, and whether each is of the query: so many of each side.

    Biases are the same for every token, so their mean is what they are.
    """
    table = row.table(key, centred=True)
    result: list[tuple[Place, bool]] = []
    for places, sums, is_query in ((row.queries, table.sum(axis=1), True), (row.keys, table.sum(axis=0), False)):
        order = [at for at in np.argsort(-np.abs(sums), kind="stable") if not places[at].is_bias]
        result += [(places[at], is_query) for at in order[:count]]
    return result


ALL = "all"


def agreement(model: Transformer, runs: Sequence[Translation], cells: int, seed: int) -> dict[str, tuple[int, float]]:
    """How far predictions order replacements as runs do: by kind of part, and of all, the cells and Spearman's ρ.

    Each time a pass, a head, a query, a key that it may see, a side and a part of it are drawn, and what the weight of
    the cell loses is predicted and measured. A query that sees one key is passed over.
    """
    rng, of_names = random.Random(seed), dict[str, np.ndarray]()
    found: dict[str, list[tuple[float, float]]] = {ALL: []}
    for _ in range(cells):
        run = rng.choice(runs)
        kind = rng.choice(run.trace.kinds)
        layers, heads, queries, _ = run.trace.weights(kind).shape
        head, query = (kind, rng.randrange(layers), rng.randrange(heads)), rng.randrange(queries)
        row = score_row(model, run.trace.values, *head, query)
        if row.allowed.sum() < 2:
            continue
        key, is_query = rng.choice(np.flatnonzero(row.allowed).tolist()), rng.random() < 1 / 2
        place = rng.choice([place for place in (row.queries if is_query else row.keys) if not place.is_bias])
        if place.value not in of_names:
            of_names[place.value] = means([each.trace for each in runs], place.value)
        result = replaced(model, run, head, row, query, place, query if is_query else key, of_names[place.value])
        change = [float(each[key] - result.actual[key]) for each in (result.predicted, result.measured)]
        for name in (ALL, place.name):
            found.setdefault(name, []).append((change[0], change[1]))
    each = {name: np.array(pairs) for name, pairs in found.items() if len(pairs) >= FEWEST}
    return {name: (len(pairs), spearman(*pairs.T)) for name, pairs in each.items()}
