"""The kinds of attention that a user handed over, each with its tokens."""

from __future__ import annotations

import operator
import sys
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from ..data import KINDS, AttentionPanel, Kind
from ..whole_words import MARKS, Word, as_stored, is_special, mark_of, words_of
from .generated import generated
from .inputs import Weights, check_count, is_causal, item_of, numbers, weights
from .inputs import tokens as tokens_of
from .longformer import has_window, spread

_OF_OUTPUTS: dict[str, Kind | Literal[""]] = {
    "encoder_attentions": "encoder",
    "decoder_attentions": "decoder",
    "cross_attentions": "cross",
    "attentions": "",  # of the only stack, an encoder or a decoder
}
OFF = 0.01  # by which rows may miss 1 without a reason
_PACKAGE = Path(__file__).parents[1]


class Panels(NamedTuple):
    """All kinds of attention, and what is special about them.

    merged   the decoder's is one softmax over its own tokens and the source
    rest     the last column is what the rows lack to 1
    gaps     some layers have no attention
    """

    panels: list[AttentionPanel]
    merged: bool
    rest: bool
    gaps: bool


def panels(
    attention: Any,
    tokens: Sequence[str] | None,
    *,
    encoder_tokens: Sequence[str] | None = None,
    decoder_tokens: Sequence[str] | None = None,
    output_tokens: Sequence[str] | None = None,
    attention_mask: Any = None,
    decoder_attention_mask: Any = None,
    kind: Kind | None = None,
    item: int | None = None,
    special_tokens: Collection[str] | None = None,
    words: bool | str = False,
    rest_label: str = "",
) -> Panels:
    """One panel for each kind of attention, see `glassformer.attention_lines`. `rest_label` names a last column."""
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kind is one of {', '.join(KINDS)}, not {kind!r}.")
    if not isinstance(words, bool) and words not in MARKS:
        raise ValueError(f"words is True, False or one of {', '.join(MARKS)}, not {words!r}.")
    special = is_special if special_tokens is None else special_tokens.__contains__
    masks = _Masks(attention_mask, decoder_attention_mask, item)
    if steps := generated(attention, kind, item, encoder_tokens is not None):
        masks = masks._replace(item=steps.item, sequences=steps.sequences)
        steps, (tokens, decoder_tokens, output_tokens) = steps.fit(tokens, decoder_tokens, output_tokens)
        attention, item = steps.layers, None
    attentions = _named(attention)
    given = attentions or {_said(kind, encoder_tokens, decoder_tokens): ("attention", attention)}
    by_kind: dict[Kind, Weights] = {}
    for key, (name, value) in given.items():
        weights_ = _masked_rows_emptied(weights(value, name, item))
        by_kind[key or _guessed(kind, "cross" in given, weights_, attentions is not None)] = weights_
    sides = _Sides(by_kind, tokens, encoder_tokens, decoder_tokens, masks)
    by_kind, merged = _merged(by_kind, sides)
    of_tokens = [
        _panel(each, by_kind[each], sides, output_tokens, special, merged) for each in KINDS if each in by_kind
    ]
    joined = _between_words(of_tokens, words, special)
    whole = [_with_rest(panel, rest_label) for panel in joined]
    gaps = any(not panel.weights.any(axis=(1, 2, 3)).all() for panel in joined)
    return Panels(whole, merged, any(map(operator.is_not, whole, joined)), gaps)


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


def _named(attention: Any) -> dict[Kind | Literal[""], tuple[str, Any]] | None:
    """By kind, the name and the value of what a mapping or a model's outputs hold; None for a plain array."""
    if isinstance(attention, Mapping) and set(attention) & set(KINDS):
        if strange := set(attention) - set(KINDS):
            raise ValueError(f"attention has the keys {', '.join(KINDS)}, not {', '.join(map(repr, strange))}.")
        return {kind: (f"attention[{kind!r}]", value) for kind, value in attention.items()}
    there = [name for name in _OF_OUTPUTS if hasattr(attention, name)]
    if not there:
        if isinstance(attention, Mapping):
            models = [
                f"outputs.{name}" for name, its in attention.items() if any(hasattr(its, of) for of in _OF_OUTPUTS)
            ]
            if models:
                raise ValueError(
                    f"attention holds the outputs of several models: give those of one, {' or '.join(models)}."
                )
            raise ValueError(
                f"attention has none of the keys {', '.join(KINDS)}; it has {', '.join(map(str, attention))}."
            )
        return None
    attentions = {
        _OF_OUTPUTS[name]: (name, spread(attention, name) if has_window(attention, name) else value)
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


def _said(kind: Kind | None, encoder_tokens: object, decoder_tokens: object) -> Kind | Literal[""]:
    """The kind of a plain array, as far as the arguments say it."""
    if kind is not None:
        return kind
    if encoder_tokens is not None and decoder_tokens is not None:
        return "cross"
    return "encoder" if encoder_tokens is not None else "decoder" if decoder_tokens is not None else ""


def _guessed(kind: Kind | None, beside_cross: bool, attention: Weights, of_outputs: bool) -> Kind:
    if kind in ("encoder", "decoder"):
        return kind
    queries, keys = attention.values.shape[-2:]
    goes_on = of_outputs and queries == 1 < keys  # a pass with a cache; one row cannot show that it is causal
    return "decoder" if beside_cross or goes_on or is_causal(attention.values) else "encoder"


class _Masks(NamedTuple):
    """What a tokenizer calls attention masks, 1 for a token and 0 for padding: (tokens), or (batch, tokens).

    item        which one of the batch, or of the sequences
    sequences   how many were generated, several of each sentence perhaps; None of a single pass
    """

    encoder: Any
    decoder: Any
    item: int | None
    sequences: int | None = None

    def kept(self, mask: Any, name: str, length: int, grows: bool) -> np.ndarray:
        """Which of `length` tokens are no padding; where tokens are generated (`grows`), the mask is the prompt's."""
        if mask is None:
            return np.ones(length, bool)
        values = numbers(mask, name)
        if values.ndim == 2:
            item = self.item if self.sequences is None else (self.item or 0) * len(values) // self.sequences
            values = item_of(values, 0, name, item)
        if values.ndim != 1:
            raise ValueError(f"{name} needs the axes (tokens) or (batch, tokens); it has the shape {values.shape}.")
        kept = values != 0
        if grows and self.sequences is not None:
            kept = np.append(kept, np.ones(max(length - len(kept), 0), bool))[:length]
        if len(kept) != length or not kept.any():
            wrong = f"has {len(kept)} numbers for {length} tokens" if kept.any() else "leaves no token"
            raise ValueError(f"{name} {wrong}: give the attention_mask that the tokenizer made of them.")
        return kept


class _Sides:
    """The tokens of each side and which of them are no padding; those of an only stack may be called `tokens`."""

    def __init__(self, kinds: Collection[str], tokens: Any, encoder_tokens: Any, decoder_tokens: Any, masks: _Masks):
        self.given = {"encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens}
        self.only = "decoder_tokens" if "encoder" not in kinds else "encoder_tokens" if len(kinds) == 1 else ""
        self.tokens, self.masks = tokens, masks
        self.alone = len(kinds) == 1 and "cross" not in kinds
        if tokens is not None and (not self.only or self.given[self.only] is not None):
            raise ValueError(
                f"tokens are those of an only stack; for {' and '.join(kinds)} attention give "
                f"{self.only or 'encoder_tokens and decoder_tokens'} alone."
            )

    def of(self, name: str, kind: str) -> tuple[str, list[str], np.ndarray]:
        """The name and the tokens of the argument to use, and which of them are no padding."""
        used, given = name, self.given[name]
        if given is None and name == self.only:
            used, given = "tokens", self.tokens
        if given is None:
            either = "tokens" if name == self.only and kind != "cross" else name
            raise ValueError(f"{kind} attention needs {either}, a list of strings.")
        strings = tokens_of(given, used)
        mask, its = self.masks.encoder, "attention_mask"
        if name == "decoder_tokens" and not (self.alone and self.masks.decoder is None):
            mask, its = self.masks.decoder, "decoder_attention_mask"
        return used, strings, self.masks.kept(mask, its, len(strings), name == "decoder_tokens")


def _merged(by_kind: dict[Kind, Weights], sides: _Sides) -> tuple[dict[Kind, Weights], bool]:
    """Both attentions of a decoder as one of the kind "decoder" where one softmax goes over its tokens and the source:
    own keys, then those of the source.
    """
    others: dict[Kind, Weights] = {kind: attention for kind, attention in by_kind.items() if kind != "cross"}
    cross, own = by_kind.get("cross"), by_kind.get("decoder")
    if cross is None:
        return by_kind, False
    if own is None:
        both = [sides.given[name] for name in ("decoder_tokens", "encoder_tokens")]
        lengths = [len(tokens) for tokens in both if hasattr(tokens, "__len__")]
        is_merged = len(lengths) == 2 and cross.values.shape[-2:] == (lengths[0], sum(lengths))
        return (others | {"decoder": cross}, True) if is_merged else (by_kind, False)
    if own.values.shape[:3] != cross.values.shape[:3]:
        return by_kind, False
    own_sums = own.values.sum(axis=-1)
    sums = own_sums + cross.values.sum(axis=-1)
    there = sums > 0
    if not there.any() or np.abs(sums - 1)[there].max() > OFF or np.abs(own_sums - 1)[there].max() <= OFF:
        return by_kind, False
    return others | {"decoder": own._replace(values=np.concatenate([own.values, cross.values], axis=-1))}, True


def _panel(
    kind: Kind,
    attention: Weights,
    sides: _Sides,
    output_tokens: Sequence[str] | None,
    special: Callable[[str], bool],
    merged: bool,
) -> AttentionPanel:
    values = attention.values
    name, queries, query_kept = sides.of("encoder_tokens" if kind == "encoder" else "decoder_tokens", kind)
    key_name, keys, key_kept = name, queries, query_kept
    if kind == "cross":
        key_name, keys, key_kept = sides.of("encoder_tokens", kind)
    count = values.shape[2]
    if kind == "decoder":
        if not values[..., len(queries) :].any():  # the empty rest of a static cache
            values = values[..., : len(queries)]
        if count < len(queries) == values.shape[3] or merged:  # a pass that goes on with a cache
            queries, query_kept = queries[-count:], query_kept[-count:]
    if kind == "decoder" and merged:
        _, source, source_kept = sides.of("encoder_tokens", "cross")
        key_name, keys, key_kept = f"{name} and encoder_tokens", keys + source, np.append(key_kept, source_kept)

    goes_on = kind != "cross" and count < values.shape[3]
    cure = (
        " The rows of a pass that goes on with a cache are the last of the tokens: give all, those in the cache too, "
        "and kind='decoder'."
    )

    def check(strings: Sequence[str], argument: str, axis: int, axis_name: str) -> None:
        place = axis - 2 + attention.query_axis
        check_count(strings, argument, values.shape[axis], place, axis_name, attention.name, cure if goes_on else "")

    check(queries, name, 2, "queries")
    check(keys, key_name, 3, "keys")
    read: tuple[str, ...] = ()
    if kind == "cross" and output_tokens is not None:
        written = tokens_of(output_tokens, "output_tokens")
        check(written, "output_tokens", 2, "queries")
        read, queries = tuple(np.array(queries, object)[query_kept]), written
    _check_range(attention)
    _warn_of_sums(attention)
    queries, keys = (list(np.array(texts, object)[kept]) for texts, kept in ((queries, query_kept), (keys, key_kept)))
    return AttentionPanel.of_tokens(kind, values[:, :, query_kept][..., key_kept], queries, keys, read, special)


def _with_rest(panel: AttentionPanel, label: str) -> AttentionPanel:
    """The same with a last column for what its rows lack to 1, if one does: a learned sink takes it."""
    sums = panel.weights.sum(axis=-1, keepdims=True)  # (L, H, Q, 1)
    rest = np.where((sums == 0).all(axis=1, keepdims=True), 0, np.clip(1 - sums, 0, 1)).astype(panel.weights.dtype)
    if rest.max() <= OFF or sums.max() > 1 + OFF:
        return panel
    return replace(
        panel,
        weights=np.concatenate([panel.weights, rest], axis=-1),
        keys=(*panel.keys, label),
        key_specials=(*panel.key_specials, True),
        key_edges=(*panel.key_edges, panel.key_edges[-1] + 1),
    )


def _between_words(
    figure_panels: Sequence[AttentionPanel], words: bool | str, special: Callable[[str], bool]
) -> list[AttentionPanel]:
    """The panels between whole words; else between tokens, bytes of one character as one."""
    tokens = [token for panel in figure_panels for token in (*panel.queries, *panel.keys, *panel.read)]
    mark = words if isinstance(words, str) else mark_of([token for token in tokens if not special(token)])

    def grouped(tokens: Sequence[str]) -> tuple[Word, ...]:
        return (words_of if words else as_stored)(tokens, tuple(map(special, tokens)), mark)

    return [panel.between(*map(grouped, (panel.queries, panel.keys, panel.read))) for panel in figure_panels]


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
    """Rows that sum to more than 1 are drawn as they are: most often the axes are swapped."""
    sums = attention.values.sum(axis=-1)  # (L, H, Q)
    if sums.size and sums.max() > 1 + OFF:
        layer, head, row = (int(at) for at in np.unravel_index(sums.argmax(), sums.shape))
        warnings.warn(
            f"{attention.name}: row {row} of head {head} in layer {layer} sums to {sums[layer, head, row]:.3f} "
            "instead of 1. The last axis has to be the keys.",
            stacklevel=_outside(),
        )


def _outside() -> int:
    """The level of the first caller that is no part of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and Path(frame.f_code.co_filename).is_relative_to(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
