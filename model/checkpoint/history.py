"""A checkpoint's history: at most 12 snapshots (`Moment`) of its training and its curve, in one file."""

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
MOST = 12  # moments
DAMAGES = (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile)  # of a file
WEIGHTS = 350_000  # bytes that the weights of all moments may take; those of the last are the checkpoint's own


@dataclass(frozen=True)
class Point:
    """What was measured after `step` steps: losses in nats per target token, the share of held-out outputs all right.

    None where it was not measured then.
    """

    step: int
    loss: float
    validation_loss: float | None
    exact: float | None


def save(folder: Path, moments: Sequence[Snapshot], curve: Sequence[Point] = (), weights: float = WEIGHTS) -> None:
    """Write the moments, the first and the last of more than `MOST` among them; the whole file or none.

    `weights` is how many bytes of weights are kept, those of moments evenly spread.
    """
    chosen = [moments[i] for i in _spread(len(moments))]
    size = max((sum(value.nbytes for value in moment.weights.values()) for moment in chosen), default=0)
    weighty = _weighty(len(chosen), weights / size if size else 0)
    rows = np.array([astuple(point) for point in curve], dtype=np.float64).reshape(-1, 4)
    arrays: dict[str, np.ndarray] = {"curve": rows}
    said = []
    for number, moment in enumerate(chosen):
        words, values = packed(moment, weights=number in weighty)
        said.append(words)
        arrays |= {f"{number}/{name}": value for name, value in values.items()}
    partial = folder / f"{FILE}.partial"
    with partial.open("wb") as file:
        np.savez_compressed(file, said=np.array(json.dumps(said)), **arrays)  # type: ignore[arg-type]
    partial.replace(folder / FILE)


def load(entry: Entry) -> tuple[Snapshot, ...]:
    """The moments by step; empty where the checkpoint has none, or none that can be read."""
    return read(entry.folder / FILE)


def curve(entry: Entry) -> tuple[Point, ...]:
    """The curve of the training by step; empty where the checkpoint has none, or none that can be read."""
    try:
        with np.load(entry.folder / FILE, allow_pickle=False) as file:
            return tuple(points(file["curve"]))
    except DAMAGES:
        return ()


def points(curve: np.ndarray) -> list[Point]:
    """The points of a curve as it is saved: (N, 4), NaN where nothing was measured."""
    return [Point(int(step), loss, *map(_measured, rest)) for step, loss, *rest in curve.reshape(-1, 4).tolist()]


def _measured(value: float) -> float | None:
    return None if isnan(value) else value


def read(path: Path) -> tuple[Snapshot, ...]:
    """The moments of a file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            values = {name: file[name] for name in file.files}
        said = json.loads(str(values.pop("said")))
        return tuple(
            unpacked(words, {name.partition("/")[2]: v for name, v in values.items() if name.startswith(f"{number}/")})
            for number, words in enumerate(said)
        )
    except DAMAGES:
        return ()


def _spread(count: int) -> list[int]:
    """At most `MOST` places of `count`, evenly."""
    if count <= MOST:
        return list(range(count))
    return [round(i * (count - 1) / (MOST - 1)) for i in range(MOST)]


def _weighty(count: int, fit: float) -> set[int]:
    """The places of the moments that keep their weights, where `fit` of `count` may."""
    if fit >= count:
        return set(range(count))
    return {round((i + 1) * (count - 1) / (int(fit) + 1)) for i in range(int(fit))}
