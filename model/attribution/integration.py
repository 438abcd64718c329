"""Integral of a gradient along the path from zeroed inputs to the real ones, refined until it is known well enough.

The path has a scale α from 0 to 1. A model without added positions, or whose norm divides by almost nothing, changes
near α = 0 within a tiny step, so the path is cut on a logarithmic scale. N inputs, P panels, n scales.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

TOLERANCE, SHARE = 0.02, 0.01  # of a value or of their sum, in nats and of the change; the larger one counts
PANELS = 8  # to begin with, from `LOWEST` to 1
LOWEST, DEEPEST = 1e-4, 1e-36  # the first panel reaches from 0 to a scale between these
DEEPER = 1e-4  # times its end, where it is cut
KEPT = 0.7  # of the tolerance: panels whose errors together are smaller are not cut
# Simpson's rule with both halves of a panel, and without cutting it
HALVES, WHOLE = np.array([1, 4, 2, 4, 1]) / 12, np.array([1, 0, 4, 0, 1]) / 6

Nodes = tuple[float, ...]  # of a panel: five scales, or the end of the panel that begins at 0


@dataclass(frozen=True)
class Integrated:
    """Integrated gradients, (N) in nats.

    change   the score less that of zeroed inputs, which the exact values add up to
    error    estimate of how far the worst value, or their sum, is off
    points   scales at which the gradient was computed
    """

    values: np.ndarray
    change: float
    error: float
    points: int

    @property
    def gap(self) -> float:
        """The sum of the values less the change."""
        return float(self.values.sum()) - self.change

    @property
    def tolerance(self) -> float:
        """How far a value or their sum may be off."""
        return max(TOLERANCE, SHARE * abs(self.change))

    @property
    def holds(self) -> bool:
        """Whether values and sum are known within the tolerance."""
        return self.error <= self.tolerance

    @property
    def reliable(self) -> np.ndarray:
        """The values, (N); NaN where they are not known within the tolerance."""
        return self.values if self.holds else np.full_like(self.values, np.nan)


class Path:
    """The path, cut where it has to be; whoever has the function asks for `wanted` and hands them to `add`.

    Each panel has an error for each input, the difference of Simpson's rule with and without cutting it, and one for
    the sum, which the scores at both ends of the panel give exactly. Errors of panels add up as independent ones do.
    """

    def __init__(self, most: int):
        self.most = most  # scales; `holds` says whether they were enough
        self.known: dict[float, tuple[float, np.ndarray]] = {}
        ends = np.geomspace(LOWEST, 1, PANELS + 1).tolist()
        self.panels: list[Nodes] = [(LOWEST,), *(_nodes(low, high) for low, high in pairwise(ends))]

    def add(self, scales: tuple[float, ...], scores: np.ndarray, products: np.ndarray) -> None:
        """The score (n) and Σ α x ∂score/∂(α x) of each input (n, N) at these scales."""
        self.known.update(zip(scales, zip(scores.tolist(), products, strict=True), strict=True))

    def wanted(self) -> tuple[float, ...]:
        """Scales that the path still needs; none once it is known, cannot be known, or has as many as it may have."""
        missing = self._missing()
        if not missing and len(self.known) < self.most:
            result = self.result()
            if np.isfinite(result.error) and not result.holds:
                self._cut(KEPT * result.tolerance)
                missing = self._missing()
        return missing

    def result(self) -> Integrated:
        """The integral as far as it is known."""
        values, errors = self._by_panel()
        change = self.known[1.0][0] - self.known[0.0][0]
        return Integrated(values.sum(axis=0), change, _together(errors), len(self.known))

    def _missing(self) -> tuple[float, ...]:
        scales = dict.fromkeys([0.0, *(scale for panel in self.panels for scale in panel)])
        return tuple(scale for scale in scales if scale not in self.known)

    def _by_panel(self) -> tuple[np.ndarray, np.ndarray]:
        """The integral over each panel (P, N), and its errors, that of the sum last (P, N + 1)."""
        values, errors = [], []
        for panel in self.panels:
            scores, products = zip(*(self.known[scale] for scale in panel), strict=True)
            if len(panel) == 1:  # the function is taken to be linear from 0 on
                value = doubt = products[0]
                change = scores[0] - self.known[0.0][0]
            else:
                width = np.log(panel[-1] / panel[0])
                value = width * (HALVES @ products)
                doubt = value - width * (WHOLE @ products)
                change = scores[-1] - scores[0]
            values.append(value)
            errors.append([*doubt, value.sum() - change])
        return np.array(values), np.array(errors)

    def _cut(self, enough: float) -> None:
        """Halve the panels with the largest errors, so many that those of the others are small enough."""
        errors = self._by_panel()[1]
        order = np.argsort(-np.abs(errors).max(axis=1))
        count = next(count for count in range(1, len(order) + 1) if _together(errors[order[count:]]) <= enough)
        cut = set(order[:count].tolist())
        self.panels = [
            part for at, panel in enumerate(self.panels) for part in (_parts(panel) if at in cut else [panel])
        ]


def _nodes(low: float, high: float) -> Nodes:
    """Five scales at equal distances of their logarithms."""
    middle = float(np.sqrt(low * high))
    return (low, float(np.sqrt(low * middle)), middle, float(np.sqrt(middle * high)), high)


def _parts(panel: Nodes) -> list[Nodes]:
    if len(panel) > 1:
        return [_nodes(panel[0], panel[2]), _nodes(panel[2], panel[4])]
    end = panel[0] * DEEPER
    return [(end,), _nodes(end, panel[0])] if end >= DEEPEST else [panel]


def _together(errors: np.ndarray) -> float:
    """The largest error of an input over panels together, (P, N + 1), or that of the sum, which is exact."""
    independent = np.sqrt((errors**2).sum(axis=0)).max(initial=0)
    return float(np.maximum(independent, abs(errors[:, -1].sum())))
