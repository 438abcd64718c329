"""A checkpoint's history: at most 12 snapshots of its training, and the training curve, in one file."""

import json
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import isnan
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from model.checkpoint.catalogue import Entry
from model.checkpoint.snapshots import Snapshot, packed, unpacked

FILE = "history.npz"
MOST = 12  # snapshots
DAMAGES = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile)  # raised by a damaged file
WEIGHTS = 350_000  # bytes that the weights of all snapshots may take; the last one has those of the checkpoint


@dataclass(frozen=True)
class Point:
    """Measurements after `step` steps; None where nothing was measured.

    loss, validation_loss  nats per target token
    exact                  share of held-out sources whose whole output is right
    """

    step: int
    loss: float
    validation_loss: float | None
    exact: float | None


def save(folder: Path, snapshots: Sequence[Snapshot], curve: Sequence[Point] = (), weights: float = WEIGHTS) -> None:
    """Write at most `MOST` snapshots, evenly spread, the first and the last among them, and the curve.

    At most `weights` bytes of weights are written, of snapshots that are evenly spread. An interrupted call leaves
    no partial file.
    """
    picks = [snapshots[i] for i in _spread(len(snapshots))]
    snapshot_bytes = max((sum(value.nbytes for value in snapshot.weights.values()) for snapshot in picks), default=0)
    with_weights = _weighty(len(picks), weights / snapshot_bytes if snapshot_bytes else 0)
    rows = np.array([astuple(point) for point in curve], dtype=np.float64).reshape(-1, 4)
    arrays: dict[str, np.ndarray] = {"curve": rows}
    descriptions = []
    for number, snapshot in enumerate(picks):
        description, values = packed(snapshot, weights=number in with_weights)
        descriptions.append(description)
        arrays |= {f"{number}/{name}": value for name, value in values.items()}
    partial = folder / f"{FILE}.partial"
    with partial.open("wb") as file:
        np.savez_compressed(file, said=np.array(json.dumps(descriptions)), **arrays)  # type: ignore[arg-type]
    partial.replace(folder / FILE)


def load(entry: Entry) -> tuple[Snapshot, ...]:
    """The snapshots by step; empty if the file is missing or damaged."""
    return read(entry.folder / FILE)


def curve(entry: Entry) -> tuple[Point, ...]:
    """The curve of the training by step; empty if the file is missing or damaged."""
    try:
        with np.load(entry.folder / FILE, allow_pickle=False) as file:
            return tuple(points(file["curve"]))
    except DAMAGES:
        return ()


def points(curve: np.ndarray) -> list[Point]:
    """The points of a saved curve (N, 4), with NaN where nothing was measured."""
    return [Point(int(step), loss, *map(_measured, others)) for step, loss, *others in curve.reshape(-1, 4).tolist()]


def _measured(value: float) -> float | None:
    return None if isnan(value) else value


def read(path: Path) -> tuple[Snapshot, ...]:
    """The snapshots of a history file; empty if it is missing or damaged."""
    try:
        with np.load(path, allow_pickle=False) as file:
            values = {name: file[name] for name in file.files}
        descriptions = json.loads(str(values.pop("said")))
        return tuple(
            unpacked(
                description, {name.partition("/")[2]: v for name, v in values.items() if name.startswith(f"{number}/")}
            )
            for number, description in enumerate(descriptions)
        )
    except DAMAGES:
        return ()


def _spread(count: int) -> list[int]:
    """At most `MOST` of the indices below `count`, evenly spread, the first and the last among them."""
    if count <= MOST:
        return list(range(count))
    return [round(i * (count - 1) / (MOST - 1)) for i in range(MOST)]


def _weighty(count: int, fit: float) -> set[int]:
    """The indices of the snapshots that keep their weights, if those of `fit` of all `count` fit into the file."""
    if fit >= count:
        return set(range(count))
    return {round((i + 1) * (count - 1) / (int(fit) + 1)) for i in range(int(fit))}
