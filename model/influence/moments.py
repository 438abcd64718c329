"""The moments of a training: the weights at each, and by what its optimizer multiplies a gradient there.

TracIn (Pruthi et al. 2020, section 3.2) adds up, over moments, the learning rate times the dot product of the gradients
of a training pair and of what is asked about. Adam moves the weights by another step: it divides each number of a
gradient by the root of the running mean of its squares (Kingma and Ba 2015, algorithm 1). So does what is added up
here, as in LESS (Xia et al. 2024, section 3.1), but without the momentum, which only spreads a step over those behind
it. P parameters.
"""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor

from model.influence.retraining import Stage, model_of, weights_in
from model.influence.small_task import SmallTask
from model.train import run_settings
from model.transformer import Transformer

MOMENTS = 10  # of a training, as many steps apart


class Moment(NamedTuple):
    """A model in the middle of its training, and by what a gradient (P) is multiplied until the next moment."""

    step: int
    model: Transformer
    factors: Tensor


def moment(task: SmallTask, stage: Stage) -> Moment:
    """The moment at which a stage of the training ends."""
    settings, state = run_settings.training(task.settings), stage.state
    [adam] = state["optimizer"]["state"].values()
    step = state["progress"][0]
    squares = adam["exp_avg_sq"] / (1 - settings.betas[1] ** step)
    factors = stage.rates / (squares.sqrt() + settings.eps)
    return Moment(step, model_of(task.config, weights_in(task.config, state["model"])), factors.cpu())
