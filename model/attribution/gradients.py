"""Attribution by gradients of the score with respect to the embeddings: gradient × input, and integrated gradients.

S source tokens, T target tokens, n scales of the embeddings. Positions are not part of the input that is attributed
to: they stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from model.attribution.integration import Integrated, Path
from model.attribution.why_question import Question, row_scores
from model.checkpoint.checkpoints import Checkpoint
from model.transformer import Transformer

POINTS, FEW_POINTS = 3_000, 200  # that the path of integrated gradients may have at most, and that of a large model
LARGE = 20_000_000  # parameters
AT_ONCE, FEW_AT_ONCE = 1_000, 400  # tokens in a batch, and of a large model


def gradient_times_input(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    """Σ_d x_d ∂score/∂x_d of each token, (S + T) in nats; x is its embedding (Shrikumar et al. 2017, section 3.1)."""
    return times_input(checkpoint, question, (1.0,))[1][0]


def integrated_gradients(checkpoint: Checkpoint, question: Question) -> Integrated:
    """Sundararajan et al. 2017, equation 1: the gradients along the straight path from zeroed embeddings to the real
    ones, by token (S + T). The path is refined until `Integrated.holds`, or until it has as many points as it may.
    """
    path = new_path(checkpoint)
    while scales := batches(checkpoint, question, path.wanted()):
        for batch in scales:
            path.add(batch, *times_input(checkpoint, question, batch))
    return path.result()


def new_path(checkpoint: Checkpoint) -> Path:
    """A path with as many points as the model's size allows."""
    return Path(FEW_POINTS if is_large(checkpoint) else POINTS)


def is_large(checkpoint: Checkpoint) -> bool:
    """Whether a pass takes so long that its parts should be few."""
    return sum(parameter.numel() for parameter in checkpoint.model.parameters()) >= LARGE


def tokens_at_once(checkpoint: Checkpoint) -> int:
    """Tokens in a batch."""
    return FEW_AT_ONCE if is_large(checkpoint) else AT_ONCE


def at_once(checkpoint: Checkpoint, question: Question) -> int:
    """Passes in a batch."""
    return max(1, tokens_at_once(checkpoint) // (len(question.source) + len(question.target)))


def batches(checkpoint: Checkpoint, question: Question, scales: tuple[float, ...]) -> list[tuple[float, ...]]:
    """The scales in batches."""
    size = at_once(checkpoint, question)
    return [scales[start : start + size] for start in range(0, len(scales), size)]


def times_input(checkpoint: Checkpoint, question: Question, scales: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """With all embeddings x times each of the scales (n): the score, (n), and Σ_d x_d ∂score/∂x_d, (n, S + T)."""

    def ids(of: tuple[int, ...]) -> Tensor | None:
        return torch.tensor([of]) if of else None

    source, target, rows = ids(question.source), ids(question.target), torch.tensor([question.row])
    given = torch.tensor(scales, dtype=torch.float32)
    scores, products = products_of(checkpoint.model, source, target, rows, given, question.of_rows)
    return scores.double().numpy(), products.double().cpu().numpy()


def products_of(model: Transformer, source: Tensor | None, target: Tensor | None, rows: Tensor, scales: Tensor,
                score: Callable[[Tensor], Tensor]) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The same of ids (1, S) and (1, T), a row (1) and scales (n), which a graph may be traced from.

    `score` (n) is taken from the `row_scores` (n, V).
    """
    leaves: list[Tensor] = []

    def scaled(name: str, value: Tensor) -> Tensor:
        if name not in ("encoder.embedding", "decoder.embedding"):
            return value
        by = scales.to(value.device, value.dtype)[:, None, None]
        leaves.append((value.detach() * by).requires_grad_())
        return leaves[-1]

    count = scales.size(0)
    sources, targets = (None if ids is None else ids.expand(count, -1) for ids in (source, target))
    with torch.enable_grad():
        scores = score(row_scores(model, sources, targets, None, rows.expand(count), scaled))
        gradients = torch.autograd.grad(scores.sum(), leaves)
    products = [(leaf * gradient).sum(-1) for leaf, gradient in zip(leaves, gradients, strict=True)]
    return scores.detach(), torch.cat(products, dim=1).detach()
