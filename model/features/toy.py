"""A toy: five features in two dimensions, after Elhage et al. 2022, "Toy models of superposition" (section 2).

x' = ReLU(Wᵀ W x + b) has to give back x (F features) through D dimensions. A feature is 0 with probability `sparsity`,
else uniform from 0 to 1. Features that are hardly ever active together can share dimensions, for ReLU hides what a few
of them do to each other. F features, D dimensions, B examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch

from model.errors import InvalidInput

Regime = Literal["none", "dedicated", "pairs", "shared"]
SPARSITIES = (0.0, 0.7, 0.8, 0.9, 0.97, 0.99)
LEARNED = 0.5  # length from which on a direction stands for its feature
APART, OPPOSITE = 0.2, -0.8  # cosines: directions that have nothing to do with each other, and opposite ones
BATCH = 1024
REPORT = 50  # steps between reports


@dataclass(frozen=True, kw_only=True)
class Toy:
    """Its settings. Each feature matters `importance` times as much as the one before it."""

    features: int = 5
    dimensions: int = 2
    sparsity: float = 0.9
    importance: float = 0.9
    steps: int = 2000
    learning_rate: float = 1e-2
    seed: int = 0


@dataclass(frozen=True, eq=False)
class ToyReport:
    """After `step` of `steps`: the loss of the last batch and the direction of each feature, (F, D)."""

    step: int
    steps: int
    loss: float
    directions: np.ndarray


def check(toy: Toy) -> None:
    """Raise `InvalidInput` for settings out of range."""
    ranges = {
        "features": (1, 64), "dimensions": (1, 64), "sparsity": (0.0, 0.999), "importance": (0.01, 1.0),
        "steps": (1, 20_000), "learning_rate": (1e-5, 1.0), "seed": (0, 2**31 - 1),
    }  # fmt: skip
    for field, (least, most) in ranges.items():
        value = getattr(toy, field)
        if not least <= value <= most:
            raise InvalidInput("run_range", field=field, value=value, least=least, most=most)


def train(toy: Toy) -> Iterator[ToyReport]:
    """Train it; the first report is of the untrained one. The same reports for the same seed."""
    check(toy)
    generator = torch.Generator().manual_seed(toy.seed)
    weight = torch.randn(toy.dimensions, toy.features, generator=generator).mul_(0.5).requires_grad_()  # W (D, F)
    bias = torch.zeros(toy.features).requires_grad_()
    matters = toy.importance ** torch.arange(toy.features)
    optimizer = torch.optim.Adam([weight, bias], lr=toy.learning_rate, fused=True)
    yield ToyReport(0, toy.steps, float("nan"), weight.detach().T.numpy().copy())
    for step in range(1, toy.steps + 1):
        drawn = torch.rand(2, BATCH, toy.features, generator=generator)
        x = drawn[0] * (drawn[1] >= toy.sparsity)  # (B, F)
        loss = (matters * (x - (x @ weight.T @ weight + bias).relu()).square()).mean()
        optimizer.zero_grad()
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = toy.learning_rate * (1 - (step - 1) / toy.steps)
        optimizer.step()
        if step % REPORT == 0 or step == toy.steps:
            yield ToyReport(step, toy.steps, float(loss.detach()), weight.detach().T.numpy().copy())


def lengths(directions: np.ndarray) -> np.ndarray:
    """The length of each direction (F, D): (F), 0 for a feature that is given up, about 1 for one that is kept."""
    result: np.ndarray = np.linalg.norm(directions, axis=1)
    return result


def regimes(directions: np.ndarray) -> list[Regime]:
    """What became of each feature of directions (F, D).

    none       it is given up: its direction is short
    dedicated  no other feature uses its direction or the opposite one
    pairs      it shares a line with exactly one other, which points the opposite way
    shared     it lies at other angles to others, as the corners of a pentagon do
    """
    size = lengths(directions)
    unit = directions / np.maximum(size, 1e-9)[:, None]
    cosines = unit @ unit.T
    return [_regime(cosines[each], size, each) for each in range(len(directions))]


def _regime(cosines: np.ndarray, size: np.ndarray, feature: int) -> Regime:
    if size[feature] < LEARNED:
        return "none"
    others = np.delete(np.where(size < LEARNED, 0.0, cosines), feature)
    if np.abs(others).max(initial=0) < APART:
        return "dedicated"
    is_opposite = others < OPPOSITE
    is_apart = np.abs(others) < APART
    return "pairs" if is_opposite.sum() == 1 and (is_opposite | is_apart).all() else "shared"


def trained(toy: Toy) -> np.ndarray:
    """The directions (F, D) after the training."""
    *_, last = train(toy)
    return last.directions
