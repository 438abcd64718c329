"""Activation patching over many sentences: how much of an answer each part carries from one sentence to another.

One token of a sentence is corrupted (replaced), so that the model would write b in place of a. Then one activation of
the corrupted sentence is put into the pass over the clean one. The measure is the logit difference a − b; its share of
the way to that of the corrupted sentence is 0 if the part carries nothing and 1 if it carries all. Shares need not sum
to 1.

B passes at once, H heads, T rows, D numbers of a head, V tokens.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from model.checkpoint.checkpoints import Checkpoint
from model.circuits.ablation import AT_ONCE, parts, rows_generated
from model.config import TransformerConfig
from model.decode.translate import Translation
from model.edit.change_edits import source_ids, source_side
from model.edit.edit_effects import generated
from model.edit.recorded_names import residual
from model.intervals import Estimate, normal
from model.tokenization.tokenizer import SPECIALS
from model.trace import Recorder, Tap, silent

TRIES = 16  # corrupted tokens that are tried with a sentence, until one changes what is written
LEAST = 1.0  # by which the logit difference must change; a share of less is mostly noise
Role = Literal["all", "changed", "writing", "others"]
INPUT = "input"


@dataclass(frozen=True)
class Activation:
    """Value that is carried over: a head or a feed-forward in all rows, or the residual stream in some.

    `name` is as a file spells it: `cross.1.0`, `decoder.1.feed_forward`, `encoder.input.changed`, `decoder.1.writing`.
    """

    name: str
    value: str  # recorded
    head: int | None
    role: Role

    @property
    def side(self) -> str:
        """Side whose rows are meant; those of cross-attention are the decoder's."""
        side = self.value.partition(".")[0]
        return "decoder" if side == "cross" else side


def activations(config: TransformerConfig) -> list[Activation]:
    """Heads and feed-forwards, then the residual stream of each layer by the role of the row."""
    result = [Activation(part.name, part.value, part.head, "all") for part in parts(config)]
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        roles = roles_of(config, side)
        for at in (INPUT, *range(layers)) if layers else ():
            result += [Activation(f"{side}.{at}.{role}", residual(side, at), None, role) for role in roles]  # type: ignore[arg-type]
    return result


def roles_of(config: TransformerConfig, side: str) -> list[Role]:
    """The rows of a side: of the corrupted token where it reads the sentence, of the answer where it writes."""
    reads = side == ("decoder" if config.architecture == "decoder" else "encoder")
    writes = side == ("encoder" if config.architecture == "encoder" else "decoder")
    roles: dict[Role, bool] = {"changed": reads, "writing": writes, "others": True}
    return [role for role, has in roles.items() if has]


@dataclass(frozen=True, eq=False)
class Corruption:
    """A sentence, what a pass over it has with one token corrupted, and the answers to both.

    position, row   of the corrupted token, in what is read; of the answer, among the rows of the logits
    answer, other   the token that is written, and the one that would be
    clean, corrupted  the logit difference of the two tokens, in either pass
    read            the ids with the token corrupted, of the side that reads the sentence
    """

    run: Translation
    values: Mapping[str, np.ndarray]
    position: int
    row: int
    answer: int
    other: int
    clean: float
    corrupted: float
    read: tuple[int, ...] = ()


def corrupted(checkpoint: Checkpoint, runs: Sequence[Translation], number: int) -> Corruption | None:
    """The sentence `number` with a token that stands in the same place of another; None if none changes the answer."""
    run = runs[number]
    ids = source_ids(checkpoint, run)
    candidates = _candidates(checkpoint, runs, number)
    if not candidates:
        return None
    read = torch.tensor([[*ids]]).repeat(len(candidates), 1)
    for each, (position, id_) in enumerate(candidates):
        read[each, position] = id_
    logits = _logits(checkpoint, run, read).numpy()  # (B, T, V)
    rows, own = rows_generated(checkpoint, run), generated(run)
    before = run.trace.values["logits"]
    same_side = source_side(checkpoint) == ("decoder" if run.target else "encoder")
    for each, (position, _) in enumerate(candidates):
        row = next((row for row in rows if logits[each, row].argmax() != own[row]), None)
        if row is None or (same_side and row == position):
            continue
        answer, other = int(own[row]), int(logits[each, row].argmax())
        clean, corrupt = (float(of[row, answer] - of[row, other]) for of in (before, logits[each]))
        if clean - corrupt >= LEAST:
            recorder = Recorder()
            _logits(checkpoint, run, read[each : each + 1], recorder)
            ids_read = tuple(read[each].tolist())
            return Corruption(run, recorder.values, position, row, answer, other, clean, corrupt, ids_read)
    return None


def _candidates(checkpoint: Checkpoint, runs: Sequence[Translation], number: int) -> list[tuple[int, int]]:
    """Places of the sentence and the tokens that others have there, in random order, always the same."""
    tokenizer = checkpoint.tokenizer
    specials = {*range(len(SPECIALS)), *tokenizer.before, *tokenizer.after, tokenizer.mask_id}
    ids = source_ids(checkpoint, runs[number])
    others = [source_ids(checkpoint, run) for at, run in enumerate(runs) if at != number]
    choices = {
        (position, new)
        for other in others
        for position, (old, new) in enumerate(zip(ids, other, strict=False))
        if old != new and not {old, new} & specials
    }
    return random.Random(number).sample(sorted(choices), min(TRIES, len(choices)))


def _logits(checkpoint: Checkpoint, run: Translation, read: Tensor, tap: Tap = silent) -> Tensor:
    """(B, T, V) of passes in which `read` (B, S) stands for the sentence, over the output of the run."""
    target = torch.tensor([run.target]).repeat(len(read), 1) if run.target else None
    source: Tensor | None = read
    if checkpoint.model.config.architecture == "decoder" and target is not None:
        target[:, : read.size(1)], source = read, None
    with torch.inference_mode():
        logits: Tensor = checkpoint.model(source, target, tap=tap)
    return logits


def carried(checkpoint: Checkpoint, corruption: Corruption, where: Sequence[Activation]) -> list[float]:
    """The share of the answer that each place carries over."""
    chunks = [where[start : start + AT_ONCE] for start in range(0, len(where), AT_ONCE)]
    return [share for chunk in chunks for share in _carried(checkpoint, corruption, chunk)]


def _carried(checkpoint: Checkpoint, corruption: Corruption, where: Sequence[Activation]) -> list[float]:
    run = corruption.run

    def tap(name: str, value: Tensor) -> Tensor:
        here = [(at, activation) for at, activation in enumerate(where) if activation.value == name]
        if not here:
            return value
        value, new = value.clone(), torch.from_numpy(np.ascontiguousarray(corruption.values[name])).to(value.device)
        for at, activation in here:
            rows = _rows(checkpoint, corruption, activation, new.size(-2))
            if activation.head is None:
                value[at, rows] = new[rows]
            else:
                value[at, activation.head, rows] = new[activation.head, rows]
        return value

    read = torch.tensor([source_ids(checkpoint, run)]).repeat(len(where), 1)
    row = _logits(checkpoint, run, read, tap)[:, corruption.row]  # (B, V)
    difference = row[:, corruption.answer] - row[:, corruption.other]
    shares: list[float] = ((corruption.clean - difference) / (corruption.clean - corruption.corrupted)).tolist()
    return shares


def _rows(checkpoint: Checkpoint, corruption: Corruption, activation: Activation, count: int) -> list[int]:
    """The rows that a place means, of `count`."""
    reads = activation.side == source_side(checkpoint)
    writes = activation.side == ("decoder" if corruption.run.target else "encoder")
    rows_of_role = {"changed": [corruption.position] if reads else [], "writing": [corruption.row] if writes else []}
    own_rows = {row for rows in rows_of_role.values() for row in rows}
    others = [row for row in range(count) if row not in own_rows]
    return (rows_of_role | {"others": others, "all": list(range(count))})[activation.role]


def patched(
    checkpoint: Checkpoint, runs: Sequence[Translation], report: Callable[[int], None] = lambda count: None
) -> tuple[int, dict[str, Estimate]]:
    """How many sentences could be used, and the mean share of each place by its name; `report` is told the progress."""
    where = activations(checkpoint.model.config)
    shares: list[list[float]] = []
    for number in range(len(runs)):
        corruption = corrupted(checkpoint, runs, number)
        if corruption is not None:
            shares.append(carried(checkpoint, corruption, where))
        report(number + 1)
    columns = zip(*shares, strict=True) if shares else ()
    return len(shares), {activation.name: normal(values) for activation, values in zip(where, columns, strict=False)}
