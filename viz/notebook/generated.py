"""Attention as `generate()` of transformers returns it, a tuple for each step, put together as of one pass.

T steps, L layers, B sequences or beams, H heads, Q queries, K keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..data import Kind
from .inputs import no_weights, numbers

_OF_STEPS: dict[str, Kind] = {
    "attentions": "decoder",
    "decoder_attentions": "decoder",
    "cross_attentions": "cross",
}
Tokens = Sequence[str] | None
Layers = list[np.ndarray | None]


class Generated(NamedTuple):
    """Weights of the decoder in all steps.

    layers   by kind, L arrays, None for a layer without attention: (H, Q, S) of cross-attention, (H, Q, P + Q) of the
             decoder, the encoder's as it is
    read     P + Q: the tokens that the decoder read, the last written one not among them
    past     P: those whose rows the outputs lack, because the prompt was read in chunks
    item     which of all `sequences` it is
    """

    layers: dict[Kind, Layers]
    read: int
    past: int
    item: int
    sequences: int

    def cut(self, read: int) -> Generated:
        """The same of the first steps alone, where a sequence has ended before the others."""
        cut, rows = dict(self.layers), read - self.past
        for kind, layers in self.layers.items():
            keys = read if kind == "decoder" else None
            if kind != "encoder":
                cut[kind] = [None if layer is None else layer[:, :rows, :keys] for layer in layers]
        return self._replace(layers=cut, read=read)

    def fit(self, tokens: Tokens, decoder_tokens: Tokens, output_tokens: Tokens) -> tuple[Generated, list[Tokens]]:
        """The attention and the three lists of tokens, where those of the decoder may be the whole sequence.

        Each row of a whole sequence reads one of its tokens and writes the next one.
        """
        sequence = tokens if decoder_tokens is None else decoder_tokens
        if isinstance(sequence, str) or sequence is None or not self.past + 1 < len(sequence) <= self.read + 1:
            return self, [tokens, decoder_tokens, output_tokens]
        if len(sequence) == self.read and output_tokens is not None:
            return self, [tokens, decoder_tokens, output_tokens]
        read, written = list(sequence[:-1]), list(sequence[1:])
        cut = self.cut(len(read))
        return cut, [
            tokens if decoder_tokens is not None else read,
            None if decoder_tokens is None else read,
            output_tokens if output_tokens is not None or "cross" not in self.layers else written,
        ]


def generated(attention: Any, kind: Kind | None, item: int | None, has_source: bool) -> Generated | None:
    """The outputs of `generate()`, or one of their tuples; None for anything else.

    kind         of a single tuple; left out, it is cross-attention if there is a source and all steps have as many keys
    item         which of several sequences
    has_source   whether tokens of an encoder are given

    Raises ValueError where the steps do not fit together.
    """
    named = {name: getattr(attention, name, None) for name in _OF_STEPS}
    steps: dict[str, Any] = {name: value for name, value in named.items() if _is_of_steps(value)}
    if not steps:
        if not _is_of_steps(attention):
            return None
        same = len({_any_layer(step, "attention").shape[-1] for step in attention}) == 1
        only = kind or ("cross" if has_source and same else "decoder")
        steps = {"attention": attention}
        kinds: dict[str, Kind] = {"attention": only}
    else:
        kinds = _OF_STEPS
    name, first = next(iter(steps.items()))
    sequences = getattr(attention, "sequences", None)
    count = len(_any_layer(first[0], name)) if sequences is None else len(sequences)
    row = _chosen(item, count, name if sequences is None else "sequences")
    rows = _beams(attention, row, len(first))
    asked = _any_layer(first[0], name).shape[2]
    past = max((_past(value, name) for name, value in steps.items() if kinds[name] == "decoder"), default=0)
    if sequences is not None:  # of a window, the keys do not say it
        past = max(past, sequences.shape[1] - len(first) - asked)
    layers_of: dict[Kind, Layers] = {}
    for name, value in steps.items():
        layers_of[kinds[name]] = _layers(value[: len(rows)], name, rows, kinds[name], past)
    read = past + asked + len(rows) - 1
    if encoder := getattr(attention, "encoder_attentions", None):
        layers_of["encoder"] = [_of_sentence(numbers(layer, "encoder_attentions"), row, count) for layer in encoder]
    return Generated(layers_of, read, past, row, count)


def _is_of_steps(value: Any) -> bool:
    return (
        isinstance(value, tuple | list)
        and len(value) > 0
        and isinstance(value[0], tuple | list)
        and len(value[0]) > 0
        and all(layer is None or getattr(layer, "ndim", 0) == 4 for layer in value[0])
    )


def _any_layer(step: Sequence[Any], name: str) -> Any:
    """The first layer of a step that has weights (B, H, Q, K)."""
    if layer := next((layer for layer in enumerate(step) if layer[1] is not None), None):
        return layer[1]
    raise ValueError(no_weights(name))


def _past(steps: Sequence[Sequence[Any]], name: str) -> int:
    """How many tokens the decoder read before the rows of the first step: with a prompt in chunks, only the last
    chunk's rows are there. Keys behind the last one that has a weight are the empty rest of a static cache.
    """
    layers = [numbers(layer, name) for layer in steps[0] if layer is not None]
    there = [np.flatnonzero(layer.any(axis=(0, 1, 2))) for layer in layers]
    ends = [keys[-1] + 1 if len(keys) else 0 for keys in there]
    return max(0, *(int(end) - layer.shape[2] for end, layer in zip(ends, layers, strict=True)))


def _chosen(item: int | None, count: int, name: str) -> int:
    if item is None and count != 1:
        raise ValueError(f"{name}: there are {count}; choose one, item=0 to item={count - 1}.")
    if item is not None and not 0 <= item < count:
        raise ValueError(f"{name}: there are {count}, 0 to {count - 1}; there is no item={item}.")
    return item or 0


def _beams(outputs: Any, row: int, steps: int) -> list[int]:
    """The row of the batch that each step of a sequence was in; a sequence may have fewer steps than others."""
    indices = getattr(outputs, "beam_indices", None)
    if indices is None:
        return [row] * steps
    return [int(index) for index in numbers(indices, "beam_indices")[row][:steps] if index >= 0]


def _of_sentence(layer: np.ndarray, row: int, count: int) -> np.ndarray:
    """The encoder's attention (H, S, S) that belongs to a sequence: there may be several of each sentence, or beams."""
    batch = len(layer)
    return np.asarray(layer[row * batch // count])


def _layers(steps: Sequence[Sequence[Any]], name: str, rows: Sequence[int], kind: Kind, past: int) -> Layers:
    return [
        None if layer is None else _joined([numbers(step[i], name) for step in steps], name, rows, kind, past)
        for i, layer in enumerate(steps[0])
    ]


def _joined(steps: Sequence[np.ndarray], name: str, rows: Sequence[int], kind: Kind, past: int) -> np.ndarray:
    """One layer of all steps: (H, Q, K) of B × (H, Q of the step, K of the step), the later keys with 0."""
    first = steps[0][rows[0]]
    queries = first.shape[1] + len(steps) - 1
    keys = past + queries if kind == "decoder" else first.shape[-1]
    whole = np.zeros((len(first), queries, keys), first.dtype)
    for step, row, end in zip(steps, rows, range(first.shape[1], queries + 1), strict=True):
        step = step[row]
        if end > first.shape[1] and step.shape[1] not in (1, end):  # without a cache all rows come again
            raise ValueError(
                f"{name}: a step has {step.shape[1]} queries. Only steps of one token can be put together: greedy, "
                f"sampling and beam search, not assisted decoding. Generate without assistant_model."
            )
        new = step if end == first.shape[1] else step[:, -1:]
        there = min(past + end if kind == "decoder" else keys, new.shape[-1])  # of a static cache the rest is empty
        begin = past + end - there if kind == "decoder" else 0  # a cache of a window has lost the first ones
        whole[:, end - new.shape[1] : end, begin : begin + there] = new[..., :there]
    return whole
