"""The strongest edges of a contribution graph that hang together, from the logit down."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from model.attribution.paths.graph import Graph, Step
from model.trace import AttentionKind


@dataclass(frozen=True)
class Edge:
    """A head that moved something from a token to a row, or a feed-forward network in a row.

    step        its place in `Graph.steps`
    kind        of the attention; of a feed-forward its side
    head, key   of attention; None for a feed-forward
    value       what it adds to the logit, on all paths through it
    """

    step: int
    kind: AttentionKind
    layer: int
    row: int
    value: float
    head: int | None = None
    key: int | None = None

    @property
    def part(self) -> str:
        """As files and commands name what moves it: `cross.1.0`, `decoder.1.feed_forward`."""
        return f"{self.kind}.{self.layer}.{'feed_forward' if self.head is None else self.head}"


class Candidates:
    """Every edge of a graph as arrays, to choose from."""

    def __init__(self, graph: Graph):
        self.graph = graph
        tables = [step.values for step in graph.steps]
        self.values = np.concatenate([table.ravel() for table in tables])
        self.starts = np.cumsum([0, *(table.size for table in tables)])
        self.depths = np.concatenate([np.full(table.size, at) for at, table in enumerate(tables)])
        self.rows = np.concatenate([self._rows(step) for step in graph.steps])
        self.sides = np.concatenate([np.full(self._rows(step).size, step.side == "decoder") for step in graph.steps])

    @staticmethod
    def _rows(step: Step) -> np.ndarray:
        """The row of each edge of a step."""
        if step.heads is None:
            return np.arange(step.values.size)
        return np.broadcast_to(np.arange(step.heads.shape[1])[None, :, None], step.heads.shape).ravel()

    def edge(self, at: int) -> Edge:
        """One of them."""
        number = int(self.depths[at])
        step, place = self.graph.steps[number], at - int(self.starts[number])
        value = float(self.values[at])
        if step.heads is None:
            return Edge(number, step.kind, step.layer, place, value)
        head, row, key = (int(each) for each in np.unravel_index(place, step.heads.shape))
        return Edge(number, step.kind, step.layer, row, value, head, key)


def strongest(graph: Graph, count: int) -> list[Edge]:
    """At most so many edges, each the strongest, up or down, of those that lead to what was chosen before.

    The first ones lead into the row that is asked about; each further one into this row or into a token from which an
    edge that was chosen comes.
    """
    candidates = Candidates(graph)
    strengths = np.abs(candidates.values)
    return _grown(candidates, count, lambda open_: int(open_[strengths[open_].argmax()]))


def chance(graph: Graph, count: int, seed: int = 0) -> list[Edge]:
    """The same with edges drawn at random from those that attention does not forbid."""
    candidates, rng = Candidates(graph), random.Random(seed)
    return _grown(candidates, count, lambda open_: int(open_[rng.randrange(len(open_))]))


def _grown(candidates: Candidates, count: int, choose: Callable[[np.ndarray], int]) -> list[Edge]:
    graph = candidates.graph
    reached: dict[tuple[bool, int], int] = {(graph.side == "decoder", graph.row): len(graph.steps)}
    is_open = candidates.values != 0  # what leads into the reached parts and is not yet taken
    is_reached = np.zeros(len(is_open), dtype=bool)
    result: list[Edge] = []

    def reach(is_decoder: bool, row: int, depth: int) -> None:
        if depth > reached.get((is_decoder, row), -1):
            reached[is_decoder, row] = depth
        below = reached[is_decoder, row]
        is_reached[(candidates.sides == is_decoder) & (candidates.rows == row) & (candidates.depths < below)] = True

    reach(*next(iter(reached)), len(graph.steps))
    while len(result) < count:
        open_ = np.flatnonzero(is_open & is_reached)
        if not len(open_):
            break
        at = choose(open_)
        is_open[at] = False
        edge = candidates.edge(at)
        result.append(edge)
        if edge.key is not None:
            reads_encoder = edge.kind in ("cross", "encoder")
            reach(not reads_encoder, edge.key, len(graph.steps) if edge.kind == "cross" else edge.step)
    return result
