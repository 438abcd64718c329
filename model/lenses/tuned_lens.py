"""The tuned lens: an affine map for each depth of the stream, trained to predict what the whole model predicts.

Belrose et al. 2023, "Eliciting Latent Predictions from Transformers with the Tuned Lens": the logits at a depth are
the model's own ending on x + A x + b, and A and b, zero at first, are trained for the least KL divergence from the
model's own distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.lenses.batch_streams import Text, batches, read
from model.transformer import Transformer

STEPS, TOKENS = 300, 256  # of the training, and of a batch of it
RATE = 0.01  # of Adam, falling to 0 in a straight line


@dataclass(frozen=True)
class Correction:
    """What a depth of the stream gets added before it is read: x + A x + b; A (d_model, d_model), b (d_model)."""

    matrix: Tensor
    bias: Tensor

    def __call__(self, x: Tensor) -> Tensor:
        """(…, d_model) to the same."""
        return x + x @ self.matrix.T + self.bias


def identity(size: int, device: torch.device | None = None) -> Correction:
    """Where the training starts: with it the tuned lens is the logit lens."""
    return Correction(torch.zeros(size, size, device=device), torch.zeros(size, device=device))


def fit(
    model: Transformer,
    texts: Sequence[Text],
    seed: int,
    steps: int = STEPS,
    report: Callable[[int], None] = lambda count: None,
) -> dict[str, Correction]:
    """The correction of each depth of the decoder but the last; `report` is told how many steps are done."""
    streams = _tokens(model, texts)
    final = streams.popitem()[1]
    corrections = {depth: identity(final.size(-1), final.device) for depth in streams}
    weights = [
        each for one in corrections.values() for each in (one.matrix.requires_grad_(), one.bias.requires_grad_())
    ]
    optimizer = torch.optim.Adam(weights, lr=RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        rows = torch.randint(len(final), (TOKENS,), generator=generator)
        optimizer.zero_grad()
        loss = _loss(model, corrections, {depth: x[rows] for depth, x in streams.items()}, final[rows])
        loss.backward()
        optimizer.step()
        schedule.step()
        report(step + 1)
    return {depth: Correction(one.matrix.detach(), one.bias.detach()) for depth, one in corrections.items()}


def _tokens(model: Transformer, texts: Sequence[Text]) -> dict[str, Tensor]:
    """The decoder's stream at each depth, of all target tokens of all texts, (tokens, d_model)."""
    parts: dict[str, list[Tensor]] = {}
    for batch in batches(texts):
        streams = read(model, batch)
        for depth, x in streams.decoder.items():
            parts.setdefault(depth, []).append(x[streams.target])
    return {depth: torch.cat(each) for depth, each in parts.items()}


def _loss(
    model: Transformer, corrections: Mapping[str, Correction], streams: Mapping[str, Tensor], final: Tensor
) -> Tensor:
    """The sum over the depths of the mean KL divergence, in nats."""
    target = log_probabilities(model, final).detach()
    losses = [divergences(target, log_probabilities(model, corrections[depth](x))) for depth, x in streams.items()]
    return torch.stack([each.mean() for each in losses]).sum()


def log_probabilities(model: Transformer, x: Tensor) -> Tensor:
    return model.predict(model.decoder_norm(x)).log_softmax(-1)


def divergences(target: Tensor, prediction: Tensor) -> Tensor:
    """KL(target ‖ prediction) of log-probabilities (…, V), in nats: (…)."""
    return (target.exp() * (target - prediction)).sum(-1)
