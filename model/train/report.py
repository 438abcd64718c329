"""Reports of a training run, and their numbers by name. Needs no torch, so that runs can be listed without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.analysis.energy import Energy
    from model.checkpoint.snapshots import ProbeAttention, Sample, Snapshot
    from model.train.induction import Induction

# the numbers of an evaluation by name
EVALUATED = {
    "validation_loss": attrgetter("validation_loss"),
    "token_accuracy": attrgetter("token_accuracy"),
    "exact_training": attrgetter("exact_training"),
    "exact_held_out": attrgetter("exact_held_out"),
    "training": attrgetter("training"),
    "held_out": attrgetter("held_out"),
    "embedding_energy": attrgetter("energy.embedding"),
    "position_energy": attrgetter("energy.position"),
}
# numbers for whoever watches the run, and not for a table of it
WHILE_IT_RUNS = ("seconds_left", "evaluation_share", "held_out", "training")


@dataclass(frozen=True)
class Evaluation:
    """An evaluation of the averaged weights. Validation loss in nats per token; accuracy with teacher forcing.

    exact_held_out, exact_training   share of `held_out` and `training` sources whose whole output is right;
                                     None for the task of going on, which has no one right answer
    """

    validation_loss: float
    token_accuracy: float
    exact_held_out: float | None
    exact_training: float | None
    held_out: int
    training: int
    samples: tuple[Sample, ...]
    energy: Energy
    induction: Induction | None  # of the task of repeated letters alone
    probe: ProbeAttention | None  # None in a stored report: only the last one is kept


@dataclass(frozen=True)
class RunReport:
    """Progress since the last report: mean loss in nats per target token, and the last step's rate and gradient.

    Times in seconds. `evaluation_share` is the share of the time so far that went into all but training. `measured` are
    further numbers by name, of a run that trains no model.
    """

    step: int
    steps: int
    loss: float
    learning_rate: float
    gradient_norm: float
    steps_per_second: float
    seconds: float
    seconds_left: float
    evaluation_share: float
    evaluation: Evaluation | None = None
    moment: Snapshot | None = None
    measured: Mapping[str, float] = field(default_factory=dict)

    def numbers(self) -> dict[str, float | None]:
        """All of them by the names that the route, the figure and the table know; None where nothing was evaluated."""
        evaluation = self.evaluation
        return {
            "step": self.step,
            "seconds": self.seconds,
            "seconds_left": self.seconds_left,
            "evaluation_share": self.evaluation_share,
            "loss": self.loss,
            "learning_rate": self.learning_rate,
            "gradient_norm": self.gradient_norm,
            "steps_per_second": self.steps_per_second,
            **{name: number(evaluation) if evaluation else None for name, number in EVALUATED.items()},
            **(_looked_up(evaluation.induction) if evaluation and evaluation.induction else {}),
            **self.measured,
        }


def _looked_up(induction: Induction) -> dict[str, float | None]:
    """Measurements of repeated letters by name: each loss, and each score of each head."""
    scores = {
        f"{name}_{layer}_{head}": value
        for name, table in (("previous", induction.previous), ("induction", induction.induction))
        for layer, row in enumerate(table)
        for head, value in enumerate(row)
    }
    return {"loss_first": induction.first, "loss_again": induction.again, **scores}
