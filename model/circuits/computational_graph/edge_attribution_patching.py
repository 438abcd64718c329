"""Edge attribution patching: the effect of every edge from two passes and gradients, without patching any.

Syed et al. 2023: the change of what the writer writes times the gradient of the measure with respect to what the reader
reads. With integrated gradients (Hanna et al. 2024), the gradient is the mean over points on the way from the corrupted
sentence's embeddings to the sentence's own.

T rows, D numbers of a head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch import Tensor

from model.circuits.computational_graph.edge_patching import Pair, change
from model.circuits.computational_graph.edges import LOGITS, Edge, Reader, made, stream
from model.trace import Recorder
from model.transformer import Transformer

POINTS = 5  # on the way, the sentence itself the last
Gradients = Mapping[Reader, np.ndarray]  # (T, d_model)


def estimated(model: Transformer, both: Pair, wires: Sequence[Edge], points: int = 1) -> np.ndarray:
    """Estimated change of the logit difference with each edge replaced, (edges); with one point as by Syed et al."""
    readers = list(dict.fromkeys(reader for _, reader in wires))
    each = [_gradients(model, both, readers, (point + 1) / points) for point in range(points)]
    means = {reader: np.mean([gradients[reader] for gradients in each], axis=0) for reader in readers}
    changes = {writer: change(model, both, writer).astype(np.float64) for writer, _ in wires}
    return np.array([float((changes[writer] * means[reader]).sum()) for writer, reader in wires])


def _gradients(model: Transformer, both: Pair, readers: Sequence[Reader], share: float) -> Gradients:
    """The gradient with respect to what each reader reads, at this share of the way to the sentence."""
    names = {reader.value for reader in readers} - {LOGITS}
    starts: dict[str, Tensor] = {}

    def watched(name: str, value: Tensor) -> Tensor:
        if name.endswith(".input"):
            start, end = (torch.from_numpy(values[name]).to(value) for values in (both.corrupted, both.clean))
            return torch.lerp(start, end, share)[None]
        if name not in names:
            return value
        starts[name] = torch.zeros_like(value, requires_grad=True)
        return value + starts[name]

    recorder = Recorder(watched)
    ids = [torch.tensor([each]) if each else None for each in (both.source, both.target)]
    with torch.enable_grad():
        logits = model(*ids, tap=recorder)[0, both.row]
        difference = logits[both.answer] - logits[both.other]
        found = torch.autograd.grad(difference, list(starts.values())) if starts else ()
    by_name = {name: gradient[0] for name, gradient in zip(starts, found, strict=True)}
    return {reader: _of_stream(model, both, reader, recorder, by_name) for reader in readers}


def _of_stream(
    model: Transformer, both: Pair, reader: Reader, recorder: Recorder, by_name: Mapping[str, Tensor]
) -> np.ndarray:
    """From the gradient of what a reader makes to that of the stream that it reads, (T, d_model)."""
    with torch.enable_grad():
        x = torch.from_numpy(stream(recorder.values, reader)).to(model.device)[None].requires_grad_()
        value = made(model, reader, x)[0]
        if reader.part == LOGITS:
            measure = value[both.row, both.answer] - value[both.row, both.other]
        else:
            gradient = by_name[reader.value]
            measure = (value * (gradient[reader.head] if reader.letter else gradient)).sum()
        [result] = torch.autograd.grad(measure, x)
    array: np.ndarray = result[0].double().cpu().numpy()
    return array
