"""How well estimates of edges agree with really patching them, over many sentences and beside random weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model.checkpoint.checkpoints import Checkpoint, random_model
from model.circuits.computational_graph.edge_attribution_patching import POINTS, estimated
from model.circuits.computational_graph.edge_patching import change, pair, patched
from model.circuits.computational_graph.edges import Edge, edges
from model.circuits.patching_effects import corrupted
from model.decode.translate import Translation
from model.edit.edit_effects import spearman
from model.intervals import Estimate, normal
from model.transformer import Transformer

METHODS = {"eap": 1, "eap_ig": POINTS}  # the points of each on the way
STRONGEST = 20  # edges, that both lists of the strongest have
REAL = "real"
Effects = Mapping[str, np.ndarray]  # (edges) by method, REAL with them


@dataclass(frozen=True)
class Agreement:
    """A method beside real patching: rank correlation over all edges, and the share of the strongest that it names."""

    rank: Estimate
    strongest: Estimate


@dataclass(frozen=True)
class Measured:
    """Edges over several sentences.

    exchanged        how many sentences had a token that changes the answer
    effects          the mean share of the answer that each edge carries, and that of each estimate, by edge
    trained, random  by method, in the model and in one of its shape with random weights
    """

    exchanged: int
    effects: Mapping[str, tuple[float, ...]]
    trained: Mapping[str, Agreement]
    random: Mapping[str, Agreement]


def measured(
    checkpoint: Checkpoint,
    runs: Sequence[Translation],
    seed: int = 0,
    report: Callable[[int], None] = lambda count: None,
) -> Measured:
    """All edges patched and estimated in each sentence; the twin's weights are those of the seed.

    An edge whose writer writes the same in both sentences carries nothing and is left out of that sentence.
    """
    model, wires = checkpoint.model, edges(checkpoint.model.config)
    twin = random_model(model.config, seed)
    shares: list[np.ndarray] = []
    found: dict[str, list[tuple[np.ndarray, Effects]]] = {"trained": [], "random": []}
    for number in range(len(runs)):
        corruption = corrupted(checkpoint, runs, number)
        if corruption is not None:
            live, effects, distance = _of_sentence(model, corruption, wires)
            shares.append(np.stack([effects[name] for name in (REAL, *METHODS)]) / -distance)  # (methods, edges)
            found["trained"].append((live, effects))
            found["random"].append(_of_sentence(twin, corruption, wires)[:2])
        report(number + 1)
    means = np.mean(shares, axis=0) if shares else np.zeros((1 + len(METHODS), 0))
    by_edge = {f"{a.name} > {b.name}": tuple(map(float, row)) for (a, b), row in zip(wires, means.T, strict=False)}
    tables = {name: {method: _agreement(each, method) for method in METHODS} for name, each in found.items()}
    return Measured(len(shares), by_edge, tables["trained"], tables["random"])


def _of_sentence(model: Transformer, corruption, wires: Sequence[Edge]) -> tuple[np.ndarray, Effects, float]:
    """Which edges carry anything, (edges); the effects; and the change of the answer as a whole."""
    both = pair(model, corruption)
    moved = {writer: bool(np.abs(change(model, both, writer)).max() > 0) for writer, _ in wires}
    effects = {REAL: patched(model, both, wires)}
    effects |= {name: estimated(model, both, wires, points) for name, points in METHODS.items()}
    return np.array([moved[writer] for writer, _ in wires]), effects, both.distance


def _agreement(found: Sequence[tuple[np.ndarray, Effects]], method: str) -> Agreement:
    ranks = [spearman(effects[method][live], effects[REAL][live]) for live, effects in found]
    shared = [_shared(effects[method][live], effects[REAL][live]) for live, effects in found]
    return Agreement(normal(ranks), normal(shared))


def _shared(estimate: np.ndarray, real: np.ndarray) -> float:
    """The share of the edges with the largest effects, up or down, that are among those with the largest estimates."""
    count = min(STRONGEST, len(real) // 2)
    first, second = (set(np.argsort(-np.abs(each), kind="stable")[:count].tolist()) for each in (estimate, real))
    return len(first & second) / max(count, 1)
