"""Checks of users' input, which becomes arrays and labels; an error names the argument and the axis that is wrong.

L layers, B batch, H heads, Q queries, K keys.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

_SPECIAL = re.compile(r"<(?!0x)[^<>]+>|\[[A-Z]+\]")  # <s>, </s>, <|endoftext|>, [CLS], but no byte such as <0x0A>


class Weights(NamedTuple):
    """The weights of one kind of attention.

    name         the argument they came in, for errors
    values       (L, H, Q, K)
    query_axis   the axis of the queries in what was given; the keys are the next one
    """

    name: str
    values: np.ndarray
    query_axis: int


def weights(value: Any, name: str, item: int | None = None, last: str = "queries, keys") -> Weights:
    """Attention weights as (L, H, Q, K).

    value   an array, tensor or nested list: (H, Q, K), (L, H, Q, K) or (L, B, H, Q, K); or a list or tuple of L arrays
            or tensors: (H, Q, K) or, as transformers returns them, (B, H, Q, K)
    item    which one of a batch; may be left out if B is 1
    last    what errors call the last two axes

    Raises TypeError or ValueError.
    """
    if isinstance(value, list | tuple) and any(each is None or _is_array(each) for each in value):
        return _of_layers(value, name, item, last)
    values = numbers(value, name)
    axes = {3: f"heads, {last}", 4: f"layers, heads, {last}", 5: f"layers, batch, heads, {last}"}
    if values.ndim not in axes:
        raise ValueError(f"{name} needs the axes ({axes[3]}) or ({axes[4]}); it has {_axes(values)}.")
    query_axis = values.ndim - 2
    if values.ndim == 5:
        values = _item(values, 1, name, item)
    elif item not in (None, 0):
        raise ValueError(
            f"{name} has no batch axis, so item={item} chooses nothing; its axes are ({axes[values.ndim]})."
        )
    return Weights(name, _floats(values[None] if values.ndim == 3 else values), query_axis)


def _of_layers(layers_of_model: Sequence[Any], name: str, item: int | None, last: str) -> Weights:
    if None in [each if each is None else 0 for each in layers_of_model]:
        layer = next(i for i, each in enumerate(layers_of_model) if each is None)
        raise ValueError(
            f"{name}: layer {layer} has no weights (None). Load the model with attn_implementation='eager' and call it "
            f"with output_attentions=True."
        )
    layers = [numbers(each, f"{name}, layer {i}") for i, each in enumerate(layers_of_model)]
    shape = layers[0].shape
    names = {3: f"heads, {last}", 4: f"batch, heads, {last}"}.get(len(shape))
    if names is None:
        raise ValueError(
            f"{name}: each layer needs the axes (heads, {last}) or (batch, heads, {last}); "
            f"layer 0 has {_axes(layers[0])}."
        )
    for i, layer in enumerate(layers):
        if layer.ndim != len(shape):
            raise ValueError(f"{name}: layer {i} has {_axes(layer)}, but layer 0 has {_axes(layers[0])}.")
        for axis, (size, expected) in enumerate(zip(layer.shape, shape, strict=True)):
            if size != expected:
                raise ValueError(
                    f"{name}: axis {axis} ({names.split(', ')[axis]}) of layer {i} is {size}, of layer 0 {expected}."
                )
    if len(shape) == 4:
        layers = [_item(layer, 0, name, item) for layer in layers]
    elif item not in (None, 0):
        raise ValueError(f"{name} has no batch axis, so item={item} chooses nothing; a layer has (heads, {last}).")
    return Weights(name, _floats(np.stack(layers)), len(shape) - 2)


def _item(values: np.ndarray, axis: int, name: str, item: int | None) -> np.ndarray:
    count = values.shape[axis]
    if item is None and count != 1:
        raise ValueError(f"{name}: axis {axis} (batch) has {count} items; choose one, item=0 to item={count - 1}.")
    if item is not None and not 0 <= item < count:
        raise ValueError(f"{name}: axis {axis} (batch) has {count} items, 0 to {count - 1}; there is no item={item}.")
    return values.take(item or 0, axis=axis)


def numbers(array: Any, name: str) -> np.ndarray:
    """An array of numbers or of true and false. Raises TypeError or ValueError."""
    if hasattr(array, "detach"):  # a tensor of torch, on any device
        array = array.detach().cpu()
        if "bfloat16" in str(array.dtype):  # numpy has no such numbers
            array = array.float()
        array = array.numpy()
    try:
        values = np.asarray(array)
    except ValueError as error:
        raise ValueError(f"{name} is a list whose rows have different lengths: {error}") from error
    if values.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers: an array, a tensor or nested lists, not {type(array).__name__}.")
    return values


def labels(
    texts: Any, name: str, shape: Sequence[int], axis: int, axis_name: str, of: str, shift: int = 0
) -> tuple[str, ...]:
    """Strings, one for each place of an axis.

    `of` names what has the axis, in errors; `shift` is what to add to the axis for the caller's number of it.
    """
    if isinstance(texts, str) or not hasattr(texts, "__len__"):
        raise TypeError(f"{name} must be a list of strings, not {type(texts).__name__}.")
    strings = list(texts)
    if other := [type(each).__name__ for each in strings if not isinstance(each, str)]:
        raise TypeError(
            f"{name} must be a list of strings, but holds {other[0]} values; "
            f"tokenizer.convert_ids_to_tokens(ids) makes tokens of ids."
        )
    if len(strings) != shape[axis]:
        raise ValueError(
            f"{of}: axis {axis + shift} ({axis_name}) has {_counted(shape[axis], axis_name)}, "
            f"but {len(strings)} {'tokens' if 'token' in name else 'labels'} were given as {name}."
        )
    return tuple(map(str, strings))


def specials(tokens: Sequence[str], names: Collection[str] | None) -> tuple[bool, ...]:
    """Which tokens are special: those that are known as such, else those spelled like <s> or [CLS]."""
    return tuple(token in names if names is not None else bool(_SPECIAL.fullmatch(token)) for token in tokens)


def is_causal(values: np.ndarray) -> bool:
    """Whether nothing later is looked at, in (L, H, Q, K)."""
    queries, keys = values.shape[-2:]
    return queries == keys > 1 and not np.triu(values, 1).any()


def _counted(count: int, axis_name: str) -> str:
    one, several = ("column", "columns") if axis_name in ("keys", "columns") else ("row", "rows")
    return f"{count} {one if count == 1 else several}"


def _is_array(value: Any) -> bool:
    return hasattr(value, "ndim") and hasattr(value, "shape") and value.ndim > 0


def _axes(values: np.ndarray) -> str:
    return f"{values.ndim} {'axis' if values.ndim == 1 else 'axes'}, the shape {values.shape}"


def _floats(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float64 if values.dtype == np.float64 else np.float32)
