"""Taps see every value of a pass, and may change it; a `Trace` is what a recorder saw.

This module needs no torch at run time, so a recorded trace can be shown before torch is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

import numpy as np

from model.tokenization import segmenter
from model.tokenization.token_text import is_special
from viz import whole_words
from viz.whole_words import Grouping, Word

if TYPE_CHECKING:
    from torch import Tensor

Tap = Callable[[str, "Tensor"], "Tensor"]
AttentionKind = Literal["encoder", "decoder", "cross"]
Head = tuple[AttentionKind, int, int]  # kind, layer, number
LOGITS = "logits"
TokenList = Literal["source_tokens", "target_tokens", "output_tokens"]
ATTENTION_KINDS: tuple[AttentionKind, ...] = ("encoder", "decoder", "cross")


def path(kind: AttentionKind, layer: int | str) -> str:
    """The dotted name of an attention; its values stand under it: `path("cross", 0) + ".weights"`."""
    side = "encoder" if kind == "encoder" else "decoder"
    return f"{side}.{layer}.{'cross' if kind == 'cross' else 'self'}_attention"


def silent(name: str, value: Tensor) -> Tensor:
    """The tap of a pass that nobody watches."""
    return value


def under(prefix: str, tap: Tap) -> Tap:
    """A tap for a part of the model: what it names `q` arrives as `prefix.q`."""
    if tap is silent:  # spares a pass without a watcher the building of names
        return silent
    return lambda name, value: tap(f"{prefix}.{name}", value)


@runtime_checkable
class StepTap(Protocol):
    """A tap that has to know which token of a cached run is the first of a pass."""

    def __call__(self, name: str, value: Tensor) -> Tensor: ...

    def at(self, start: int) -> Tap: ...


def starting_at(start: int, tap: Tap) -> Tap:
    """A tap for the pass that begins with the decoder's token `start`, from 0; a `StepTap` is told."""
    if tap is silent:  # spares a decoding step without a watcher the question
        return silent
    return tap.at(start) if isinstance(tap, StepTap) else tap


class Recorder:
    """A tap that keeps a copy on the CPU of every value of a pass over one sentence, batch axis dropped.

    Belongs to one call. `then` is a further tap, applied before the copy: what is recorded is what
    the model went on with.
    """

    def __init__(self, then: Tap = silent):
        self.then = then
        self.values: dict[str, np.ndarray] = {}

    def __call__(self, name: str, value: Tensor) -> Tensor:
        value = self.then(name, value)
        array = value.detach().cpu().numpy()
        if len(array) != 1:
            raise ValueError(f"a recorder watches one sentence at a time, {name} has a batch of {len(array)}")
        self.values[name] = array[0].copy()
        return value


@dataclass(frozen=True, eq=False)
class WithoutLogits(Mapping[str, "np.ndarray"]):
    """Recorded values of which all but the logits are kept; `logits` computes them, (T, V), each time they are read."""

    kept: dict[str, np.ndarray]
    logits: Callable[[], np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.logits() if name == LOGITS else self.kept[name]

    def __contains__(self, name: object) -> bool:
        return name == LOGITS or name in self.kept

    def __iter__(self) -> Iterator[str]:
        yield from self.kept
        yield LOGITS

    def __len__(self) -> int:
        return len(self.kept) + 1


@dataclass(frozen=True, eq=False)
class Likeliest:
    """Part of logits (T, V) that is kept: the K likeliest tokens of each row, and the sum that all tokens share.

    ids        (T, K) likeliest first, the lower id first where two are equal; `logits` (T, K) beside them
    log_sums   (T) ln Σ exp(logit) over the whole vocabulary: a logit less that is a log-probability in nats
    """

    ids: np.ndarray
    logits: np.ndarray
    log_sums: np.ndarray


@dataclass(frozen=True)
class Trace:
    """Everything that one pass over a sentence computed.

    values          dotted name to array, shapes as in docs/traces.md
    source_tokens   (S) what the encoder read, specials included
    target_tokens   (T) what the decoder read, `<bos>` first
    output_tokens   (T) what each decoder position predicted
    likeliest       in place of logits that are not kept; ask `model.analysis.predictions`
    groupings       the words and characters of each list of tokens; ask `words`
    """

    values: Mapping[str, np.ndarray] = field(repr=False)
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    output_tokens: tuple[str, ...]
    likeliest: Likeliest | None = field(default=None, repr=False)
    groupings: Mapping[TokenList, Grouping] = field(default_factory=dict, repr=False)

    @property
    def kinds(self) -> tuple[AttentionKind, ...]:
        """The kinds of attention that this pass had."""
        return tuple(kind for kind in ATTENTION_KINDS if path(kind, 0) + ".weights" in self.values)

    def weights(self, kind: AttentionKind) -> np.ndarray:
        """Attention weights of one kind, all layers: (L, H, Q, K), each row sums to 1."""
        return stacked_weights(self.values, kind)

    def words(self, tokens: TokenList, *, whole: bool) -> tuple[Word, ...]:
        """The whole words of a list of tokens; else the tokens, bytes of one character as one.

        Of a recording, which has no tokenizer, the tokens' own marks tell.
        """
        grouping = self.groupings.get(tokens)
        if grouping is not None:
            return grouping.words if whole else grouping.characters
        texts: tuple[str, ...] = getattr(self, tokens)
        specials = tuple(map(is_special, texts))
        if whole:
            return whole_words.words_of(texts, specials, segment=segmenter.words)
        return whole_words.as_stored(texts, specials)

    def save(self, file: Path, values: dict[str, np.ndarray] | None = None, packed: bool = True) -> None:
        """Write the values (or a choice of them) under their names, and the three token lists, as .npz.

        Packing takes about 0.6 s for a million numbers.
        """
        write = np.savez_compressed if packed else np.savez
        tokens = {name: np.array(getattr(self, name)) for name in TOKEN_LISTS}
        with file.open("wb") as stream:  # an open file keeps numpy from appending a suffix
            write(stream, **(self.values if values is None else values), **tokens)  # type: ignore[arg-type]


def stacked_weights(values: Mapping[str, np.ndarray], kind: AttentionKind) -> np.ndarray:
    """Attention weights of one kind among recorded values, all layers: (L, H, Q, K), each row sums to 1."""
    layers: list[np.ndarray] = []
    while (name := f"{path(kind, len(layers))}.weights") in values:
        layers.append(values[name])
    return np.stack(layers)


TOKEN_LISTS: tuple[TokenList, ...] = ("source_tokens", "target_tokens", "output_tokens")


def load_trace(file: Path) -> Trace:
    """Read what `Trace.save` wrote; no pickles."""
    with np.load(file, allow_pickle=False) as arrays:
        values = {name: arrays[name] for name in arrays.files if name not in TOKEN_LISTS}
        source, target, output = (tuple(str(token) for token in arrays[name]) for name in TOKEN_LISTS)
    return Trace(values, source, target, output)
