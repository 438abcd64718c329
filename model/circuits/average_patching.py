"""Activation patching over many sentences: how much of an answer each part carries from one sentence to another.

One token of a sentence is exchanged, so that the model would write b in place of a. Then one activation of the changed
sentence is put into the pass over the original one. The measure is the logit difference a − b; its share of the way to
that of the changed sentence is 0 if the part carries nothing and 1 if it carries all. Shares need not sum to 1.

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
from model.circuits.ablation import AT_ONCE, parts, rows_written
from model.config import TransformerConfig
from model.decode.translate import Translation
from model.edit.change_edits import source_ids, source_side
from model.edit.edit_effects import written
from model.edit.recorded_names import residual
from model.intervals import Estimate, normal
from model.tokenization.tokenizer import SPECIALS
from model.trace import Recorder, Tap, silent

TRIES = 16  # exchanged tokens that are tried with a sentence, until one changes what is written
LEAST = 1.0  # by which the logit difference must change; a share of less is mostly noise
Role = Literal["all", "changed", "writing", "others"]
INPUT = "input"


@dataclass(frozen=True)
class Place:
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


def places(config: TransformerConfig) -> list[Place]:
    """Heads and feed-forwards, then the residual stream of each layer by the role of the row."""
    result = [Place(part.name, part.value, part.head, "all") for part in parts(config)]
    for side, layers in (("encoder", config.encoder_layers), ("decoder", config.decoder_layers)):
        roles = roles_of(config, side)
        for at in (INPUT, *range(layers)) if layers else ():
            result += [Place(f"{side}.{at}.{role}", residual(side, at), None, role) for role in roles]  # type: ignore[arg-type]
    return result


def roles_of(config: TransformerConfig, side: str) -> list[Role]:
    """The rows of a side: of the exchanged token where it reads the sentence, of the answer where it writes."""
    reads = side == ("decoder" if config.architecture == "decoder" else "encoder")
    writes = side == ("encoder" if config.architecture == "encoder" else "decoder")
    roles: dict[Role, bool] = {"changed": reads, "writing": writes, "others": True}
    return [role for role, has in roles.items() if has]


@dataclass(frozen=True, eq=False)
class Exchange:
    """A sentence, what a pass over it has with one token exchanged, and the answers to both.

    place, row      of the exchanged token, in what is read; of the answer, among the rows of the logits
    answer, other   the token that is written, and the one that would be
    clean, changed  the logit difference of the two tokens, in either pass
    read            the ids with the token exchanged, of the side that reads the sentence
    """

    run: Translation
    values: Mapping[str, np.ndarray]
    place: int
    row: int
    answer: int
    other: int
    clean: float
    changed: float
    read: tuple[int, ...] = ()


def exchange(checkpoint: Checkpoint, runs: Sequence[Translation], number: int) -> Exchange | None:
    """The sentence `number` with a token that stands in the same place of another; None if none changes the answer."""
    run = runs[number]
    ids = source_ids(checkpoint, run)
    candidates = _candidates(checkpoint, runs, number)
    if not candidates:
        return None
    read = torch.tensor([[*ids]]).repeat(len(candidates), 1)
    for each, (place, id_) in enumerate(candidates):
        read[each, place] = id_
    logits = _logits(checkpoint, run, read).numpy()  # (B, T, V)
    rows, own = rows_written(checkpoint, run), written(run)
    before = run.trace.values["logits"]
    same_side = source_side(checkpoint) == ("decoder" if run.target else "encoder")
    for each, (place, _) in enumerate(candidates):
        row = next((row for row in rows if logits[each, row].argmax() != own[row]), None)
        if row is None or (same_side and row == place):
            continue
        answer, other = int(own[row]), int(logits[each, row].argmax())
        clean, corrupt = (float(of[row, answer] - of[row, other]) for of in (before, logits[each]))
        if clean - corrupt >= LEAST:
            recorder = Recorder()
            _logits(checkpoint, run, read[each : each + 1], recorder)
            ids_read = tuple(read[each].tolist())
            return Exchange(run, recorder.values, place, row, answer, other, clean, corrupt, ids_read)
    return None


def _candidates(checkpoint: Checkpoint, runs: Sequence[Translation], number: int) -> list[tuple[int, int]]:
    """Places of the sentence and the tokens that others have there, in random order, always the same."""
    tokenizer = checkpoint.tokenizer
    specials = {*range(len(SPECIALS)), *tokenizer.before, *tokenizer.after, tokenizer.mask_id}
    ids = source_ids(checkpoint, runs[number])
    others = [source_ids(checkpoint, run) for at, run in enumerate(runs) if at != number]
    choices = {
        (place, new)
        for other in others
        for place, (old, new) in enumerate(zip(ids, other, strict=False))
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


def carried(checkpoint: Checkpoint, swap: Exchange, where: Sequence[Place]) -> list[float]:
    """The share of the answer that each place carries over."""
    chunks = [where[start : start + AT_ONCE] for start in range(0, len(where), AT_ONCE)]
    return [share for chunk in chunks for share in _carried(checkpoint, swap, chunk)]


def _carried(checkpoint: Checkpoint, swap: Exchange, where: Sequence[Place]) -> list[float]:
    run = swap.run

    def tap(name: str, value: Tensor) -> Tensor:
        here = [(at, place) for at, place in enumerate(where) if place.value == name]
        if not here:
            return value
        value, new = value.clone(), torch.from_numpy(np.ascontiguousarray(swap.values[name])).to(value.device)
        for at, place in here:
            rows = _rows(checkpoint, swap, place, new.size(-2))
            if place.head is None:
                value[at, rows] = new[rows]
            else:
                value[at, place.head, rows] = new[place.head, rows]
        return value

    read = torch.tensor([source_ids(checkpoint, run)]).repeat(len(where), 1)
    row = _logits(checkpoint, run, read, tap)[:, swap.row]  # (B, V)
    difference = row[:, swap.answer] - row[:, swap.other]
    shares: list[float] = ((swap.clean - difference) / (swap.clean - swap.changed)).tolist()
    return shares


def _rows(checkpoint: Checkpoint, swap: Exchange, place: Place, count: int) -> list[int]:
    """The rows that a place means, of `count`."""
    reads = place.side == source_side(checkpoint)
    writes = place.side == ("decoder" if swap.run.target else "encoder")
    rows_of_role = {"changed": [swap.place] if reads else [], "writing": [swap.row] if writes else []}
    own_rows = {row for rows in rows_of_role.values() for row in rows}
    others = [row for row in range(count) if row not in own_rows]
    return (rows_of_role | {"others": others, "all": list(range(count))})[place.role]


def patched(
    checkpoint: Checkpoint, runs: Sequence[Translation], report: Callable[[int], None] = lambda count: None
) -> tuple[int, dict[str, Estimate]]:
    """How many sentences could be used, and the mean share of each place by its name; `report` is told the progress."""
    where = places(checkpoint.model.config)
    shares: list[list[float]] = []
    for number in range(len(runs)):
        swap = exchange(checkpoint, runs, number)
        if swap is not None:
            shares.append(carried(checkpoint, swap, where))
        report(number + 1)
    columns = zip(*shares, strict=True) if shares else ()
    return len(shares), {place.name: normal(values) for place, values in zip(where, columns, strict=False)}
