"""What the model still does with the edges of a pruned graph alone: a real run in which all other edges are ablated.

Ablated means zeroed: a head takes nothing from a token, a feed-forward network adds nothing in a row. Everything behind
is computed anew. With `held`, the weights of attention stay as they were in the whole model, so that only what is moved
is lost, not where heads look.

B passes at once, one for each set of edges, H heads, Q rows, K tokens read.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model.attribution import gradients
from model.attribution.paths import pruning
from model.attribution.paths.edge_counts import CHANCES, FEW_CHANCES
from model.attribution.paths.graph import Graph, Step
from model.attribution.paths.pruning import Edge
from model.attribution.why_question import Question, row_logits
from model.checkpoint.checkpoints import Checkpoint
from model.edit.edited_pass import Edit, EditedPass, compose
from model.trace import path

Ways = tuple[tuple[str, int], ...]  # free, held, chance, and of how many graphs the mean is taken


def ways(checkpoint: Checkpoint) -> Ways:
    """The graph itself, the same with attention held, and random graphs."""
    return ("free", 1), ("held", 1), ("chance", FEW_CHANCES if gradients.is_large(checkpoint) else CHANCES)


def logits_by_size(
    checkpoint: Checkpoint, question: Question, graph: Graph, edges: Sequence[Edge], ways: Ways, sizes: Sequence[int]
) -> np.ndarray:
    """The logit with so many edges alone, the first of `edges`: (ways, sizes); of several random graphs the mean."""
    rows = []
    for way, count in ways:
        each = [pruning.chance(graph, max(sizes), seed) for seed in range(count)] if way == "chance" else [edges]
        graphs = [chosen[:size] for chosen in each for size in sizes]
        logits = logits_of(checkpoint, question, graph, graphs, held=way == "held")
        rows.append(logits.reshape(len(each), -1).mean(axis=0))
    return np.stack(rows)


def logits_of(
    checkpoint: Checkpoint, question: Question, graph: Graph, kept: Sequence[Sequence[Edge]], held: bool = False
) -> np.ndarray:
    """The logit (less that of the alternative) with each set of edges alone, (B)."""
    edits = [_edit(question, number, step, kept, held) for number, step in enumerate(graph.steps)]

    def batch(ids: tuple[int, ...]) -> Tensor | None:
        return torch.tensor([ids]).expand(len(kept), -1) if ids else None

    with torch.inference_mode():
        rows = torch.full((len(kept),), question.row)
        tap = compose(checkpoint.model, *edits)
        logits = row_logits(checkpoint.model, batch(question.source), batch(question.target), None, rows, tap)
    logits = logits.double()
    result: np.ndarray = (
        logits[:, question.word] - (0 if question.rather is None else logits[:, question.rather])
    ).numpy()
    return result


def share_kept(logit: float, whole: float, without: float) -> float:
    """Where a logit lies on the way from that without any edge (0) to that of the whole model (1): Hanna et al. 2024.

    NaN where the two hardly differ.
    """
    return float("nan") if abs(whole - without) < LEAST else (logit - without) / (whole - without)


LEAST = 0.5  # a logit that moves by less without any edge does not depend on them


def _edit(question: Question, number: int, step: Step, kept: Sequence[Sequence[Edge]], held: bool) -> Edit:
    """Remove what is not kept of one sublayer, in each pass of the batch."""
    places = np.zeros((len(kept), *step.values.shape), dtype=np.float32)
    for each, edges in enumerate(kept):
        for edge in edges:
            if edge.step == number:
                places[(each, edge.row) if edge.head is None else (each, edge.head, edge.row, edge.key)] = 1
    mask = torch.from_numpy(places)
    if step.heads is None:
        return Edit(f"{step.side}.{step.layer}.feed_forward.output", _times(mask[..., None]))
    name = f"{path(step.kind, step.layer)}.weights"
    if not held:
        return Edit(name, _times(mask))
    _, _, queries, keys = mask.shape
    weights = torch.from_numpy(question.run.trace.values[name][:, :queries, :keys].copy())
    return Edit(name, lambda value, at: (weights * mask).to(value))


def _times(mask: Tensor):
    def change(value: Tensor, at: EditedPass) -> Tensor:
        return value * mask.to(value)

    return change
