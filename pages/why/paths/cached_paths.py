"""The contribution graph of a word, pruned, and runs of the model with its edges alone, cached for all sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.attribution.paths import faithfulness, graph, pruning
from model.attribution.paths.edge_counts import SIZES
from model.checkpoint import model_size
from pages.shared.layout import progress
from pages.shared.models import models
from pages.why.question_asked import AskedQuestion, Key, question

AT_ONCE = 10_000_000_000  # passes · tokens · parameters, about 0.3 s
MOST_TOKENS = 200  # of both sides; a longer text has millions of edges


def contributions(key: Key) -> graph.Graph:
    """The logit along all paths."""
    return _pruned(key)[0]


def edges(key: Key) -> list[pruning.Edge]:
    """The strongest edges, as many as the slider can show, in the order in which they are taken."""
    return _pruned(key)[1]


@models.cached(beside="always")
def _pruned(key: Key) -> tuple[graph.Graph, list[pruning.Edge]]:
    whole = graph.contribution_graph(models.checkpoint(key.entry).model, question(key))
    return whole, pruning.strongest(whole, SIZES[-1])


def is_short(subject: AskedQuestion) -> bool:
    """Whether the text is short enough for a graph of all its tokens."""
    return len(subject.question.source) + len(subject.question.target) <= MOST_TOKENS


@dataclass(frozen=True)
class Kept:
    """Logits by the number of edges kept, from none on (sizes): of the graph, with attention held, of random graphs."""

    sizes: tuple[int, ...]
    free: np.ndarray
    held: np.ndarray
    chance: np.ndarray

    def share(self, logits: np.ndarray, whole: float) -> list[float]:
        """Each as its share of the way from no edge to the whole model."""
        return [faithfulness.share_kept(float(logit), whole, float(self.free[0])) for logit in logits]


def kept(subject: AskedQuestion) -> Kept | None:
    """The model with the edges of each size alone; None where the user has cancelled."""
    key = subject.key
    checkpoint, sizes = models.checkpoint(key.entry), (0, *SIZES)
    ways = faithfulness.ways(checkpoint)
    tokens = len(subject.question.source) + len(subject.question.target)
    work = sum(count for _, count in ways) * len(sizes) * tokens * model_size.parameters(checkpoint.model.config)
    parts = [((way,), (size,)) for way in ways for size in sizes] if work > AT_ONCE else [(ways, sizes)]
    mark = f"why paths {key.entry.name} {key.entry.fingerprint} {key.sentence} {key.row} {key.rather}"
    results = progress.computed(mark, parts, lambda ways, sizes: _logits(key, ways, sizes))
    if results is None:
        return None
    return Kept(sizes, *np.concatenate([*results.values()], axis=None).reshape(len(ways), len(sizes)))


@models.cached(beside="always")
def _logits(key: Key, ways: faithfulness.Ways, sizes: Sequence[int]) -> np.ndarray:
    """The logit with so many edges, (ways, sizes)."""
    checkpoint = models.checkpoint(key.entry)
    return faithfulness.logits_by_size(checkpoint, question(key), contributions(key), edges(key), ways, sizes)
