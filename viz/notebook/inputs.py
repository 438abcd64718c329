"""Checks of users' input, which becomes arrays and labels; an error names the argument and the axis that is wrong.

L layers, B batch, H heads, Q queries, K keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

_SURROGATE = re.compile("[\ud800-\udfff]")


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
        raise ValueError(
            f"{name} needs the axes ({axes[3]}) or ({axes[4]}); it has {_axes(values)}."
            f"{_one_head(values.ndim, 'weights[None]')}"
        )
    query_axis = values.ndim - 2
    if values.ndim == 5:
        values = item_of(values, 1, name, item)
    elif item not in (None, 0):
        raise ValueError(
            f"{name} has no batch axis, so item={item} chooses nothing; its axes are ({axes[values.ndim]})."
        )
    return Weights(name, _floats(values[None] if values.ndim == 3 else values), query_axis)


def _of_layers(layers_of_model: Sequence[Any], name: str, item: int | None, last: str) -> Weights:
    given = {i: numbers(each, f"{name}, layer {i}") for i, each in enumerate(layers_of_model) if each is not None}
    if not given:
        raise ValueError(no_weights(name))
    start = next(iter(given))
    shape = given[start].shape
    names = {3: f"heads, {last}", 4: f"batch, heads, {last}"}.get(len(shape))
    if names is None:
        raise ValueError(
            f"{name}: each layer needs the axes (heads, {last}) or (batch, heads, {last}); "
            f"layer {start} has {_axes(given[start])}.{_one_head(len(shape), '[weights[None]]')}"
        )
    for i, layer in given.items():
        if layer.ndim != len(shape):
            raise ValueError(f"{name}: layer {i} has {_axes(layer)}, but layer {start} has {_axes(given[start])}.")
        for axis, (size, expected) in enumerate(zip(layer.shape, shape, strict=True)):
            if size != expected:
                axis_name = names.split(", ")[axis]
                raise ValueError(
                    f"{name}: axis {axis} ({axis_name}) of layer {i} is {size}, of layer {start} {expected}."
                )
    # a layer without attention, as a hybrid model has them, has no weights
    layers = [given.get(i, np.zeros_like(given[start])) for i in range(len(layers_of_model))]
    if len(shape) == 4:
        layers = [item_of(layer, 0, name, item) for layer in layers]
    elif item not in (None, 0):
        raise ValueError(f"{name} has no batch axis, so item={item} chooses nothing; a layer has (heads, {last}).")
    return Weights(name, _floats(np.stack(layers)), len(shape) - 2)


def no_weights(name: str) -> str:
    """What is said where a model hands out no weights at all."""
    return (
        f"{name}: no layer has weights (None). Load the model with attn_implementation='eager' and call it with "
        f"output_attentions=True."
    )


def _one_head(axes: int, given: str) -> str:
    return f" One head alone, (queries, keys), is given as {given}." if axes == 2 else ""


def item_of(values: np.ndarray, axis: int, name: str, item: int | None) -> np.ndarray:
    count = values.shape[axis]
    if item is None and count != 1:
        raise ValueError(f"{name}: axis {axis} (batch) has {count} items; choose one, item=0 to item={count - 1}.")
    if item is not None and not 0 <= item < count:
        raise ValueError(f"{name}: axis {axis} (batch) has {count} items, 0 to {count - 1}; there is no item={item}.")
    return values.take(item or 0, axis=axis)


@contextmanager
def in_memory() -> Iterator[None]:
    """What is done inside raises ValueError in place of MemoryError."""
    try:
        yield
    except MemoryError:
        raise ValueError(
            "These numbers do not fit into this computer's memory: show fewer rows and columns, layers or heads."
        ) from None


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


def tokens(texts: Any, name: str) -> list[str]:
    """Strings; of an id that the tokenizer does not know, which is None, its place among them. Raises TypeError."""
    each = [f"#{place}" if text is None else text for place, text in enumerate(_listed(texts, name))]
    return _strings(each, name, "tokenizer.convert_ids_to_tokens(ids) makes tokens of ids")


def names(texts: Any, name: str) -> list[str]:
    """Strings of the rows or columns of a matrix. Raises TypeError."""
    return _strings(_listed(texts, name), name, f"{name}=[str(label) for label in labels] makes strings of them")


def _listed(texts: Any, name: str) -> list[Any]:
    if isinstance(texts, str) or not hasattr(texts, "__len__"):
        raise TypeError(f"{name} must be a list of strings, not {type(texts).__name__}.")
    return list(texts)


def _strings(texts: list[Any], name: str, cure: str) -> list[str]:
    if other := [type(each).__name__ for each in texts if not isinstance(each, str)]:
        raise TypeError(f"{name} must be a list of strings, but holds {other[0]} values; {cure}.")
    return [whole_text(text) for text in texts]


def whole_text(text: str) -> str:
    """A text in which half of a pair of surrogates, which no file can hold, is the sign for a character not known."""
    return _SURROGATE.sub("\ufffd", str(text))


def check_count(
    strings: Sequence[str], name: str, count: int, axis: int, axis_name: str, of: str, cure: str = ""
) -> None:
    """Raise ValueError unless there is a string for each place of an axis; `of` names what has the axis."""
    if len(strings) != count:
        raise ValueError(
            f"{of}: axis {axis} ({axis_name}) has {_counted(count, axis_name)}, "
            f"but {len(strings)} {'tokens' if 'token' in name else 'labels'} were given as {name}.{cure}"
        )


def is_causal(values: np.ndarray) -> bool:
    """Whether nothing later is looked at, in (L, H, Q, K), where the queries are the last of the keys.

    Keys behind them that nobody looks at are the empty rest of a static cache. A row that gives each key the same in
    every head is one whose keys are all masked, such as padding on the left; it says nothing.
    """
    queries, keys = values.shape[-2:]
    used = np.flatnonzero(values.any(axis=(0, 1, 2)))
    keys = max(queries, int(used[-1]) + 1 if len(used) else 0)
    says = (values.max(axis=-1) > values.min(axis=-1)).any(axis=(0, 1))  # (Q)
    return queries > 1 and bool(says[:-1].any()) and not np.triu(values, keys - queries + 1)[:, :, says].any()


def _counted(count: int, axis_name: str) -> str:
    one, several = ("column", "columns") if axis_name in ("keys", "columns") else ("row", "rows")
    return f"{count} {one if count == 1 else several}"


def _is_array(value: Any) -> bool:
    return hasattr(value, "ndim") and hasattr(value, "shape") and value.ndim > 0


def _axes(values: np.ndarray) -> str:
    return f"{values.ndim} {'axis' if values.ndim == 1 else 'axes'}, the shape {values.shape}"


def _floats(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float64 if values.dtype == np.float64 else np.float32)
