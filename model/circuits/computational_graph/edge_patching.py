"""Real edge patching: the model runs with one edge replaced, all others as they were.

The reader at the end of the edge is handed the stream in which one writer has written what it wrote in the corrupted
sentence. What others make of that reader follows. B passes at once, T rows, V tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.circuits.computational_graph.edges import Edge, Reader, Values, Writer, made, stream, written
from model.circuits.patching_effects import Corruption
from model.decode.recorded_pass import recorded
from model.transformer import Transformer

AT_ONCE = 64  # edges in a batch


@dataclass(frozen=True, eq=False)
class Pair:
    """A sentence and the same with one token corrupted, in one model.

    source, target   ids of the sentence and of the output so far; () on a side that the architecture lacks
    clean, corrupted   every value of either pass by its recorded name
    row              of the answer, among the rows of the logits
    answer, other    the token that is written, and the one that would be
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    clean: Values
    corrupted: Values
    row: int
    answer: int
    other: int

    def difference(self, logits: np.ndarray) -> float:
        """The logit difference of the two tokens, from the logits (T, V) of a pass."""
        return float(logits[self.row, self.answer] - logits[self.row, self.other])

    @property
    def distance(self) -> float:
        """By how much the corrupted token lowers the logit difference."""
        return self.difference(self.clean["logits"]) - self.difference(self.corrupted["logits"])


def pair(model: Transformer, corruption: Corruption) -> Pair:
    """Both passes of a corruption in a model, which may be another one than that which gave the answers."""
    source, target = tuple(corruption.run.source), tuple(corruption.run.target)
    is_decoder = model.config.architecture == "decoder"
    other_target = (*corruption.read, *target[len(corruption.read) :]) if is_decoder else target
    changed = recorded(model, () if is_decoder else corruption.read, other_target)
    return Pair(
        source, target, recorded(model, source, target), changed, corruption.row, corruption.answer, corruption.other
    )


def change(model: Transformer, both: Pair, writer: Writer) -> np.ndarray:
    """What a writer writes in the corrupted sentence less what it writes in the sentence, (T, d_model)."""
    return written(model, both.corrupted, writer) - written(model, both.clean, writer)


def patched(model: Transformer, both: Pair, wires: Sequence[Edge]) -> np.ndarray:
    """By how much the logit difference changes with each edge replaced, (edges)."""
    changes = {writer: torch.from_numpy(change(model, both, writer)) for writer, _ in wires}
    batches = [wires[start : start + AT_ONCE] for start in range(0, len(wires), AT_ONCE)]
    before = both.difference(both.clean["logits"])
    return np.concatenate([_differences(model, both, batch, changes) - before for batch in batches])


def _differences(model: Transformer, both: Pair, wires: Sequence[Edge], changes: dict[Writer, Tensor]) -> np.ndarray:
    """The logit difference of each pass of a batch, (B)."""
    with torch.inference_mode():
        new = _new_values(model, both, wires, changes)

        def tap(name: str, value: Tensor) -> Tensor:
            if name not in new:
                return value
            value = value.clone()
            for at, head, replacement in new[name]:
                if head is None:
                    value[at] = replacement
                else:
                    value[at, head] = replacement
            return value

        def batch(ids: tuple[int, ...]) -> Tensor | None:
            return torch.tensor([ids]).expand(len(wires), -1) if ids else None

        logits = model(batch(both.source), batch(both.target), tap=tap)[:, both.row]  # (B, V)
    difference: np.ndarray = (logits[:, both.answer] - logits[:, both.other]).double().numpy()
    return difference


def _new_values(
    model: Transformer, both: Pair, wires: Sequence[Edge], changes: dict[Writer, Tensor]
) -> dict[str, list[tuple[int, int | None, Tensor]]]:
    """What stands in place of which values: by recorded name the place in the batch, the head, and the value."""
    by_reader: dict[Reader, list[int]] = {}
    for at, (_, reader) in enumerate(wires):
        by_reader.setdefault(reader, []).append(at)
    new: dict[str, list[tuple[int, int | None, Tensor]]] = {}
    for reader, positions in by_reader.items():
        x = torch.from_numpy(stream(both.clean, reader))
        streams = torch.stack([x + changes[wires[at][0]] for at in positions]).to(model.device)  # (edges, T, d_model)
        values = made(model, reader, streams)
        head = reader.head if reader.letter else None
        new.setdefault(reader.value, []).extend((at, head, each) for at, each in zip(positions, values, strict=True))
    return new
