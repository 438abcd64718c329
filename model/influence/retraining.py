"""Training again without some of the training pairs, or with these spoiled, and what then becomes of a word.

N training pairs, B sentences, T tokens.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from corpora.pairs import Example
from model import masks
from model.checkpoint import checkpoints
from model.config import TransformerConfig
from model.decode.translate import Translation
from model.device import placed
from model.errors import InvalidInput
from model.influence.small_task import SmallTask, with_seed
from model.initial_weights import drawn_from
from model.trace import silent
from model.train import run_settings
from model.train.trainer import Trainer, Update, predicted
from model.transformer import Transformer

SEEDS = 3  # trainings of each change, so that what the start and the order of batches do can be seen
Weights = dict[str, np.ndarray]


@dataclass(frozen=True)
class Change:
    """What is done to training pairs, by their numbers: they are taken out, or spoiled.

    A spoiled pair gets the target of another one, the same whenever it is spoiled.
    """

    pairs: tuple[int, ...] = ()
    spoils: bool = False


class Asked(NamedTuple):
    """A word of an output: the ids of the source and of the whole target, and the row of the decoder that writes it."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    row: int

    @property
    def word(self) -> int:
        """The id of the word."""
        return self.target[self.row + 1]


def asked(run: Translation, row: int) -> Asked:
    """The question about the token that a row of a translation's pass wrote."""
    return Asked(tuple(run.source), (run.target[0], *run.ids), row)


def check(left: Sequence[object]) -> None:
    """Raise `InvalidInput` unless training pairs, or examples, are left to learn from."""
    if not left:
        raise InvalidInput("influence_no_pairs")


def changed(examples: Sequence[Example], change: Change) -> list[Example]:
    """The examples that are left to learn from, one at least: else it raises `InvalidInput`."""
    chosen, half = set(change.pairs), len(examples) // 2
    if change.spoils:
        left = [
            (source, examples[(number + half) % len(examples)][1] if number in chosen else target)
            for number, (source, target) in enumerate(examples)
        ]
    else:
        left = [example for number, example in enumerate(examples) if number not in chosen]
    check(left)
    return left


def trained(task: SmallTask, change: Change, seed: int) -> Weights:
    """The averaged weights at the end of a training with a change, from the start that the seed draws.

    The steps shrink with the data, so that what is left is seen as often as before.
    """
    run = trainer(task, change, seed)
    for _ in run.updates():
        pass
    return {name: value.detach().cpu().numpy() for name, value in run.average.named_parameters()}


class Stage(NamedTuple):
    """A training in the middle: what it goes on from, and the learning rates of its last steps, added up.

    Each rate is that of the step, times what is left of its gradient where that was too long.
    """

    state: dict[str, Any]
    rates: float


def stage(task: SmallTask, change: Change, seed: int, number: int, count: int, before: Stage | None) -> Stage:
    """The training after `number` of `count` equal parts, from `before`, where it was one part earlier."""
    run, rates = trainer(task, change, seed), 0.0
    if before is not None:
        run.resume(copy.deepcopy(before.state))  # steps change the optimizer's numbers in place
    end = round(run.settings.steps * number / count)
    if run.step < end:
        for update in run.updates():
            rates += _rate(run, update)
            if run.step == end:
                break
    return Stage(copy.deepcopy(run.state()), rates)


def weights_in(config: TransformerConfig, state: Mapping[str, Tensor]) -> Weights:
    """The weights of a model's state, each shared table once."""
    names = [name for name, _ in Transformer(config).named_parameters()]
    return {name: state[name].detach().cpu().numpy() for name in names}


def _rate(run: Trainer, update: Update) -> float:
    clip = run.settings.clip
    return update.learning_rate * (min(1.0, clip / update.gradient_norm) if clip and update.gradient_norm else 1.0)


def trainer(task: SmallTask, change: Change, seed: int) -> Trainer:
    """That training before its first step."""
    examples = changed(task.examples, change)
    settings = run_settings.training(with_seed(task.settings, seed))
    steps = max(1, round(settings.steps * _tokens(examples) / _tokens(task.examples)))
    with drawn_from(seed):
        model = placed(Transformer(task.config))
    return Trainer(model, replace(settings, steps=steps), lambda epoch: examples, ())


def _tokens(examples: Sequence[Example]) -> int:
    return sum(len(source) + len(target) for source, target in examples)


def model_of(config: TransformerConfig, weights: Weights) -> Transformer:
    """The model with these weights, in eval mode."""
    return checkpoints.with_weights(config, {name: torch.from_numpy(value) for name, value in weights.items()})


def log_probabilities(model: Transformer, words: Sequence[Asked]) -> np.ndarray:
    """log p of each word behind the words before it, in nats, (words)."""
    sentences = list(dict.fromkeys(word[:2] for word in words))
    source, target = (masks.padded([sentence[side] for sentence in sentences])[0] for side in (0, 1))
    with torch.inference_mode():
        logits, expected = predicted(model, source, target, silent)
        found = logits.log_softmax(dim=-1).gather(-1, expected[..., None])[..., 0].cpu().numpy()  # (B, T)
    place = {sentence: number for number, sentence in enumerate(sentences)}
    return np.array([found[place[word[:2]], word.row] for word in words], dtype=np.float64)
