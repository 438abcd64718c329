"""What `Trainer` does in an update, and a recorded pass, as functions of tensors alone, so that they can be traced.

N weights of a model as one vector, B batch, S source tokens, T target tokens.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.func import functional_call, grad_and_value

from model import masks
from model.config import TransformerConfig
from model.trace import Tap, silent
from model.train.trainer import cross_entropy, predicted
from model.transformer import Transformer

SWITCHES = ("causal", "scaled", "positions", "residual")  # each 1 as the model is built, or 0
IDS = ("source", "target")  # what is read; a decoder alone has no source
NUMBERS = ("rate", "correction", "epsilon", "clip", "smoothing", "decay")  # what a step is told beside them
BETAS = (0.9, 0.98)  # of Adam, section 5.3
_LEAST = 1e-6  # added to the gradient's length, as torch's clip_grad_norm_ does


def ids_of(config: TransformerConfig) -> tuple[str, ...]:
    """The names of the ids that a model reads."""
    return IDS if config.architecture == "encoder-decoder" else IDS[1:]


def switched(model: Transformer, switches: Sequence[Tensor], then: Tap = silent) -> Tap:
    """A tap that takes apart what the model is built of; switches (each a scalar) in the order of `SWITCHES`.

    causal      0 lets the decoder see the tokens that it is to write
    scaled      0 leaves out the division by √d_k
    positions   0 adds no positions to the embeddings
    residual    0 removes every residual connection
    """
    causal, scaled, positions, residual = switches
    kept: dict[str, Tensor] = {}

    def tap(name: str, value: Tensor) -> Tensor:
        part = name.split(".")[-1]
        if part == "position":
            value = value * positions
        elif part == "scores":
            value = kept["scores"] = value * (scaled + (1 - scaled) * math.sqrt(model.config.d_k))
        elif part == "masked_scores" and name.startswith("decoder") and "self_attention" in name:
            value = torch.where(causal > 0.5, value, kept["scores"])
        elif part == "output" and name.count(".") > 1:  # of a sublayer, not of a side
            value = value - (1 - residual) * kept["stream"]
        elif part in ("input", "residual"):
            kept["stream"] = value
        return then(name, value)

    return tap


class LossOf(nn.Module):
    """The loss of a batch under switches, as a module, so that its weights can be given."""

    def __init__(self, model: Transformer):
        super().__init__()
        self.model = model

    def forward(self, source: Tensor, target: Tensor, smoothing: Tensor, *switches: Tensor) -> Tensor:
        """Nats per token, of source (B, S) and target (B, T + 1). The loss is linear in the smoothing, a scalar."""
        logits, expected = predicted(self.model, source, target, switched(self.model, switches))
        plain, smooth = (cross_entropy(logits, expected, share, "sum") for share in (0.0, 1.0))
        return ((1 - smoothing) * plain + smoothing * smooth) / masks.real(expected).sum()


class Step:
    """One step of training of a model, called as `step(weights, first, second, average, …)`."""

    def __init__(self, model: Transformer):
        self._loss = LossOf(model)
        self._names = [(name, each.shape) for name, each in self._loss.named_parameters()]

    def __call__(
        self, weights: Tensor, first: Tensor, second: Tensor, average: Tensor, *others: Tensor
    ) -> tuple[Tensor, ...]:
        """The vectors (N) after the step, the loss before it, and the gradient's length before clipping.

        weights         and `first`, `second`: the moments of Adam; `average`: the running average of the weights
        others          source: ids (B, S), which a decoder alone has not; target: ids (B, T + 1), `<pad>` behind the
                        end; then scalars: those of `NUMBERS`, then those of `SWITCHES`

        rate is the learning rate over 1 − β₁^t, correction 1 / (1 − β₂^t), at step t from 1.
        """
        scalars = len(NUMBERS) + len(SWITCHES)
        source, target = others[0], others[-scalars - 1]  # of a decoder alone both are the target
        rate, correction, epsilon, clip, smoothing, decay, *switches = others[-scalars:]

        def loss_of(vector: Tensor) -> Tensor:
            return functional_call(self._loss, by_name(vector, self._names), (source, target, smoothing, *switches))

        gradient, loss = grad_and_value(loss_of)(weights)
        length = gradient.pow(2).sum().sqrt()
        gradient = gradient * torch.clamp(clip / (length + _LEAST), max=1.0)
        first = BETAS[0] * first + (1 - BETAS[0]) * gradient
        second = BETAS[1] * second + (1 - BETAS[1]) * gradient * gradient
        weights = weights - rate * first / ((second * correction).sqrt() + epsilon)
        average = weights + decay * (average - weights)
        return weights, first, second, average, loss, length


class RecordedPass(nn.Module):
    """A teacher-forced pass that returns every recorded value; `names` are theirs, in the order of the last call."""

    def __init__(self, model: Transformer):
        super().__init__()
        self.model = model
        self.names: list[str] = []

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """Every value, batch first, of source (B, S), if it reads one, and target (B, T) under switches (scalars)."""
        values = {}
        source, target, switches = inputs[0], inputs[-len(SWITCHES) - 1], inputs[-len(SWITCHES) :]

        def keep(name: str, value: Tensor) -> Tensor:
            values[name] = value
            return value

        tap = switched(self.model, switches, keep)
        if "source" in ids_of(self.model.config):
            self.model(source, target, masks.real(source), tap)
        else:
            self.model(None, target, None, tap)
        self.names = list(values)
        return tuple(values.values())


def by_name(vector: Tensor, names: Sequence[tuple[str, torch.Size]]) -> dict[str, Tensor]:
    """The parts of a vector of weights, in the order in which `Trainer` joins them."""
    parts = vector.split([shape.numel() for _, shape in names])
    return {name: part.view(shape) for (name, shape), part in zip(names, parts, strict=True)}
