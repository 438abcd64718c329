"""Training as a generator of reports; it knows neither a page, nor a process, nor a file.

Adam with warm-up and a cosine decay, label smoothing (section 5.4), length-bucketed batches, and a
running average of the weights, which is what is evaluated and kept.
"""

import copy
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model.decoding import pad
from model.tokenizer import PAD
from model.transformer import Transformer

Example = tuple[Sequence[int], Sequence[int]]  # source ids and target ids, each from <bos> to <eos>


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """How to train. `tokens_per_batch` counts source and target tokens, padding included."""

    steps: int
    learning_rate: float
    warmup: int
    tokens_per_batch: int = 3000
    label_smoothing: float = 0.1
    average: float = 0.999  # decay of the running average of the weights
    report_every: int = 50
    seed: int = 0


@dataclass(frozen=True)
class Report:
    """What happened since the last report. Loss in nats per target token."""

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
    ):
        """`examples(epoch)` gives the training examples of an epoch, so that they may differ each time."""
        self.model = model
        self.settings = settings
        self.examples = examples
        self.validation = list(_batches(validation, settings.tokens_per_batch, random.Random(0)))
        self.average = copy.deepcopy(model).eval()
        self.optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
        self.step = 0
        self.epoch = 0
        self.position = 0  # batches of this epoch already used

    def reports(self) -> Iterator[Report]:
        """Train to the end, one report every `report_every` steps."""
        started, losses, norm = time.monotonic(), [], 0.0
        self.model.train()
        while self.step < self.settings.steps:
            order = random.Random(f"{self.settings.seed}/{self.epoch}")
            batches = list(_batches(self.examples(self.epoch), self.settings.tokens_per_batch, order))
            for source, target in batches[self.position :]:
                loss, norm = self._update(source, target)
                losses.append(loss)
                if self.step % self.settings.report_every == 0 or self.step == self.settings.steps:
                    yield Report(
                        self.step,
                        self.settings.steps,
                        sum(losses) / len(losses),
                        self.evaluate(),
                        self._learning_rate(),
                        norm,
                        time.monotonic() - started,
                    )
                    losses = []
                if self.step == self.settings.steps:
                    return
            self.epoch += 1
            self.position = 0

    def evaluate(self) -> float:
        """Loss of the averaged weights on the validation examples, without smoothing or dropout."""
        total, count = 0.0, 0
        with torch.inference_mode():
            for source, target in self.validation:
                logits = self.average(source, target[:, :-1], source != PAD)
                expected = target[:, 1:]
                total += float(_cross_entropy(logits, expected, 0.0, "sum"))
                count += int((expected != PAD).sum())
        return total / count

    def state(self) -> dict[str, object]:
        """Everything a later run needs to go on as if it had not stopped."""
        return {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "progress": [self.step, self.epoch, self.position],
        }

    def resume(self, state: dict) -> None:
        """Go on from what `state()` gave."""
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.step, self.epoch, self.position = state["progress"]

    def _update(self, source: Tensor, target: Tensor) -> tuple[float, float]:
        for group in self.optimizer.param_groups:
            group["lr"] = self._learning_rate()
        logits = self.model(source, target[:, :-1], source != PAD)
        loss = _cross_entropy(logits, target[:, 1:], self.settings.label_smoothing, "mean")
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        self.position += 1
        # early on the average follows closely, so that it does not remember the random start
        decay = min(self.settings.average, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for kept, new in zip(self.average.parameters(), self.model.parameters(), strict=True):
                kept.lerp_(new, 1 - decay)
        return loss.item(), norm.item()

    def _learning_rate(self) -> float:
        settings, step = self.settings, self.step + 1
        if step < settings.warmup:
            return settings.learning_rate * step / settings.warmup
        done = (step - settings.warmup) / max(1, settings.steps - settings.warmup)
        return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))


def _cross_entropy(logits: Tensor, expected: Tensor, smoothing: float, reduction: str) -> Tensor:
    return nn.functional.cross_entropy(
        logits.flatten(0, 1), expected.flatten(), ignore_index=PAD, label_smoothing=smoothing, reduction=reduction
    )


def _batches(examples: Sequence[Example], tokens: int, rng: random.Random) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of like length in random order: (B, S) and (B, T) ids, padding little."""
    shuffled = list(examples)
    rng.shuffle(shuffled)
    shuffled.sort(key=lambda example: (len(example[0]), len(example[1])))
    groups: list[list[Example]] = []
    longest = 0
    for example in shuffled:
        longest = max(longest, len(example[0]) + len(example[1]))
        if not groups or longest * (len(groups[-1]) + 1) > tokens:
            groups.append([])
            longest = len(example[0]) + len(example[1])
        groups[-1].append(example)
    rng.shuffle(groups)
    for group in groups:
        yield pad([source for source, _ in group])[0], pad([target for _, target in group])[0]
