"""A checkpoint's history: at most a dozen moments of its training, in one small file of its folder."""

import json
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from model.catalogue import Entry
from model.moments import Moment, packed, unpacked

FILE = "history.npz"
MOST = 12  # moments
WEIGHTS = 1_500_000  # bytes that the weights of so many moments may take; those of a larger model are left out


def save(folder: Path, moments: Sequence[Moment]) -> None:
    """Write the moments, the first and the last of more than `MOST` among them; the whole file or none."""
    chosen = [moments[i] for i in _spread(len(moments))]
    arrays: dict[str, np.ndarray] = {}
    said = []
    for number, moment in enumerate(chosen):
        size = sum(value.nbytes for value in moment.weights.values())
        words, values = packed(moment, weights=MOST * size <= WEIGHTS)
        said.append(words)
        arrays |= {f"{number}/{name}": value for name, value in values.items()}
    partial = folder / f"{FILE}.partial"
    with partial.open("wb") as file:
        np.savez_compressed(file, said=np.array(json.dumps(said)), **arrays)  # type: ignore[arg-type]
    partial.replace(folder / FILE)


def load(entry: Entry) -> tuple[Moment, ...]:
    """The moments by step; empty where the checkpoint has none, or none that can be read."""
    return read(entry.folder / FILE)


def read(path: Path) -> tuple[Moment, ...]:
    """The moments of a file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            values = {name: file[name] for name in file.files}
        said = json.loads(str(values.pop("said")))
        return tuple(
            unpacked(words, {name.partition("/")[2]: v for name, v in values.items() if name.startswith(f"{number}/")})
            for number, words in enumerate(said)
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, BadZipFile):
        return ()


def _spread(count: int) -> list[int]:
    """At most `MOST` places of `count`, evenly."""
    if count <= MOST:
        return list(range(count))
    return [round(i * (count - 1) / (MOST - 1)) for i in range(MOST)]
