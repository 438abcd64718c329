"""A recorded pass: values as `python -m model trace` names them (docs/traces.md), or as docs/recordings.md does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..data import KINDS
from ..figures.attention import AttentionFigure
from ..figures.matrices import MatrixFigure
from .attention import head_wall
from .inputs import numbers
from .matrices import labelled
from .texts import matrix_words, tag

TOKEN_LISTS = ("source_tokens", "target_tokens", "output_tokens")
_WEIGHTS = re.compile(r"(encoder|decoder)\.(\d+)\.(self|cross)_attention\.weights")
_OF_PAIRS = ("scores", "masked_scores", "position_bias", "weights")  # (…, Q, K)
_OF_KEYS = ("k", "v", "unrotated_k")


def trace(
    recording: Mapping[str, Any] | str | PathLike[str],
    name: str | None = None,
    *,
    words: bool | str = False,
    layers: Sequence[int] | None = None,
    heads: Sequence[int] | None = None,
    title: str = "",
    language: str = "en",
) -> AttentionFigure | MatrixFigure:
    """The attention of a recorded pass, or one of its values.

    recording   the path of an .npz, or a dict: arrays under names such as "decoder.0.cross_attention.weights", which
                is (H, Q, K), or "cross_attention", all layers in one (L, H, Q, K), and lists of tokens:
                "source_tokens", read by the encoder, "target_tokens", read by the decoder, "output_tokens", written
                by it. docs/recordings.md
    name        a value to show as a matrix, each head beside the others; left out, all attention weights
    words       of attention: whether to join the tokens of a word, as in `attention_lines`
    layers, heads   of long inputs, see `head_wall`

    Raises ValueError, TypeError or, for a file that is not there, FileNotFoundError.

    >>> trace("trace.npz").save("attention.html")
    >>> trace("trace.npz", "encoder.0.feed_forward.hidden")
    """
    values = _loaded(recording)
    tokens = {each: [str(token) for token in values[each]] for each in TOKEN_LISTS if each in values}
    if name is None:
        look = {"words": words, "layers": layers, "heads": heads, "title": title, "language": language}
        return _attention(values, tokens, look)
    if words:
        raise ValueError(f"words joins attention weights; {name!r} is shown as it is.")
    if name in TOKEN_LISTS or name not in values:
        some = [each for each in values if each not in TOKEN_LISTS][:4]
        raise ValueError(f"The recording has no value {name!r}; it has {', '.join(some)}, …")
    return _matrices(name, numbers(values[name], name), tokens, title, language)


def _loaded(recording: Any) -> dict[str, Any]:
    if isinstance(recording, Mapping):
        return dict(recording)
    file = Path(recording)
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, AttributeError, TypeError) as error:
        raise ValueError(f"{file} is not an .npz of arrays without pickles: {error}") from error


def _attention(values: Mapping[str, Any], tokens: dict[str, list[str]], look: dict[str, Any]) -> AttentionFigure:
    layers: dict[str, dict[int, Any]] = {}
    for name, value in values.items():
        if match := _WEIGHTS.fullmatch(name):
            kind = "cross" if match[3] == "cross" else match[1]
            layers.setdefault(kind, {})[int(match[2])] = value
    if both := [kind for kind in layers if f"{kind}_attention" in values]:
        raise ValueError(
            f"The recording holds {both[0]} weights of single layers and as {both[0]}_attention: keep one."
        )
    whole = {kind: values[name] for kind in KINDS if (name := f"{kind}_attention") in values}
    if not layers and not whole:
        raise ValueError("The recording has no attention weights, such as encoder.0.self_attention.weights.")
    for kind, by_layer in layers.items():
        if missing := set(range(max(by_layer))) - set(by_layer):
            raise ValueError(
                f"The recording has {kind} weights of layer {max(by_layer)}, but not of layer {min(missing)}."
            )
    side = {"encoder": "source_tokens", "decoder": "target_tokens", "cross": "target_tokens"}
    attentions = {kind: [by_layer[layer] for layer in sorted(by_layer)] for kind, by_layer in layers.items()} | whole
    lists = {side[kind] for kind in attentions} | ({"source_tokens"} if "cross" in attentions else set())
    if missing_lists := lists - set(tokens):
        raise ValueError(f"The recording needs {' and '.join(sorted(missing_lists))}, a list of strings.")
    return head_wall(
        attentions,
        encoder_tokens=tokens.get("source_tokens"),
        decoder_tokens=tokens.get("target_tokens"),
        output_tokens=tokens.get("output_tokens") or None,
        **look,
    )


def _matrices(name: str, array: np.ndarray, tokens: dict[str, list[str]], title: str, language: str) -> MatrixFigure:
    if array.ndim == 4:
        raise ValueError(f"{name} holds all layers: leave the name out to see its heads.")
    if array.ndim not in (2, 3):
        raise ValueError(
            f"{name} needs the axes (rows, columns) or (heads, rows, columns); it has the shape {array.shape}."
        )
    rows, columns = _labels(name, tokens)
    if array.ndim == 2:
        matrices = [labelled(array, name, name, rows, columns)]
    else:
        matrices = [
            labelled(part, f"{name}.{head}", f"{name} · {head}", rows, columns) for head, part in enumerate(array)
        ]
    return MatrixFigure(matrices, words=matrix_words(language), title=title, language=tag(language))


def _labels(name: str, tokens: Mapping[str, Sequence[str]]) -> tuple[Sequence[str] | None, Sequence[str] | None]:
    """The tokens of the rows, and of the columns where these are keys; None where they are not known."""
    source, target, output = (tokens.get(each) or None for each in TOKEN_LISTS)
    side, part, cross = name.split(".")[0], name.split(".")[-1], ".cross_attention." in name
    keys = source if side == "encoder" or cross else target
    if part in _OF_PAIRS:
        return (output if cross else keys), keys
    if cross:
        return (keys if part in _OF_KEYS else output), None
    if name == "logits":
        return output, None
    return (source if side == "encoder" else target or source), None
