"""Attribution by gradients of the score with respect to the embeddings: gradient × input, and integrated gradients.

S source tokens, T target tokens, n points of a path. Positions are not part of the input that is attributed to: they
stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from torch import Tensor

from model.attribution.why_question import Question, row_scores
from model.checkpoint.checkpoints import Checkpoint

POINTS, FEW_POINTS = 96, 24  # of the path of integrated gradients, and of a large model
LARGE = 20_000_000  # parameters
AT_ONCE = 1_500  # tokens in a batch


@dataclass(frozen=True)
class Integrated:
    """Integrated gradients by token, (S + T), in nats.

    change   the score less that of the baseline, which the values add up to if the path has points enough
    gap      their sum less that change
    """

    values: np.ndarray
    change: float

    @property
    def gap(self) -> float:
        return float(self.values.sum()) - self.change


@dataclass(frozen=True)
class Ends:
    """Both ends of the path.

    gradient   Σ_d x_d ∂score/∂x_d of each token at the real embeddings x, (S + T) in nats
    change     the score there less that of zeroed embeddings, in nats
    """

    gradient: np.ndarray
    change: float


def ends(checkpoint: Checkpoint, question: Question) -> Ends:
    """The real embeddings and zeroed ones in one pass."""
    scores, products = _times_input(checkpoint, question, torch.tensor([1.0, 0.0]))
    return Ends(products[0], float(scores[0] - scores[1]))


def gradient_times_input(checkpoint: Checkpoint, question: Question) -> np.ndarray:
    """Σ_d x_d ∂score/∂x_d of each token, (S + T) in nats; x is its embedding (Shrikumar et al. 2017, section 3.1)."""
    return ends(checkpoint, question).gradient


def integrated_gradients(checkpoint: Checkpoint, question: Question, points: int = 0) -> Integrated:
    """Sundararajan et al. 2017, equation 1: the gradients along the straight path from zeroed embeddings to the real
    ones, by Gauss–Legendre quadrature with so many points, by default as many as the model's size allows.

    With 96 points the gap is about 1 % of the change in our models.
    """
    points = points or points_of(checkpoint)
    size = max(1, AT_ONCE // (len(question.source) + len(question.target)))
    starts = range(0, points, size)
    parts = [along_path(checkpoint, question, points, start, start + size) for start in starts]
    return integrated_of(ends(checkpoint, question), parts)


def points_of(checkpoint: Checkpoint) -> int:
    """How many points of the path are taken by default."""
    return FEW_POINTS if is_large(checkpoint) else POINTS


def is_large(checkpoint: Checkpoint) -> bool:
    """Whether a pass takes so long that its parts should be few."""
    return sum(parameter.numel() for parameter in checkpoint.model.parameters()) >= LARGE


def along_path(checkpoint: Checkpoint, question: Question, points: int, start: int, end: int) -> np.ndarray:
    """Sum the points from `start` to before `end`, of so many, of the integral along the path: (S + T)."""
    nodes, weights = _quadrature(points)
    scales = torch.tensor((nodes[start:end] + 1) / 2, dtype=torch.float32)
    at_points = _times_input(checkpoint, question, scales)[1]
    # `_times_input` multiplies by the scaled input; the path's gradient goes with the whole one
    summand: np.ndarray = (weights[start:end] / 2 / scales.double().numpy()) @ at_points
    return summand


@cache
def _quadrature(points: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes on [−1, 1] and weights: finding them takes as long as the gradients at several points."""
    return np.polynomial.legendre.leggauss(points)


def integrated_of(ends: Ends, parts: Sequence[np.ndarray]) -> Integrated:
    """The whole path from its parts."""
    return Integrated(np.sum(parts, axis=0), ends.change)


def _times_input(checkpoint: Checkpoint, question: Question, scales: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """With all embeddings times each of the scales (n): the score, (n), and Σ_d x_d ∂score/∂x_d, (n, S + T)."""
    leaves: dict[str, Tensor] = {}

    def scaled(name: str, value: Tensor) -> Tensor:
        if name not in ("encoder.embedding", "decoder.embedding"):
            return value
        leaves[name] = (value.detach() * scales.to(value.device)[:, None, None]).requires_grad_()
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
