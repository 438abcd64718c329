"""A snapshot of a training run: sample outputs, the attention on the probe sentence, and the weights at that step.

L layers, H heads, Q queries, K keys.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from model.analysis.energy import Energy
from model.trace import ATTENTION_KINDS, AttentionKind, Trace

EMBEDDING = "embedding"  # the name of its array


@dataclass(frozen=True)
class Sample:
    """One source, its reference, and the model's greedy output."""

    source: str
    reference: str
    output: str
    held_out: bool

    @property
    def right(self) -> bool:
        return self.output == self.reference


@dataclass(frozen=True, eq=False)
class ProbeAttention:
    """The probe sentence, the model's output for it, and all attention weights of that pass.

    weights         by kind, (L, H, Q, K) each, in half precision; rows sum to 1
    source_tokens   what the encoder read
    target_tokens   what the decoder read, beginning with <bos>
    output_tokens   what was written after each target token
    """

    sentence: str
    output: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...]
    weights: dict[AttentionKind, np.ndarray]


def probe_of(sentence: str, output: str, trace: Trace) -> ProbeAttention:
    """The attention of a recorded pass."""
    attention: dict[AttentionKind, np.ndarray] = {kind: trace.weights(kind).astype(np.float16) for kind in trace.kinds}
    return ProbeAttention(sentence, output, trace.source_tokens, trace.target_tokens, trace.output_tokens, attention)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The state of a run after `step` steps.

    look      the attention on the probe sentence
    energy    of the embedding table and of the positions
    weights   averaged weights by name, in half precision; empty if those of all snapshots would be too large
    embedding  (V, d_model) in half precision, where its change is looked at; else None
    """

    step: int
    probe: ProbeAttention
    samples: tuple[Sample, ...]
    energy: Energy
    weights: dict[str, np.ndarray]
    embedding: np.ndarray | None = None

    def save(self, path: Path) -> None:
        """Write it as one .npz without pickles. An interrupted call leaves no partial file."""
        description, arrays = packed(self)
        partial = path.with_suffix(".partial")
        try:
            with partial.open("wb") as file:
                np.savez(file, said=np.array(json.dumps(description)), **arrays)  # type: ignore[arg-type]
            partial.replace(path)
        except OSError:  # a full disk: the space is needed
            partial.unlink(missing_ok=True)
            raise


def of_weights(step: int, tensors: Mapping[str, Any], width: int) -> Snapshot:
    """The weights alone: there is no sentence to watch, and no table of embeddings whose energy could be told."""
    return Snapshot(step, ProbeAttention("", "", (), (), (), {}), (), Energy(0.0, 0.0, width), halved(tensors))


def halved(tensors: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Tensors of torch by name, in half precision."""
    return {name: tensor.detach().half().cpu().numpy() for name, tensor in tensors.items()}


def load(path: Path) -> Snapshot:
    """Read what `Snapshot.save` wrote."""
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    return unpacked(json.loads(str(arrays.pop("said"))), arrays)


def packed(snapshot: Snapshot, weights: bool = True) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """A snapshot as a JSON-serialisable description, and its arrays by name."""
    description = {
        "step": snapshot.step,
        "look": asdict(snapshot.probe) | {"weights": None},
        "energy": asdict(snapshot.energy),
    }
    description["samples"] = [asdict(sample) for sample in snapshot.samples]
    arrays = {f"attention/{kind}": value for kind, value in snapshot.probe.weights.items()}
    if weights:
        arrays |= {f"weights/{name}": value for name, value in snapshot.weights.items()}
    if snapshot.embedding is not None:
        arrays[EMBEDDING] = snapshot.embedding
    return description, arrays


def unpacked(description: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Snapshot:
    """The snapshot of what `packed` returned."""
    attention: dict[AttentionKind, np.ndarray] = {
        kind: arrays[f"attention/{kind}"] for kind in ATTENTION_KINDS if f"attention/{kind}" in arrays
    }
    weights = {name.removeprefix("weights/"): value for name, value in arrays.items() if name.startswith("weights/")}
    probe = description["look"] | {"weights": attention}
    for tokens in ("source_tokens", "target_tokens", "output_tokens"):
        probe[tokens] = tuple(probe[tokens])
    samples = tuple(Sample(**sample) for sample in description["samples"])
    energy = Energy(**description["energy"])
    return Snapshot(description["step"], ProbeAttention(**probe), samples, energy, weights, arrays.get(EMBEDDING))
