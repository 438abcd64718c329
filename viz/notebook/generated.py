"""Attention as `generate()` of transformers returns it, a tuple for each step, put together as of one pass.

T steps, L layers, B sequences or beams, H heads, Q queries, K keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..data import Kind
from .inputs import numbers

_OF_STEPS: dict[str, Kind] = {
    "attentions": "decoder",
    "decoder_attentions": "decoder",
    "cross_attentions": "cross",
}
Tokens = Sequence[str] | None


class Generated(NamedTuple):
    """Weights of the decoder in all steps.

    layers   by kind, L arrays: (H, Q, S) of cross-attention, (H, Q, Q) of the decoder, the encoder's as it is
    rows     Q: a row for each token that the decoder read, the last written one not among them
    """

    layers: dict[Kind, list[np.ndarray]]
    rows: int

    def cut(self, rows: int) -> Generated:
        """The same of the first steps alone, where a sequence has ended before the others."""
        cut = dict(self.layers)
        if "decoder" in cut:
            cut["decoder"] = [layer[:, :rows, :rows] for layer in cut["decoder"]]
        if "cross" in cut:
            cut["cross"] = [layer[:, :rows] for layer in cut["cross"]]
        return Generated(cut, rows)

    def fit(self, tokens: Tokens, decoder_tokens: Tokens, output_tokens: Tokens) -> tuple[Generated, list[Tokens]]:
        """The attention and the three lists of tokens, where those of the decoder may be the whole sequence.

        Each row of a whole sequence reads one of its tokens and writes the next one.
        """
        sequence = tokens if decoder_tokens is None else decoder_tokens
        if isinstance(sequence, str) or sequence is None or not 1 < len(sequence) <= self.rows + 1:
            return self, [tokens, decoder_tokens, output_tokens]
        if len(sequence) == self.rows and output_tokens is not None:
            return self, [tokens, decoder_tokens, output_tokens]
        read, written = list(sequence[:-1]), list(sequence[1:])
        cut = self.cut(len(read))
        return cut, [
            tokens if decoder_tokens is not None else read,
            None if decoder_tokens is None else read,
            output_tokens if output_tokens is not None or "cross" not in self.layers else written,
        ]


def generated(attention: Any, kind: Kind | None, item: int | None) -> Generated | None:
    """The outputs of `generate()`, or one of their tuples; None for anything else.

    kind   of a single tuple; left out, its number of keys says whether it grows with the steps
    item   which of several sequences

    Raises ValueError where the steps do not fit together.
    """
    named = {name: getattr(attention, name, None) for name in _OF_STEPS}
    steps: dict[str, Any] = {name: value for name, value in named.items() if _is_of_steps(value)}
    if not steps:
        if not _is_of_steps(attention):
            return None
        _check_layers(attention, "attention")
        only = kind or ("cross" if _keys(attention) == {_keys_of(attention[0])} and len(attention) > 1 else "decoder")
        row = _chosen(item, len(attention[0][0]), "attention")
        layers = _layers(attention, "attention", [row] * len(attention), only)
        return Generated({only: layers}, layers[0].shape[1])
    for name, value in steps.items():
        _check_layers(value, name)
    first = next(iter(steps.values()))
    sequences = getattr(attention, "sequences", None)
    count = len(first[0][0]) if sequences is None else len(sequences)
    row = _chosen(item, count, "sequences")
    rows = _beams(attention, row, len(first))
    layers_of: dict[Kind, list[np.ndarray]] = {}
    for name, value in steps.items():
        layers_of[_OF_STEPS[name]] = _layers(value[: len(rows)], name, rows, _OF_STEPS[name])
    length = next(iter(layers_of.values()))[0].shape[1]
    if encoder := getattr(attention, "encoder_attentions", None):
        layers_of["encoder"] = [_of_sentence(numbers(layer, "encoder_attentions"), row, count) for layer in encoder]
    return Generated(layers_of, length)


def _is_of_steps(value: Any) -> bool:
    return (
        isinstance(value, tuple | list)
        and len(value) > 0
        and isinstance(value[0], tuple | list)
        and len(value[0]) > 0
        and (value[0][0] is None or getattr(value[0][0], "ndim", 0) == 4)
    )


def _check_layers(steps: Sequence[Sequence[Any]], name: str) -> None:
    for layer, weights in enumerate(steps[0]):
        if weights is None:
            raise ValueError(
                f"{name}: layer {layer} has no weights (None). Load the model with attn_implementation='eager' and "
                f"call it with output_attentions=True."
            )


def _keys_of(step: Sequence[Any]) -> int:
    return int(step[0].shape[-1])


def _keys(steps: Sequence[Sequence[Any]]) -> set[int]:
    return {_keys_of(step) for step in steps}


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


def _layers(steps: Sequence[Sequence[Any]], name: str, rows: Sequence[int], kind: Kind) -> list[np.ndarray]:
    count = len(steps[0])
    return [_joined([numbers(step[layer], name) for step in steps], name, rows, kind) for layer in range(count)]


def _joined(steps: Sequence[np.ndarray], name: str, rows: Sequence[int], kind: Kind) -> np.ndarray:
    """One layer of all steps: (H, Q, K) of B × (H, Q of the step, K of the step), the later keys with 0."""
    first = steps[0][rows[0]]
    queries = first.shape[1] + len(steps) - 1
    keys = queries if kind == "decoder" else first.shape[-1]
    whole = np.zeros((len(first), queries, keys), first.dtype)
    whole[:, : first.shape[1], : min(keys, first.shape[2])] = first[..., :keys]
    for at, (step, row) in enumerate(zip(steps[1:], rows[1:], strict=True), first.shape[1]):
        step = step[row]
        if step.shape[1] not in (1, at + 1):  # without a cache all rows come again
            raise ValueError(
                f"{name}: a step has {step.shape[1]} queries. Only steps of one token can be put together: greedy, "
                f"sampling and beam search, not assisted decoding."
            )
        last = step[:, -1]
        there = min(at + 1 if kind == "decoder" else keys, last.shape[-1])  # of a static cache the rest is empty
        begin = at + 1 - there if kind == "decoder" else 0  # a cache of a window has lost the first ones
        whole[:, at, begin : begin + there] = last[:, :there]
    return whole
