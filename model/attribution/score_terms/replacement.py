"""The test of a term: what one part wrote at one token is replaced by its mean over sentences, in a real run.

The prediction knows the terms of one row alone: the norms and all other parts keep what they were. In the run all that
comes later is computed anew, so later parts that read the token, and the norms, may answer.

T tokens, K keys, H heads, D numbers of a head, d numbers in the stream.
"""

from __future__ import annotations

import random
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from model.attribution.method_names import FEWEST
from model.attribution.score_terms.stream_parts import Head, Place
from model.attribution.score_terms.terms import ScoreRow, score_row
from model.decode.recorded_pass import recorded
from model.decode.translate import Translation
from model.edit.edit_effects import spearman
from model.edit.edited_pass import Edit, compose
from model.edit.edits import patch
from model.trace import ATTENTION_KINDS, Trace, path
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


def taken_out(model: Transformer, run: Translation, head: Head, query: int, term: Sequence[float]) -> np.ndarray:
    """The weights of a row (K) in a run in which a term (K) is taken out of the scores that its softmax reads."""
    kind, layer, number = head
    less, name = torch.tensor(term, dtype=torch.float32, device=model.device), path(kind, layer)
    tap = compose(model, Edit(f"{name}.scores", lambda value, _: value - less, head=number, row=query))
    weights: np.ndarray = recorded(model, run.source, run.target, tap)[f"{name}.weights"][number, query]
    return weights


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
Agreement = dict[str, tuple[int, float]]  # by name the cells and Spearman's ρ


class Effect(NamedTuple):
    """By how much the weight of a cell changes when a part is replaced: predicted, and measured in a run."""

    head: Head
    part: str
    predicted: float
    measured: float


def effects(model: Transformer, runs: Sequence[Translation], cells: int, seed: int) -> list[Effect]:
    """The effects of replacements that are drawn at random.

    Each time a pass, a head, a query, a key that it may see, a side and a part of it are drawn, and what the weight of
    the cell loses is predicted and measured. A query that sees one key is passed over.
    """
    rng, of_names = random.Random(seed), dict[str, np.ndarray]()
    found: list[Effect] = []
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
        found.append(Effect(head, place.name, *change))
    return found


def agreement(model: Transformer, runs: Sequence[Translation], cells: int, seed: int) -> Agreement:
    """How far predictions order replacements as runs do: by kind of part, and of `ALL`."""
    return by_part(effects(model, runs, cells, seed))


def by_part(found: Sequence[Effect]) -> Agreement:
    """The agreement of `ALL`, then of each kind of part."""
    parts = dict.fromkeys(effect.part for effect in found)
    return _ranked({ALL: list(found)} | {part: [each for each in found if each.part == part] for part in parts})


def by_head(found: Sequence[Effect]) -> Agreement:
    """The agreement of each head, by `cross.1.0`, where its effects can be ranked."""
    heads = sorted({effect.head for effect in found}, key=lambda head: (ATTENTION_KINDS.index(head[0]), *head[1:]))
    ranked = _ranked({".".join(map(str, head)): [each for each in found if each.head == head] for head in heads})
    return {name: (count, rho) for name, (count, rho) in ranked.items() if np.isfinite(rho)}


def _ranked(groups: Mapping[str, Sequence[Effect]]) -> Agreement:
    pairs = {name: np.array([each[2:] for each in found]) for name, found in groups.items() if len(found) >= FEWEST}
    return {name: (len(each), spearman(*each.T)) for name, each in pairs.items()}
