"""The methods by name: each scores how much every training pair speaks for a word, or against it (below 0).

N training pairs, W words of outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import torch

from corpora.text_index import TextIndex
from model import masks
from model.analysis.cosine import cosine
from model.influence import gradients, retraining
from model.influence.moments import MOMENTS, Moment, moment
from model.influence.retraining import Asked, Change
from model.influence.shared_words import SharedWords
from model.influence.small_task import SmallTask
from model.transformer import Transformer

METHODS = ("words", "vectors", "gradients", "trak", "tracin", "trak_along")
AT_ONCE = 256  # sentences of a pass of the encoder
WHOLE, ALONG = 96, 16  # pairs of a part of the work: a sixth of a second of one core


def parts(method: str, count: int) -> list[tuple[str, int]]:
    """The short parts of the work that a method needs for any word and so many pairs; `Index.part` does one."""
    if method in ("gradients", "trak"):
        return [("whole", start) for start in range(0, count, WHOLE)]
    stages = [("stage", number) for number in range(1, MOMENTS + 1)]
    if method == "tracin":
        return [*stages, *(("along", start) for start in range(0, count, ALONG))]
    if method == "trak_along":
        moments = [[*_at(number, count), ("solved", number)] for number in range(MOMENTS)]
        return [*stages, *(part for each in moments for part in each)]
    return []


def _at(moment: int, count: int) -> list[tuple[str, int]]:
    """The parts that sketch the gradients of so many pairs at a moment."""
    return [("at", moment * count + start) for start in range(0, count, WHOLE)]


@dataclass(frozen=True, eq=False)
class Index:
    """What the methods know of the pairs of a task and of a model of it; each part is computed when first used.

    It alone knows which parts are done. Sketches are written into one array of all pairs, so that they are kept once.
    Raises `InvalidInput` for a task without pairs.
    """

    task: SmallTask
    model: Transformer
    _done: dict[tuple[str, int], Any] = field(default_factory=dict)  # None where a part has filled rows of an array
    _arrays: dict[tuple[str, int], np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        retraining.check(self.task.pairs)

    @cached_property
    def shared_words(self) -> SharedWords:
        """The pairs by their words."""
        return SharedWords(TextIndex(self.task.pairs))

    @cached_property
    def vectors(self) -> np.ndarray:
        """The mean of the encoder's output over each source, (N, d_model)."""
        return mean_vectors(self.model, [source for source, _ in self.task.examples])

    @cached_property
    def whole(self) -> np.ndarray:
        """The gradients of the pairs as sketches, (N, K)."""
        return self._all("whole", 0, parts("gradients", len(self.task.pairs)))

    @cached_property
    def sketches(self) -> gradients.Sketches:
        """The same with the inverse of their Gram matrix, which takes 8 N² bytes."""
        return gradients.of_gradients(self.whole)

    @cached_property
    def moments(self) -> list[Moment]:
        """The moments of the training."""
        return [moment(self.task, self.part("stage", number)) for number in range(1, MOMENTS + 1)]

    @cached_property
    def along(self) -> np.ndarray:
        """The gradients of the pairs along the training as sketches, (N, K)."""
        return self._all("along", 0, [part for part in parts("tracin", len(self.task.pairs)) if part[0] == "along"])

    def missing(self, method: str) -> list[tuple[str, int]]:
        """The parts that a method needs and that are not done."""
        return [part for part in parts(method, len(self.task.pairs)) if part not in self._done]

    def part(self, kind: str, number: int) -> Any:
        """What a part of the work gives, kept; None for one that sketches gradients."""
        if (kind, number) not in self._done:
            self._done[kind, number] = self._part(kind, number)
        return self._done[kind, number]

    def _part(self, kind: str, number: int) -> Any:
        """A stage of the training, sketches of some pairs' gradients, or TRAK's matrix at a moment, (K, N)."""
        count = len(self.task.pairs)
        if kind == "stage":
            before = self.part(kind, number - 1) if number > 1 else None
            return retraining.stage(self.task, Change(), self.task.settings.seed, number, MOMENTS, before)
        if kind == "solved":
            sketches = gradients.of_gradients(self._all("at", number, _at(number, count)))
            del self._arrays["at", number]
            return (sketches.pairs.T @ sketches.inverse).astype(np.float32)
        at, start = divmod(number, count)
        pairs = self.task.examples[start : start + (ALONG if kind == "along" else WHOLE)]
        rows = [None] * len(pairs)
        if kind == "along":
            found = gradients.along(self.moments, pairs, rows)
        elif kind == "at":
            found = gradients.sketched(self.moments[at].model, pairs, rows, width=gradients.NARROW)
        else:
            found = gradients.sketched(self.model, pairs, rows)
        if (kind, at) not in self._arrays:
            self._arrays[kind, at] = np.empty((count, found.shape[1]), dtype=found.dtype)
        self._arrays[kind, at][start : start + len(found)] = found
        return None

    def _all(self, kind: str, at: int, pieces: Sequence[tuple[str, int]]) -> np.ndarray:
        """The sketches of all pairs, (N, K), once each piece of them is done."""
        for piece in pieces:
            self.part(*piece)
        return self._arrays[kind, at]

    def scores(self, method: str, words: Sequence[Asked]) -> np.ndarray:
        """The scores of a method for words: (W, N)."""
        return _SCORES[method](self, words)


def mean_vectors(model: Transformer, sources: Sequence[Sequence[int]]) -> np.ndarray:
    """The mean over the tokens of each source of what the encoder puts out, (sources, d_model)."""
    found = []
    for start in range(0, len(sources), AT_ONCE):
        ids, mask = masks.padded(sources[start : start + AT_ONCE])
        with torch.inference_mode():
            output = model.encode(ids, mask) * mask[..., None]  # (B, S, d_model)
        found.append(output.sum(dim=1) / mask.sum(dim=1, keepdim=True))
    return torch.cat(found).cpu().numpy()


def _by_words(index: Index, words: Sequence[Asked]) -> np.ndarray:
    decode = index.task.tokenizer.decode
    return np.stack([index.shared_words.scores(decode(word.source), decode([word.word])) for word in words])


def _by_vectors(index: Index, words: Sequence[Asked]) -> np.ndarray:
    """Near sources whose target has the word speak for it, near ones without it against it."""
    own = mean_vectors(index.model, [word.source for word in words])
    decode, teaches = index.task.tokenizer.decode, index.shared_words.teaches
    return np.stack([
        cosine(vector[None], index.vectors) * teaches(decode([word.word]))
        for vector, word in zip(own, words, strict=True)
    ])  # fmt: skip


def _by_gradients(index: Index, words: Sequence[Asked]) -> np.ndarray:
    """Over the length of each pair's gradient: a long one speaks for or against every word, and would hide the rest."""
    lengths = np.linalg.norm(index.whole, axis=1)
    return gradients.of_words(index.model, words) @ index.whole.T / np.maximum(lengths, 1e-30)


def _by_trak(index: Index, words: Sequence[Asked]) -> np.ndarray:
    return gradients.trak(index.sketches, gradients.of_words(index.model, words))


def _by_tracin(index: Index, words: Sequence[Asked]) -> np.ndarray:
    return gradients.along(index.moments, *gradients.questions(words)) @ index.along.T


def _by_trak_along(index: Index, words: Sequence[Asked]) -> np.ndarray:
    """The sum of TRAK's scores at all moments."""
    found = np.zeros((len(words), len(index.task.pairs)))
    for number, each in enumerate(index.moments):
        asked = gradients.sketched(each.model, *gradients.questions(words), width=gradients.NARROW)
        found += asked @ index.part("solved", number)
    return found


_SCORES: Mapping[str, Callable[[Index, Sequence[Asked]], np.ndarray]] = {
    "words": _by_words, "vectors": _by_vectors, "gradients": _by_gradients, "trak": _by_trak, "tracin": _by_tracin,
    "trak_along": _by_trak_along,
}  # fmt: skip
