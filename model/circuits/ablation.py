"""Effect of removing parts of the model, over many sentences: heads, feed-forward networks, pairs, in three ways.

N sentences, H heads, T rows, D numbers of a head. An effect is the change of the log-probability of the tokens that
the model writes, in nats, the mean over the tokens of a sentence: below 0 the part is needed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from model.analysis import predictions
from model.checkpoint.checkpoints import Checkpoint
from model.config import TransformerConfig
from model.decode.translate import Translation
from model.edit.edit_effects import first_step, generated
from model.intervals import Estimate, normal
from model.trace import AttentionKind, path

Way = Literal["zero", "mean", "resample"]
WAYS: tuple[Way, ...] = ("zero", "mean", "resample")
AT_ONCE = 16  # sets of parts whose removal is computed in one batch
STRONGEST = 5  # heads whose pairs are looked at


@dataclass(frozen=True, order=True)
class Part:
    """A head, or a feed-forward network (kind is its side and head None)."""

    kind: AttentionKind
    layer: int
    head: int | None = None

    @property
    def value(self) -> str:
        """The recorded name of what is replaced."""
        if self.head is None:
            return f"{self.kind}.{self.layer}.feed_forward.output"
        return f"{path(self.kind, self.layer)}.head_outputs"

    @property
    def name(self) -> str:
        """As a file spells it: `cross.1.0`, `decoder.1.feed_forward`."""
        return f"{self.kind}.{self.layer}.{'feed_forward' if self.head is None else self.head}"


def parts(config: TransformerConfig) -> list[Part]:
    """Every head and every feed-forward network, in the order of the pass."""
    result: list[Part] = []
    sides: tuple[tuple[AttentionKind, int], ...] = (
        ("encoder", config.encoder_layers),
        ("decoder", config.decoder_layers),
    )
    for side, layers in sides:
        for layer in range(layers):
            kinds: list[AttentionKind] = [side]
            if side == "decoder" and config.architecture == "encoder-decoder":
                kinds.append("cross")
            result += [Part(kind, layer, head) for kind in kinds for head in range(config.heads)]
            result.append(Part(side, layer))
    return result


Ablated = tuple[Part, ...]  # what is removed together


def name_of(parts: Ablated) -> str:
    """As a file spells it: `cross.1.0`, or of a pair `cross.1.0+cross.2.1`."""
    return "+".join(part.name for part in parts)


def singles(config: TransformerConfig) -> list[Ablated]:
    """Each part by itself."""
    return [(part,) for part in parts(config)]


def pairs(effects: Mapping[Ablated, Effect], count: int = STRONGEST) -> list[Ablated]:
    """Every two of the heads that are needed most, by the effects of removing each alone."""
    heads = [each for each in effects if len(each) == 1 and each[0].head is not None]
    strongest = sorted(heads, key=lambda each: effects[each].mean)[:count]
    return [a + b for a, b in itertools.combinations(sorted(strongest), 2)]


Effect = Estimate  # the mean effect over sentences


def summed(effects: Sequence[float]) -> Effect:
    """Mean and interval of the effects on N sentences."""
    return normal(effects)


def of_sentence(
    checkpoint: Checkpoint, runs: Sequence[Translation], number: int, way: Way, ablations: Sequence[Ablated]
) -> list[float]:
    """The effect of each removal on the sentence `number` of several.

    zero      a part writes nothing
    mean      it writes the mean of what it wrote in all places of all sentences
    resample  it writes what it wrote in the next sentence, row by row, again from the start if that is shorter
    """
    run, other = runs[number], runs[(number + 1) % len(runs)]
    new: dict[str, Tensor] = {}
    for name in {part.value for each in ablations for part in each}:
        value = run.trace.values[name]
        if way == "zero":
            replacement = np.zeros_like(value)
        elif way == "mean":
            replacement = np.broadcast_to(_mean(runs, name), value.shape)
        else:
            replacement = _drawn(run, other, name)
        new[name] = torch.from_numpy(np.ascontiguousarray(replacement)).to(checkpoint.model.device)
    chunks = [ablations[start : start + AT_ONCE] for start in range(0, len(ablations), AT_ONCE)]
    return [effect for chunk in chunks for effect in _effects(checkpoint, run, chunk, new)]


def ablated(
    checkpoint: Checkpoint,
    runs: Sequence[Translation],
    way: Way,
    ablations: Sequence[Ablated],
    report: Callable[[int], None] = lambda count: None,
) -> dict[Ablated, Effect]:
    """The effect of each removal over the sentences; `report` is told how many are done."""
    effects: list[list[float]] = []
    for number in range(len(runs)):
        effects.append(of_sentence(checkpoint, runs, number, way, ablations))
        report(number + 1)
    return {each: summed(values) for each, values in zip(ablations, zip(*effects, strict=True), strict=True)}


def _mean(runs: Sequence[Translation], name: str) -> np.ndarray:
    """(H, 1, D) of heads, (1, d_model) of a feed-forward."""
    every = np.concatenate([run.trace.values[name] for run in runs], axis=-2)
    mean: np.ndarray = every.mean(axis=-2, keepdims=True)
    return mean


def _drawn(run: Translation, other: Translation, name: str) -> np.ndarray:
    """A value of the other sentence in the shape of this one's: (H, T, D) or (T, d_model)."""
    donor = other.trace.values[name]
    rows = np.arange(run.trace.values[name].shape[-2]) % donor.shape[-2]
    result: np.ndarray = donor[..., rows, :]
    return result


def _effects(
    checkpoint: Checkpoint, run: Translation, ablations: Sequence[Ablated], new: Mapping[str, Tensor]
) -> list[float]:
    """The effect of each removal, in one batch; `new` has what stands in place of each value."""

    def tap(name: str, value: Tensor) -> Tensor:
        if name not in new:
            return value
        value = value.clone()
        for row, part in ((row, part) for row, each in enumerate(ablations) for part in each if part.value == name):
            if part.head is None:
                value[row] = new[name]
            else:
                value[row, part.head] = new[name][part.head]
        return value

    def batch(ids: tuple[int, ...]) -> Tensor | None:
        return torch.tensor([ids]).expand(len(ablations), -1) if ids else None

    with torch.inference_mode():
        logits = checkpoint.model(batch(run.source), batch(run.target), tap=tap)  # (B, T, V)
        rows = rows_generated(checkpoint, run)
        ids = torch.from_numpy(generated(run))[rows].expand(len(ablations), -1)
        after = logits[:, rows].log_softmax(dim=-1).gather(-1, ids[..., None])[..., 0]  # (B, rows)
    before = predictions.log_probabilities(run.trace, generated(run))[rows]
    means: list[float] = (after.double().numpy() - before).mean(axis=1).tolist()
    return means


def rows_generated(checkpoint: Checkpoint, run: Translation) -> list[int]:
    """The rows of what the model wrote; of an encoder alone those of the hidden words, or all."""
    if run.target:
        return list(range(first_step(checkpoint, run), len(run.target)))
    rows = [row for row, id_ in enumerate(run.source) if id_ == checkpoint.tokenizer.mask_id]
    return rows or list(range(len(run.source)))
