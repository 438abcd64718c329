"""The kinds of attention that a user handed over, each with its tokens."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..data import KINDS, AttentionPanel, Kind
from ..whole_words import MARKS, Word, characters, joined, mark_of, words_of
from .generated import generated
from .inputs import Weights, is_causal, labels, specials, weights

_OF_OUTPUTS = {
    "encoder_attentions": "encoder",
    "decoder_attentions": "decoder",
    "cross_attentions": "cross",
    "attentions": "",  # of the only stack, an encoder or a decoder
}


def panels(
    attention: Any,
    tokens: Sequence[str] | None,
    *,
    encoder_tokens: Sequence[str] | None,
    decoder_tokens: Sequence[str] | None,
    output_tokens: Sequence[str] | None,
    kind: Kind | None,
    item: int | None,
    special_tokens: Collection[str] | None,
    words: bool | str = False,
) -> list[AttentionPanel]:
    """One panel for each kind of attention, see `glassformer.attention`."""
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}, not {kind!r}.")
    if not isinstance(words, bool) and words not in MARKS:
        raise ValueError(f"words is True, False or one of {', '.join(MARKS)}, not {words!r}.")
    if steps := generated(attention, kind, item):
        steps, (tokens, decoder_tokens, output_tokens) = steps.fit(tokens, decoder_tokens, output_tokens)
        attention, item = steps.layers, None
    attentions = _named(attention)
    if attentions is None:
        attentions = {_said(kind, encoder_tokens, decoder_tokens): ("attention", attention)}
    by_kind: dict[str, Weights] = {}
    for key, (name, value) in attentions.items():
        weights_ = weights(value, name, item)
        by_kind[key or _guessed(kind, "cross" in attentions, weights_)] = weights_
    sides = _Sides(by_kind, tokens, encoder_tokens, decoder_tokens)
    of_tokens = [_panel(each, by_kind[each], sides, output_tokens, special_tokens) for each in KINDS if each in by_kind]
    return _between_words(of_tokens, words, special_tokens)


def exact_heads(
    panels: Sequence[AttentionPanel], kind: Kind | None, layers: Sequence[int] | None, heads: Sequence[int] | None
) -> dict[Kind, set[tuple[int, int]]]:
    """The heads of each kind, or of `kind`, in these layers and with these numbers; none where both are left out.

    Raises TypeError or ValueError.
    """
    there = {panel.kind: panel.weights.shape[:2] for panel in panels if kind in (None, panel.kind)}
    if (layers is None and heads is None) or not there:
        return {}
    layer_numbers, head_numbers = (
        _checked(given, name, max(shape[axis] for shape in there.values()))
        for axis, (name, given) in enumerate((("layers", layers), ("heads", heads)))
    )
    return {
        each: {
            (layer, head) for layer in layer_numbers for head in head_numbers if layer < shape[0] and head < shape[1]
        }
        for each, shape in there.items()
    }


def _checked(numbers: Sequence[int] | None, name: str, count: int) -> Sequence[int]:
    if numbers is None:
        return range(count)
    if isinstance(numbers, str) or not hasattr(numbers, "__iter__"):
        raise TypeError(f"{name} is a list of numbers, such as {name}=[0], not {numbers!r}.")
    wanted = list(numbers)
    if strange := [number for number in wanted if isinstance(number, bool) or not isinstance(number, int | np.integer)]:
        raise TypeError(f"{name} holds whole numbers, not {strange[0]!r}.")
    if outside := [number for number in wanted if not 0 <= number < count]:
        raise ValueError(f"{name}: there are {count}, 0 to {count - 1}; there is no {outside[0]}.")
    return [int(number) for number in wanted]


def _named(attention: Any) -> dict[str, tuple[str, Any]] | None:
    """By kind, the name and the value of what a mapping or a model's outputs hold; None for a plain array."""
    if isinstance(attention, Mapping) and set(attention) & set(KINDS):
        if strange := set(attention) - set(KINDS):
            raise ValueError(f"attention has the keys {', '.join(KINDS)}, not {', '.join(map(repr, strange))}.")
        return {kind: (f"attention[{kind!r}]", value) for kind, value in attention.items()}
    there = [name for name in _OF_OUTPUTS if hasattr(attention, name)]
    if not there:
        if isinstance(attention, Mapping):
            raise ValueError(
                f"attention has none of the keys {', '.join(KINDS)}; it has {', '.join(map(str, attention))}."
            )
        return None
    attentions = {
        _OF_OUTPUTS[name]: (name, value)
        for name in there
        if (value := getattr(attention, name)) is not None and len(value)
    }
    if not attentions:
        raise ValueError(
            f"The outputs hold no attention: {' and '.join(there)} "
            f"{'is' if len(there) == 1 else 'are'} None. Load the model with attn_implementation='eager' and call it "
            f"with output_attentions=True."
        )
    return attentions


def _said(kind: Kind | None, encoder_tokens: object, decoder_tokens: object) -> str:
    """The kind of a plain array, as far as the arguments say it."""
    if kind is not None:
        return kind
    if encoder_tokens is not None and decoder_tokens is not None:
        return "cross"
    return "encoder" if encoder_tokens is not None else "decoder" if decoder_tokens is not None else ""


def _guessed(kind: Kind | None, beside_cross: bool, attention: Weights) -> str:
    if kind in ("encoder", "decoder"):
        return kind
    return "decoder" if beside_cross or is_causal(attention.values) else "encoder"


class _Sides:
    """The tokens of each side; those of an only stack may be called `tokens`."""

    def __init__(self, kinds: Collection[str], tokens: Any, encoder_tokens: Any, decoder_tokens: Any):
        self.given = {"encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens}
        self.only = "decoder_tokens" if "encoder" not in kinds else "encoder_tokens" if len(kinds) == 1 else ""
        self.tokens = tokens
        if tokens is not None and (not self.only or self.given[self.only] is not None):
            raise ValueError(
                f"tokens are those of an only stack; for {' and '.join(kinds)} attention give "
                f"{self.only or 'encoder_tokens and decoder_tokens'} alone."
            )

    def of(self, name: str, kind: str) -> tuple[str, Any]:
        """The name and the value of the argument to use."""
        if self.given[name] is not None:
            return name, self.given[name]
        if name == self.only and self.tokens is not None:
            return "tokens", self.tokens
        either = "tokens" if name == self.only and kind != "cross" else name
        raise ValueError(f"{kind} attention needs {either}, a list of strings.")


def _panel(
    kind: Kind,
    attention: Weights,
    sides: _Sides,
    output_tokens: Sequence[str] | None,
    special_tokens: Collection[str] | None,
) -> AttentionPanel:
    side = "encoder_tokens" if kind == "encoder" else "decoder_tokens"
    attention = _masked_rows_emptied(attention)
    values, shift = attention.values, attention.query_axis - 2

    def named(argument: tuple[str, Any], axis: int, axis_name: str) -> tuple[str, ...]:
        name, texts = argument
        return labels(texts, name, values.shape, axis, axis_name, attention.name, shift)

    queries = named(sides.of(side, kind), 2, "queries")
    keys = named(sides.of("encoder_tokens" if kind == "cross" else side, kind), 3, "keys")
    read: tuple[str, ...] = ()
    if kind == "cross" and output_tokens is not None:
        read, queries = queries, named(("output_tokens", output_tokens), 2, "queries")
    _check_range(attention)
    _warn_of_sums(attention)
    return AttentionPanel(
        kind, values, queries, keys, specials(queries, special_tokens), specials(keys, special_tokens), read
    )


def _between_words(
    figure_panels: Sequence[AttentionPanel], words: bool | str, special_tokens: Collection[str] | None
) -> list[AttentionPanel]:
    """The panels between whole words; else between tokens, bytes of one character as one."""
    tokens = [token for panel in figure_panels for token in (*panel.queries, *panel.keys, *panel.read)]
    is_special = specials(tokens, special_tokens)
    texts = [token for token, special in zip(tokens, is_special, strict=True) if not special]
    mark = words if isinstance(words, str) else mark_of(texts)

    def grouped(tokens: Sequence[str]) -> tuple[Word, ...]:
        if words:
            return words_of(tokens, specials(tokens, special_tokens), mark)
        each = characters(tokens, specials(tokens, special_tokens), mark)
        return tuple(one._replace(text=tokens[one.start]) if one.end - one.start == 1 else one for one in each)

    return [_joined(panel, *map(grouped, (panel.queries, panel.keys, panel.read))) for panel in figure_panels]


def _joined(
    panel: AttentionPanel, rows: tuple[Word, ...], columns: tuple[Word, ...], read: tuple[Word, ...]
) -> AttentionPanel:
    beside = [next(word.text for word in read if row.start < word.end) for row in rows] if read else []
    return replace(
        panel,
        weights=joined(panel.weights, rows, columns),
        queries=tuple(row.text for row in rows),
        keys=tuple(column.text for column in columns),
        query_specials=tuple(panel.query_specials[row.start] for row in rows),
        key_specials=tuple(panel.key_specials[column.start] for column in columns),
        read=tuple(beside),
        query_edges=(*(row.start for row in rows), len(panel.queries)),
        key_edges=(*(column.start for column in columns), len(panel.keys)),
    )


def _masked_rows_emptied(attention: Weights) -> Weights:
    """Put zeros into rows that have no weights: NaN in every head of a layer, as a softmax of −∞ alone is.

    Raises ValueError for any other value that is no number.
    """
    values = attention.values
    if np.isfinite(values).all():
        return attention
    masked = np.isnan(values).all(axis=(1, 3))  # (L, Q)
    masked &= ~masked.all(axis=1, keepdims=True)  # a layer without any weights is a fault
    emptied = np.where(masked[:, None, :, None], 0, values)
    faults = np.argwhere(~np.isfinite(emptied))
    if len(faults):
        layer, head, row, _ = faults[0].tolist()
        raise ValueError(
            f"{attention.name}: row {row} of head {head} in layer {layer} holds values that are not numbers "
            f"(NaN or infinite). A row whose keys are all masked is NaN in every head of its layer."
        )
    return attention._replace(values=emptied)


def _check_range(attention: Weights) -> None:
    if attention.values.size and float(attention.values.max()) > 1 + 1e-5 and float(attention.values.min()) >= 0:
        raise ValueError(
            f"{attention.name}: attention weights lie between 0 and 1, "
            f"but the largest is {attention.values.max():.4g}. "
            f"A model in training scales them up for dropout; call model.eval() first."
        )


def _warn_of_sums(attention: Weights) -> None:
    """Rows that do not sum to 1 are drawn: they may be a part of a longer one. Most often the axes are swapped."""
    sums = attention.values.sum(axis=-1)  # (L, H, Q)
    sums = np.where((sums == 0).all(axis=1, keepdims=True), 1, sums)  # rows without weights, in all heads
    if sums.size and np.abs(sums - 1).max() > 0.01:
        layer, head, row = (int(at) for at in np.unravel_index(np.abs(sums - 1).argmax(), sums.shape))
        warnings.warn(
            f"{attention.name}: row {row} of head {head} in layer {layer} sums to {sums[layer, head, row]:.3f} "
            "instead of 1. The last axis has to be the keys.",
            stacklevel=4,
        )
