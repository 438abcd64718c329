"""An index of a sample of training pairs, made once and kept in a file: for models whose gradients take minutes.

Of each pair it has the texts, the mean vector of the encoder as whole numbers of a byte, and the signs of the rotated
sketch of its gradient, a bit each. What the signs lose is the gradient's length: the score is the cosine of a pair's
gradient with that of the word, with an error of about √(1.25² + 1) / √K. K numbers of a sketch, N pairs.
Further pairs are there as texts alone, to be searched: their grammar would take seconds to write them again.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import random
import zipfile
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from corpora.corpus import Numbered
from corpora.pairs import Example, Pair
from model.analysis.cosine import cosine
from model.checkpoint.checkpoints import Checkpoint
from model.influence import gradients, methods

FILE = "training_index.npz"
PAIRS = 3000
SAMPLE = 15_000  # pairs with those of which it has the texts alone
SEED = 0  # that both are drawn with
BATCH = 16  # sentences whose gradients are computed at once: 160 MB for 2.4 million parameters
METHODS = ("words", "vectors", "gradients")  # that the index can answer by
Arrays = dict[str, np.ndarray]


class StoredIndex:
    """What the methods know of N pairs of a larger model's training; `groups` number the pairs of `sample`."""

    def __init__(self, arrays: Arrays):
        pairs, groups = json.loads(lzma.decompress(arrays["sample"].tobytes()))
        self._vectors, self._signs = arrays["vectors"], arrays["signs"]
        self.sample = [Pair(*pair) for pair in pairs]
        self.pairs = self.sample[: len(self._vectors)]
        self.groups: Numbered = {
            kind: {name: tuple(numbers) for name, numbers in own.items()} for kind, own in groups.items()
        }
        if not len(self.pairs) == len(self._vectors) == len(self._signs):
            raise ValueError("its parts have different sizes")

    @cached_property
    def _gradients(self) -> np.ndarray:
        """+1 or −1 for each number of each sketch, (N, K)."""
        return np.unpackbits(self._signs, axis=1).astype(np.float32) * 2 - 1

    def nearness(self, checkpoint: Checkpoint, source: Sequence[int]) -> np.ndarray:
        """The cosine of the encoder's mean vector of a source with those of the pairs, (N)."""
        return cosine(methods.mean_vectors(checkpoint.model, [source]), self._vectors.astype(np.float32))

    def gradients(self, checkpoint: Checkpoint, example: Example, rows: Sequence[int]) -> np.ndarray:
        """How far a step on each pair goes the way of −∇log p of the tokens at some rows: a cosine, about, (N)."""
        sketch = gradients.sketched(checkpoint.model, [example] * len(rows), rows).sum(axis=0, keepdims=True)
        rotated = gradients.rotated(sketch)[0]
        usual = np.sqrt(np.pi / 2) / (np.sqrt(len(rotated)) * max(float(np.linalg.norm(rotated)), 1e-30))
        found: np.ndarray = self._gradients @ rotated * usual
        return found


def sample(first: Sequence[Pair], pairs: Sequence[Pair], seed: int) -> list[Pair]:
    """Some of the pairs, and behind them others, `SAMPLE` together; in alphabetical order these take least space."""
    known = set(first)
    others = [pair for pair in pairs if pair not in known]
    return [*first, *sorted(random.Random(seed).sample(others, max(0, min(SAMPLE - len(first), len(others)))))]


def packed(pairs: Sequence[Pair], groups: Numbered) -> np.ndarray:
    """Pairs and their groups in a third less than the file's own compression would take."""
    return np.frombuffer(lzma.compress(json.dumps([pairs, groups], ensure_ascii=False).encode()), dtype=np.uint8)


def made(
    checkpoint: Checkpoint,
    sample: Sequence[Pair],
    examples: Sequence[Example],
    groups: Numbered,
    report: Callable[[int], None] = lambda count: None,
) -> Arrays:
    """The arrays of an index; `examples` are the ids of the first pairs. `report` is told how many of them are done."""
    vectors = methods.mean_vectors(checkpoint.model, [source for source, _ in examples])
    vectors = 127 * vectors / np.abs(vectors).max(axis=1, keepdims=True)
    signs = []
    for start in range(0, len(examples), BATCH):
        part = examples[start : start + BATCH]
        sketches = gradients.sketched(checkpoint.model, part, [None] * len(part))
        signs.append(np.packbits(gradients.rotated(sketches) > 0, axis=1))
        report(start + len(part))
    return {
        "sample": packed(sample, groups),
        "vectors": vectors.round().astype(np.int8),
        "signs": np.concatenate(signs),
        "weights": np.frombuffer(_digest(checkpoint), dtype=np.uint8),
    }


def save(folder: Path, arrays: Arrays) -> None:
    """Write the index beside a checkpoint."""
    np.savez_compressed(folder / FILE, **arrays)  # type: ignore[arg-type]


def load(folder: Path, checkpoint: Checkpoint) -> StoredIndex | None:
    """The index beside a checkpoint; None if there is none, or a damaged one, or one of other weights."""
    try:
        with np.load(folder / FILE) as content:
            arrays = dict(content)
        return StoredIndex(arrays) if arrays["weights"].tobytes() == _digest(checkpoint) else None
    except (OSError, EOFError, KeyError, ValueError, TypeError, zipfile.BadZipFile, lzma.LZMAError):
        return None


def _digest(checkpoint: Checkpoint) -> bytes:
    """Tells the weights of a model from others."""
    found = hashlib.sha256()
    for name, value in checkpoint.model.named_parameters():
        found.update(name.encode() + value.detach().cpu().contiguous().numpy().tobytes())
    return found.digest()
