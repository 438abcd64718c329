"""Attribution by gradients of the score with respect to the embeddings: gradient × input, and integrated gradients.

S source tokens, T target tokens, n scales of the embeddings. Positions are not part of the input that is attributed
to: they stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model.attribution.integration import Integrated, Path
from model.attribution.why_question import Question, row_scores
from model.checkpoint.checkpoints import Checkpoint

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


def at_once(checkpoint: Checkpoint, question: Question) -> int:
    """Passes in a batch."""
    tokens = len(question.source) + len(question.target)
    return max(1, (FEW_AT_ONCE if is_large(checkpoint) else AT_ONCE) // tokens)


def batches(checkpoint: Checkpoint, question: Question, scales: tuple[float, ...]) -> list[tuple[float, ...]]:
    """The scales in batches."""
    size = at_once(checkpoint, question)
    return [scales[start : start + size] for start in range(0, len(scales), size)]


def times_input(checkpoint: Checkpoint, question: Question, scales: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """With all embeddings x times each of the scales (n): the score, (n), and Σ_d x_d ∂score/∂x_d, (n, S + T)."""
    leaves: dict[str, Tensor] = {}

    def scaled(name: str, value: Tensor) -> Tensor:
        if name not in ("encoder.embedding", "decoder.embedding"):
            return value
        by = torch.tensor(scales, dtype=value.dtype, device=value.device)[:, None, None]
        leaves[name] = (value.detach() * by).requires_grad_()
        return leaves[name]

    def ids(of: tuple[int, ...]) -> Tensor | None:
        return torch.tensor([of]).expand(len(scales), -1) if of else None

    source, target = ids(question.source), ids(question.target)
    with torch.enable_grad():
        rows = torch.full((len(scales),), question.row)
        scores = question.of_rows(row_scores(checkpoint.model, source, target, None, rows, scaled))
        gradients = torch.autograd.grad(scores.sum(), list(leaves.values()))
    products = [(leaf * gradient).sum(-1) for leaf, gradient in zip(leaves.values(), gradients, strict=True)]
    return scores.detach().double().numpy(), torch.cat(products, dim=1).detach().double().cpu().numpy()
