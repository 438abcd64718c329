"""Train a dictionary of vectors: a generator of reports, which can be left and gone on with. A seed fixes all numbers.

N vectors of d numbers, B of them in a batch, F features, K active. Features that nothing has activated for a while
begin anew in the direction of a vector that is badly explained (Bricken et al. 2023, "Towards monosemanticity").
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from model.errors import InvalidInput
from model.features.dictionary import Dictionary, normalised

RANGES = {
    "features": (2, 65_536), "active": (1, 256), "steps": (1, 100_000), "batch": (1, 16_384), "seed": (0, 2**31 - 1),
}  # fmt: skip
REVIVALS = 8  # times that dead features begin anew, in the first REVIVING of the steps
REVIVING = 0.7
DECAY = 0.2  # share of the steps in which the learning rate falls to 0
WIDER = 8  # features for each number of a vector, by default


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a dictionary is trained. `features` 0 means WIDER times as many as a vector has numbers."""

    features: int = 0
    active: int = 8
    steps: int = 4000
    batch: int = 1024
    learning_rate: float = 2e-3
    seed: int = 0


@dataclass(frozen=True)
class Update:
    """Progress of a training.

    step, steps    done, and in all
    unexplained    share of the variance of the last batches that is left
    dead           share of the features that no vector has activated since the last update
    learning_rate  of the last step
    """

    step: int
    steps: int
    variance_unexplained: float
    dead: float
    learning_rate: float


def check(settings: Settings) -> None:
    """Raise `InvalidInput` for settings out of range."""
    for field, (least, most) in RANGES.items():
        value = getattr(settings, field)
        if field == "features" and value == 0:
            continue
        if not least <= value <= most:
            raise InvalidInput("run_range", field=field, value=value, least=least, most=most)
    if not 1e-6 <= settings.learning_rate <= 0.1:
        raise InvalidInput("run_range", field="learning_rate", value=settings.learning_rate, least=1e-6, most=0.1)
    if settings.features and settings.active > settings.features:
        raise InvalidInput("run_range", field="active", value=settings.active, least=1, most=settings.features)


class Trainer:
    """One training on vectors (N, d) and their targets (N, d), which are the vectors unless it is a transcoder.

    With `state`, as `state()` gave it for the same vectors and settings, it goes on as if it had never been left.
    """

    def __init__(self, vectors: Tensor, targets: Tensor, settings: Settings, state: dict[str, Any] | None = None):
        check(settings)
        if len(vectors) < 2:
            raise InvalidInput("features_few", count=len(vectors))
        self.settings = settings
        self.features = settings.features or WIDER * vectors.size(1)
        self.active = min(settings.active, self.features)
        self.means = vectors.mean(dim=0), targets.mean(dim=0)
        self.inputs, self.scale_in = _scaled(vectors, self.means[0])
        self.targets, self.scale_out = (
            (self.inputs, self.scale_in) if targets is vectors else _scaled(targets, self.means[1])
        )
        self.generator = torch.Generator().manual_seed(settings.seed)
        directions = functional.normalize(torch.randn(self.features, targets.size(1), generator=self.generator), dim=1)
        first = directions if vectors.size(1) == targets.size(1) else self._directions(vectors.size(1))
        self.encoder = first.clone().requires_grad_()  # (F, d)
        self.bias = torch.zeros(self.features).requires_grad_()
        self.decoder = directions.clone().requires_grad_()  # (F, d), rows of length 1
        self.optimizer = torch.optim.Adam(self._parameters(), lr=settings.learning_rate, betas=(0.9, 0.99), fused=True)
        self.step = 0
        self.used = torch.zeros(self.features)  # how often since the last update
        self.used_since = torch.zeros(self.features)  # and since dead ones last began anew
        if state is not None:
            self._resume(state)

    def updates(self, every: int = 100) -> Iterator[Update]:
        """Train to the end and report after so many steps each."""
        left = total = 0.0
        while self.step < self.settings.steps:
            batch_left, batch_total = self._train()
            left, total = left + batch_left, total + batch_total
            if self.step % every == 0 or self.step == self.settings.steps:
                dead = float((self.used == 0).double().mean())
                yield Update(self.step, self.settings.steps, left / total, dead, self._rate())
                self.used.zero_()
                left = total = 0.0

    def dictionary(self) -> Dictionary:
        """What it has learned so far, with strengths in the unit of the vectors."""
        with torch.no_grad():
            weights = {
                "encoder": self.encoder * (self.scale_out / self.scale_in),
                "encoder_bias": self.bias * self.scale_out,
                "decoder": self.decoder.T,
                "mean": self.means[0],
                "target_mean": self.means[1],
            }
            return normalised(
                {name: value.detach().clone().contiguous() for name, value in weights.items()}, self.active
            )

    def state(self) -> dict[str, Any]:
        """Everything that is needed to go on with it."""
        return {
            "step": self.step,
            "weights": [each.detach() for each in self._parameters()],
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "used": self.used,
            "used_since": self.used_since,
        }

    def _resume(self, state: dict[str, Any]) -> None:
        self.step, self.used, self.used_since = state["step"], state["used"], state["used_since"]
        with torch.no_grad():
            for parameter, value in zip(self._parameters(), state["weights"], strict=True):
                parameter.copy_(value)
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])

    def _parameters(self) -> list[Tensor]:
        return [self.encoder, self.bias, self.decoder]

    def _directions(self, size: int) -> Tensor:
        return functional.normalize(torch.randn(self.features, size, generator=self.generator), dim=1)

    def _train(self) -> tuple[float, float]:
        """One step; the squared error of its batch and the variance, both summed."""
        places = torch.randint(len(self.inputs), (self.settings.batch,), generator=self.generator)
        x, wanted = self.inputs[places], self.targets[places]  # (B, d)
        with torch.no_grad():
            chosen = functional.linear(x, self.encoder, self.bias).topk(self.active, sorted=False)[1]  # (B, K)
        # the K chosen features alone: a third of the time of all of them
        strengths = ((functional.embedding(chosen, self.encoder) @ x[:, :, None])[..., 0] + self.bias[chosen]).relu()
        made = functional.embedding_bag(chosen, self.decoder, per_sample_weights=strengths, mode="sum")  # (B, d)
        left = (made - wanted).square().sum()
        self.optimizer.zero_grad()
        (left / len(x)).backward()
        for group in self.optimizer.param_groups:
            group["lr"] = self._rate()
        self.optimizer.step()
        self.step += 1
        with torch.no_grad():
            self.decoder.copy_(functional.normalize(self.decoder, dim=1))
            counts = torch.bincount(chosen[strengths > 0], minlength=self.features)
            self.used += counts
            self.used_since += counts
            self._revive()
        return float(left.detach()), float(wanted.square().sum())

    def _rate(self) -> float:
        """Constant at first, then falling to 0."""
        left = 1 - self.step / self.settings.steps
        return self.settings.learning_rate * min(1.0, left / DECAY)

    def _revive(self) -> None:
        """Let dead features begin anew, at REVIVALS steps; none later than REVIVING."""
        every = max(1, math.floor(self.settings.steps * REVIVING / REVIVALS))
        if self.step % every or self.step > self.settings.steps * REVIVING:
            return
        dead = torch.nonzero(self.used_since == 0)[:, 0]
        self.used_since.zero_()
        if len(dead) == 0 or len(dead) == self.features:
            return
        places = torch.randint(len(self.inputs), (8 * self.settings.batch,), generator=self.generator)
        x, wanted = self.inputs[places], self.targets[places]
        chosen_scores, chosen = functional.linear(x, self.encoder, self.bias).topk(self.active, sorted=False)
        made = functional.embedding_bag(chosen, self.decoder, per_sample_weights=chosen_scores.relu(), mode="sum")
        left = (wanted - made).square().sum(dim=1)
        drawn = torch.multinomial(left + 1e-9, len(dead), replacement=len(dead) > len(x), generator=self.generator)
        alive = self.encoder[self.used_since.new_ones(self.features).index_fill(0, dead, 0) > 0]
        length = 0.2 * alive.norm(dim=1).mean()
        self.decoder[dead] = functional.normalize(wanted[drawn] - made[drawn], dim=1)
        self.encoder[dead] = length * functional.normalize(x[drawn], dim=1)
        self.bias[dead] = 0.0
        for parameter in self._parameters():
            for name in ("exp_avg", "exp_avg_sq"):
                self.optimizer.state[parameter][name][dead] = 0.0


def _scaled(vectors: Tensor, mean: Tensor) -> tuple[Tensor, float]:
    """Vectors (N, d) about their mean with a mean squared length of d, and their scale before."""
    centred = vectors - mean
    scale = float(centred.square().mean().sqrt()) or 1.0
    return centred / scale, scale


def train_dictionary(vectors: Tensor, targets: Tensor | None = None, settings: Settings | None = None) -> Dictionary:
    """A dictionary of vectors (N, d), trained to its end."""
    trainer = Trainer(vectors, vectors if targets is None else targets, settings or Settings())
    for _ in trainer.updates():
        pass
    return trainer.dictionary()
