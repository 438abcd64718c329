"""Training as a generator of reports, independent of page, process and files.

Adam with warm-up and a cosine decay (or the paper's schedule, or none), label smoothing (section 5.4),
length-bucketed batches, and a running average of the weights, which is evaluated and saved.
"""

import copy
import itertools
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from corpora.pairs import Example
from model import masks
from model.edit.edited_pass import EditedPass
from model.errors import InvalidInput
from model.tokenization.tokenizer import PAD
from model.trace import Tap, silent
from model.transformer import Transformer

Schedule = Literal["cosine", "paper", "constant"]


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How to train. `tokens_per_batch` counts source and target tokens, padding included.

    `schedule` says what follows the warm-up: a half cosine down to 0, the inverse square root of the step
    (the paper's, section 5.3), or the same rate on and on. Steps where the gradient is longer than `clip` are
    shortened to it; 0 leaves them. Sources whose lengths are in one `bucket` share batches: a wide one pads
    more, but its batches are less alike. With `bfloat16`, a pass computes in it (torch's autocast) on x86 processors
    that have instructions for that, in half of the time; weights, gradients and the average stay in single precision.
    """

    steps: int
    learning_rate: float
    warmup: int
    tokens_per_batch: int = 3000
    label_smoothing: float = 0.1
    average: float = 0.999  # decay of the running average of the weights
    report_every: int = 50
    seed: int = 0
    schedule: Schedule = "cosine"
    betas: tuple[float, float] = (0.9, 0.98)  # of Adam, section 5.3
    eps: float = 1e-9
    clip: float = 1.0
    bucket: int = 1
    weight_decay: float = 0.0  # of every weight, in each step, times the learning rate (AdamW)
    bfloat16: bool = False
    given: int = 0  # tokens at the start of a text that a decoder alone need not learn to write, `<bos>` among them


@dataclass(frozen=True)
class Update:
    """One step: loss in nats per target token, the rate it was made with, the gradient's length before clipping."""

    loss: float
    learning_rate: float
    gradient_norm: float


@dataclass(frozen=True)
class Report:
    """Progress since the last report. Loss in nats per target token."""

    step: int
    steps: int
    loss: float
    validation_loss: float
    learning_rate: float
    gradient_norm: float
    seconds: float


class Trainer:
    """A training run that can be stopped after any report and resumed from `state()`."""

    def __init__(
        self,
        model: Transformer,
        settings: TrainingSettings,
        examples: Callable[[int], list[Example]],
        validation: Sequence[Example],
        *,
        tap: Tap = silent,
    ):
        """`examples(epoch)` gives the training examples of an epoch, so that they may differ each time.

        `tap` acts in every pass, also in those that validate: a model under edits learns with them. The model's
        parameters become views of one vector, and their gradients of another, which must not be taken away.
        """
        self.model = model
        self.settings = settings
        self.examples = examples
        self.validation = list(_batches(validation, settings.tokens_per_batch, random.Random(0), settings.bucket))
        self.average = copy.deepcopy(model).eval()
        self._weights, self._averages = _joined(model), _joined(self.average)
        self._weights.grad = torch.zeros_like(self._weights)
        for parameter, part in _parts(model, self._weights.grad):
            parameter.grad = part
        self.tap = tap
        self.average_tap = tap.on(self.average) if isinstance(tap, EditedPass) else tap
        self.optimizer = torch.optim.AdamW(
            [self._weights], betas=settings.betas, eps=settings.eps, weight_decay=settings.weight_decay, fused=True
        )
        self._bfloat16 = settings.bfloat16 and bool(torch.cpu.get_capabilities().get("avx512_bf16"))
        self.step = 0
        self.epoch = 0
        self.position = 0  # batches of this epoch already used

    def reports(self) -> Iterator[Report]:
        """Train to the end, one report every `report_every` steps."""
        start, losses = time.monotonic(), []
        for update in self.updates():
            losses.append(update.loss)
            if self.step % self.settings.report_every == 0 or self.step == self.settings.steps:
                yield Report(
                    self.step,
                    self.settings.steps,
                    sum(losses) / len(losses),
                    self.evaluate(),
                    self._learning_rate(),
                    update.gradient_norm,
                    time.monotonic() - start,
                )
                losses = []

    def updates(self) -> Iterator[Update]:
        """Train to the end, step by step."""
        self.model.train()
        while self.step < self.settings.steps:
            order = random.Random(f"{self.settings.seed}/{self.epoch}")
            batches = _batches(self.examples(self.epoch), self.settings.tokens_per_batch, order, self.settings.bucket)
            for source, target in itertools.islice(batches, self.position, None):
                yield self._update(source, target)
                if self.step == self.settings.steps:
                    return
            self.epoch += 1
            self.position = 0

    def evaluate(self) -> float:
        """Loss of the averaged weights on the validation examples, without smoothing or dropout."""
        return self.measure()[0]

    def measure(self) -> tuple[float, float]:
        """The loss of `evaluate`, and the share of tokens predicted right with teacher forcing."""
        total, right, count = 0.0, 0, 0
        with torch.inference_mode():
            for source, target in self.validation:
                logits, expected = predicted(self.average, source, target, self.average_tap, self.settings.given)
                total += float(cross_entropy(logits, expected, 0.0, "sum"))
                mask = masks.real(expected)
                right += int((logits.argmax(dim=-1) == expected)[mask].sum())
                count += int(mask.sum())
        return total / count, right / count

    def state(self) -> dict[str, object]:
        """Everything that is needed to resume the training exactly."""
        return {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "progress": [self.step, self.epoch, self.position],
        }

    def resume(self, state: dict) -> None:
        """Resume from a `state()`. Raises `InvalidInput` if another version made it."""
        try:
            self.optimizer.load_state_dict(state["optimizer"])
        except ValueError as error:  # it has other groups of parameters
            raise InvalidInput("run_version") from error
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        torch.set_rng_state(state["random"])
        self.step, self.epoch, self.position = state["progress"]

    def _update(self, source: Tensor, target: Tensor) -> Update:
        rate = self._learning_rate()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast("cpu", torch.bfloat16, enabled=self._bfloat16):
            logits, expected = predicted(self.model, source, target, self.tap, self.settings.given)
        loss = cross_entropy(logits.float(), expected, self.settings.label_smoothing, "mean")
        self.optimizer.zero_grad(set_to_none=False)  # the parameters' gradients are its parts
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self._weights, self.settings.clip or math.inf)
        self.optimizer.step()
        self.step += 1
        self.position += 1
        with torch.no_grad():
            self._averages.lerp_(self._weights, 1 - decay(self.settings, self.step))
        return Update(loss.item(), rate, norm.item())

    def _learning_rate(self) -> float:
        return learning_rate(self.settings, self.step + 1)


def learning_rate(settings: TrainingSettings, step: int) -> float:
    """The rate of a step, counted from 1."""
    if step < settings.warmup:
        return settings.learning_rate * step / settings.warmup
    if settings.schedule == "constant":
        return settings.learning_rate
    if settings.schedule == "paper":  # equation 3, its constant such that the top is `learning_rate`
        return settings.learning_rate * math.sqrt(max(1, settings.warmup) / step)
    share = (step - settings.warmup) / max(1, settings.steps - settings.warmup)
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * min(1.0, share)))


def decay(settings: TrainingSettings, step: int) -> float:
    """The decay of the average in a step, counted from 1.

    Early on the average follows closely, so that it does not remember the random start.
    """
    return min(settings.average, (1 + step) / (10 + step))


def _joined(model: Transformer) -> nn.Parameter:
    """Join all parameters into one vector and make them views of it, so that an update is one operation, not sixty."""
    whole = nn.Parameter(nn.utils.parameters_to_vector(model.parameters()).detach())
    for parameter, part in _parts(model, whole.data):
        parameter.data = part
    return whole


def _parts(model: Transformer, whole: Tensor) -> list[tuple[nn.Parameter, Tensor]]:
    """Each parameter with its part of the joined vector, in the parameter's shape."""
    parameters = list(model.parameters())
    parts = whole.split([parameter.numel() for parameter in parameters])
    return [(parameter, part.view_as(parameter)) for parameter, part in zip(parameters, parts, strict=True)]


def predicted(model: Transformer, source: Tensor, target: Tensor, tap: Tap, given: int = 0) -> tuple[Tensor, Tensor]:
    """Logits (B, T, V), and the expected tokens (B, T), `<pad>` where none is, both where the model is.

    given   as in `TrainingSettings`
    """
    source, target = source.to(model.device), target.to(model.device)
    if model.config.architecture == "encoder":
        return model(source, None, masks.real(source), tap), target
    if model.config.architecture == "decoder":
        expected = target[:, 1:]
        if given > 1:
            expected = expected.clone()
            expected[:, : given - 1] = PAD
        return model(None, target[:, :-1], None, tap), expected
    return model(source, target[:, :-1], masks.real(source), tap), target[:, 1:]


def cross_entropy(logits: Tensor, expected: Tensor, smoothing: float, reduction: str) -> Tensor:
    """The loss of logits (B, T, V) in nats per expected token (B, T), those that are `<pad>` left out (section 5.4)."""
    return nn.functional.cross_entropy(
        logits.flatten(0, 1), expected.flatten(), ignore_index=PAD, label_smoothing=smoothing, reduction=reduction
    )


def _batches(
    examples: Sequence[Example], tokens: int, rng: random.Random, bucket: int = 1
) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of examples of similar length, in random order: ids (B, S) and (B, T)."""
    order = list(examples)
    rng.shuffle(order)
    order.sort(key=lambda example: (len(example[0]) // bucket, len(example[1]) // bucket))
    groups: list[list[Example]] = []
    longest = 0
    for example in order:
        longest = max(longest, len(example[0]) + len(example[1]))
        if not groups or longest * (len(groups[-1]) + 1) > tokens:
            groups.append([])
            longest = len(example[0]) + len(example[1])
        groups[-1].append(example)
    rng.shuffle(groups)
    for group in groups:
        yield masks.padded([source for source, _ in group])[0], masks.padded([target for _, target in group])[0]
