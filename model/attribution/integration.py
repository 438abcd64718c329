"""Integral of a gradient along the path from zeroed inputs to the real ones, refined until it is known well enough.

The path has a scale α from 0 to 1. A model without added positions, or whose norm divides by almost nothing, changes
near α = 0 within a tiny step, so the path is cut on a logarithmic scale. N inputs, P panels, n scales.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

TOLERANCE, SHARE = 0.02, 0.01  # of a value or of their sum, in nats and of the change; the larger one counts
PANELS, NODES = 8, 5  # panels to begin with, from `LOWEST` to 1, and scales of each
LOWEST, DEEPEST = 1e-4, 5e-37  # the first panel reaches from 0 to a scale between these
DEEPER = 1e-4  # times its end, where it is cut
KEPT = 0.7  # of the tolerance: panels whose errors together are smaller are not cut
# Simpson's rule with both halves of a panel, and without cutting it, in twelfths
HALVES, WHOLE = (1, 4, 2, 4, 1), (2, 0, 8, 0, 2)


@dataclass(frozen=True)
class Integrated:
    """Integrated gradients, (N) in nats.

    sum        of the values
    change     the score less that of zeroed inputs, which the exact values add up to
    gap        the sum less the change
    error      estimate of how far the worst value, or their sum, is off
    tolerance  how far a value or their sum may be off
    points     scales at which the gradient was computed
    """

    values: np.ndarray
    sum: float
    change: float
    gap: float
    error: float
    tolerance: float
    points: int

    @property
    def holds(self) -> bool:
        """Whether values and sum are known within the tolerance."""
        return self.error <= self.tolerance

    @property
    def reliable(self) -> np.ndarray:
        """The values, (N); NaN where they are not known within the tolerance."""
        return self.values if self.holds else np.full_like(self.values, np.nan)


class Path:
    """The path, cut where it has to be; whoever has the function asks for `wanted` and hands them to `add`."""

    def __init__(self, most: int):
        self.most = most  # scales; `holds` says whether they were enough
        self.known: dict[float, list[float]] = {}
        self.scales = first_scales()

    def add(self, scales: tuple[float, ...], scores: np.ndarray, products: np.ndarray) -> None:
        """The score (n) and Σ α x ∂score/∂(α x) of each input (n, N) at these scales."""
        for scale, score, product in zip(scales, scores.tolist(), products.tolist(), strict=True):
            self.known[scale] = [scale, score, *product]

    def wanted(self) -> tuple[float, ...]:
        """Scales that the path still needs; none once it is known, cannot be known, or has as many as it may have."""
        if not self._missing() and len(self.known) < self.most:
            self.scales = self._refined()[-1].tolist()
        return self._missing()

    def result(self) -> Integrated:
        """The integral as far as it is known."""
        totals, values, _ = self._refined()
        total, change, gap, error, tolerance = totals.tolist()
        return Integrated(values.numpy(), total, change, gap, error, tolerance, len(self.known))

    def _missing(self) -> tuple[float, ...]:
        return tuple(scale for scale in dict.fromkeys(self.scales) if scale not in self.known)

    def _refined(self) -> tuple[Tensor, Tensor, Tensor]:
        return refined(torch.tensor([self.known[scale] for scale in self.scales], dtype=torch.float64))


def first_scales() -> list[float]:
    """The scales of a path to begin with, in the order of `refined`."""
    ends = np.geomspace(LOWEST, 1, PANELS + 1).tolist()
    return [0.0, LOWEST, *(scale for each in pairwise(ends) for scale in np.geomspace(*each, NODES).tolist())]


def refined(table: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """What is known of a path: sum, change, gap, error and tolerance (5), the values (N), the scales of a finer one.

    table   (n, 2 + N): a scale, the score there, and Σ α x ∂score/∂(α x) of each input. The scales are 0, the end of
            the first panel, up to which the function is taken to be linear, and five of each other panel, at equal
            distances of their logarithms

    Each panel has an error for each input, the difference of Simpson's rule with and without cutting it, and one for
    the sum, which the scores at both ends of the panel give exactly. Errors of panels add up as independent ones do.
    The panels with the largest errors are halved, so many that those of the others are small enough. The scales stay
    as they are once the path is known within the tolerance, or cannot be known.
    """
    scales, scores, products = table[:, 0], table[:, 1], table[:, 2:]
    panels, ends = scales[2:].reshape(-1, NODES), scores[2:].reshape(-1, NODES)  # (P, 5)
    inside = products[2:].reshape(-1, NODES, products.size(1))  # (P, 5, N)
    width = (panels[:, 4:] / panels[:, :1]).log()  # (P, 1)
    halves, whole = (width * (inside * table.new_tensor(rule)[:, None] / 12).sum(1) for rule in (HALVES, WHOLE))
    parts = torch.cat([products[1:2], halves])  # (1 + P, N)
    changes = torch.cat([scores[1:2] - scores[:1], ends[:, 4] - ends[:, 0]])
    doubts = torch.cat([products[1:2], halves - whole])
    errors = torch.cat([doubts, (parts.sum(1) - changes)[:, None]], 1)  # (1 + P, N + 1)
    values, change = parts.sum(0), scores[scales.argmax()] - scores[0]
    error = _together(errors.square().sum(0), errors[:, -1].sum())
    tolerance = (SHARE * change.abs()).clamp(min=TOLERANCE)
    totals = torch.stack([values.sum(), change, values.sum() - change, error, tolerance])

    order = errors.abs().amax(1).argsort(descending=True)
    upwards = errors[order].flip(0)
    rest = _together(upwards.square().cumsum(0), upwards[:, -1].cumsum(0)).flip(0)  # of a panel and all with less error
    is_cut = ((rest <= KEPT * tolerance).int().cumsum(0) == 0) & (error > tolerance) & (error < torch.inf)
    is_cut = is_cut[order.argsort()]
    return totals, values, _cut(scales[1:2], panels, is_cut)


def _cut(end: Tensor, panels: Tensor, is_cut: Tensor) -> Tensor:
    """The scales of a path with these panels in two: end (1) of the first one, the others (P, 5), which (1 + P)."""
    means = panels[:, :-1].sqrt() * panels[:, 1:].sqrt()  # the product itself may be too small a number
    finer = torch.cat([torch.stack([panels[:, :-1], means], 2).flatten(1), panels[:, 4:]], 1)[is_cut[1:]]  # (…, 9)
    deeper = end * DEEPER
    is_deeper = is_cut[:1] & (deeper >= DEEPEST)
    between = deeper * DEEPER ** -panels.new_tensor([0.25, 0.5, 0.75])
    new = torch.cat([deeper, between, end])[None][is_deeper]  # (0 or 1, 5)
    first = torch.where(is_deeper, deeper, end)
    kept = (panels[~is_cut[1:]], finer[:, :NODES], finer[:, NODES - 1 :], new)
    return torch.cat([torch.zeros_like(end), first, *(each.flatten() for each in kept)])


def _together(squares: Tensor, total: Tensor) -> Tensor:
    """The largest error of an input, of the sums of squared errors (…, N + 1), or that of the sum, which is exact."""
    return torch.maximum(squares.sqrt().amax(-1), total.abs())
