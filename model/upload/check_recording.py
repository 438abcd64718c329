"""A stranger's recording.npz, held to what pages rely on and written anew: weights of every layer, and tokens.

Two ways to name the weights: as a trace does, an array (H, Q, K) for each layer, or one array (L, H, Q, K) for each
kind. L layers, H heads, Q queries, K keys; S tokens of the source, T of the target.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoint.recording import FILE, TASK, Recording
from model.checkpoint.user_models import clean_name
from model.errors import InvalidInput
from model.tokenization.token_text import joined
from model.trace import ATTENTION_KINDS, TOKEN_LISTS, AttentionKind, Trace, path
from model.upload import zip_file
from model.upload.array_file import read_array
from model.upload.zip_file import ArchiveLimits

# as many arrays as a trace of a large model may hold
# sharp attention packs well, and what is unpacked has its own limit
LIMITS = ArchiveLimits(files=3000, directory=500_000, ratio=2000)
LAYERS, HEADS, TOKENS, CHARACTERS = 64, 64, 256, 60  # at most; characters of one token
NUMBERS = 12_000_000  # of all weights: 48 MB in single precision
TOLERANCE = 0.01  # of the sum of a row: weights may be stored in half precision
ROUNDING = 1e-5  # by which a weight may leave the range from 0 to 1
SHORT: dict[str, AttentionKind] = {f"{kind}_attention": kind for kind in ATTENTION_KINDS}
_LAYER = {
    kind: re.compile(re.escape(path(kind, "#")).replace(r"\#", r"(0|[1-9][0-9]?)") + r"\.weights")
    for kind in ATTENTION_KINDS
}
_TRACE = re.compile(r"(encoder|decoder)\..+|logits|output_transform")  # of a trace, and of no use here
_AXES = {"encoder": ("source", "source"), "decoder": ("target", "target"), "cross": ("target", "source")}
UNTOLD = "…"  # in place of the token that a recording does not tell: what the last position wrote


def unpack(data: bytes, into: Path, name: str) -> Recording:
    """Check an .npz and write what is needed of it as a new folder in `into`; raises `InvalidInput`."""
    trace = read(data)
    folder = into / clean_name(name)
    folder.mkdir()
    trace.save(folder / FILE, packed=False)
    for file, content in (("config.json", _config(trace)), ("card.json", _card(trace))):
        (folder / file).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return Recording(folder)


def _config(trace: Trace) -> dict[str, Any]:
    """Infer the config from the weights' shapes: architecture, layers and heads."""
    shapes = {kind: trace.weights(kind).shape for kind in trace.kinds}
    layers = {kind: shapes[kind][0] if kind in shapes else 0 for kind in ATTENTION_KINDS}
    reads, writes = "encoder" in shapes or "cross" in shapes, "decoder" in shapes or "cross" in shapes
    return {
        "architecture": "encoder-decoder" if reads and writes else "encoder" if reads else "decoder",
        "encoder_layers": layers["encoder"],
        "decoder_layers": max(layers["decoder"], layers["cross"]),
        "heads": max(shape[1] for shape in shapes.values()),
        "position": "none",
    }


def _card(trace: Trace) -> dict[str, Any]:
    """The sentence, what was written for it, and the head to look at first."""
    first = "cross" if "cross" in trace.kinds else trace.kinds[0]
    return {
        "task": TASK,
        "examples": [joined(trace.source_tokens or trace.target_tokens)],
        "example_translation": joined(trace.output_tokens) if trace.source_tokens else "",
        "first_look": {"attention_kind": first, "layer": 0, "head": 0},
    }


def read(data: bytes) -> Trace:
    """The weights and tokens of a file, with nothing else in it; raises `InvalidInput`."""
    arrays = _arrays(data)
    weights = _weights(arrays)
    tokens = {each: _tokens(each, arrays[each]) if each in arrays else () for each in TOKEN_LISTS}
    source, target, output = (tokens[each] for each in TOKEN_LISTS)
    if not target:  # an encoder's output is of no figure here
        output = ()
    elif not output:
        output = (*target[1:], UNTOLD)
    elif len(output) != len(target):
        raise InvalidInput("recording_tokens", name="output_tokens", found=len(output), needed=len(target))
    counts = {"source": len(source), "target": len(target)}
    numbers = sum(array.size for layers in weights.values() for array in layers.values())
    if numbers > NUMBERS:
        raise InvalidInput("recording_large", count=f"{numbers:,}", limit=f"{NUMBERS:,}")
    for kind, layers in weights.items():
        for name, array in layers.items():
            _check_weights(name, array, kind, counts, next(iter(layers.values())).shape)
    values = {
        f"{path(kind, layer)}.weights": array.astype(np.float32)
        for kind, layers in weights.items()
        for layer, array in enumerate(layers.values())
    }
    return Trace(values, source, target, output)


def _arrays(data: bytes) -> dict[str, np.ndarray]:
    try:
        _, files = zip_file.read(data, LIMITS)
    except InvalidInput as error:
        if error.code in ("exchange_bytes", "exchange_unpacked"):
            raise InvalidInput("recording_bytes", **error.values) from None
        if error.code in ("exchange_folders", "exchange_path", "exchange_twice"):
            raise InvalidInput("recording_names", names=", ".join((*SHORT, *TOKEN_LISTS))) from None
        if error.code in ("exchange_files", "exchange_directory"):
            raise InvalidInput("recording_files", limit=LIMITS.files) from None
        raise InvalidInput("recording_zip") from None
    arrays: dict[str, np.ndarray] = {}
    for file, content in files.items():
        name = file.removesuffix(".npy")
        is_known = name in SHORT or name in TOKEN_LISTS or any(each.fullmatch(name) for each in _LAYER.values())
        other = _TRACE.fullmatch(name) and "weight" not in name  # of a trace, and a misspelt name is none
        if name == file or not (is_known or other):
            raise InvalidInput("recording_name", name=name, names=", ".join((*SHORT, *TOKEN_LISTS)))
        if is_known:
            try:
                arrays[name] = read_array(content)
            except ValueError:
                raise InvalidInput("recording_array", name=name) from None
    return arrays


def _weights(arrays: Mapping[str, np.ndarray]) -> dict[AttentionKind, dict[str, np.ndarray]]:
    """By kind, the array (H, Q, K) of each layer in order, under the name that a sentence about it uses."""
    weights: dict[AttentionKind, dict[str, np.ndarray]] = {}
    for kind in ATTENTION_KINDS:
        name_of = {int(m[1]): name for name in arrays if (m := _LAYER[kind].fullmatch(name))}
        short = arrays.get(f"{kind}_attention")
        if short is not None:
            if name_of:
                raise InvalidInput("recording_twice", name=f"{kind}_attention", other=name_of[min(name_of)])
            if short.ndim != 4:
                raise InvalidInput(
                    "recording_axes", name=f"{kind}_attention", axes="(layers, heads, queries, keys)", found=short.shape
                )
            _check_layers(f"{kind}_attention", len(short))
            weights[kind] = {f"{kind}_attention[{layer}]": each for layer, each in enumerate(short)}
        elif name_of:
            missing = next((layer for layer in range(max(name_of)) if layer not in name_of), None)
            if missing is not None:
                raise InvalidInput("recording_layer", name=f"{path(kind, missing)}.weights")
            _check_layers(path(kind, "*"), len(name_of))
            weights[kind] = {name_of[layer]: arrays[name_of[layer]] for layer in sorted(name_of)}
    if not weights:
        raise InvalidInput("recording_empty", names=", ".join(SHORT))
    return weights


def _check_layers(name: str, count: int) -> None:
    if not 0 < count <= LAYERS:
        raise InvalidInput("recording_layers", name=name, count=count, limit=LAYERS)


def _tokens(name: str, array: np.ndarray) -> tuple[str, ...]:
    """Strings that can be shown; unseen characters become visible ones."""
    if array.ndim != 1 or (array.dtype.kind not in "US" and array.size):
        raise InvalidInput("recording_strings", name=name)
    if len(array) > TOKENS:
        raise InvalidInput("recording_many", name=name, count=len(array), limit=TOKENS)
    try:
        if array.dtype.kind == "S":  # no longer than what is refused below: UTF-8 has up to 4 bytes for a character
            array = np.char.decode(array.astype(f"S{4 * CHARACTERS + 4}"), "utf-8", "replace")
        tokens = [str(token) for token in array]
        "".join(tokens).encode()  # half characters cannot be shown
    except (ValueError, SystemError):  # the latter for numbers that no character has
        raise InvalidInput("recording_strings", name=name) from None
    if long := next((token for token in tokens if len(token) > CHARACTERS), None):
        raise InvalidInput("recording_long", name=name, token=_visible(long[:20]), limit=CHARACTERS)
    return tuple(map(_visible, tokens))


def _visible(token: str) -> str:
    return "".join(c if c.isprintable() else "␣" if c.isspace() else "�" for c in token)


def _check_weights(
    name: str, array: np.ndarray, kind: AttentionKind, counts: Mapping[str, int], first: tuple[int, ...]
) -> None:
    """Axes, as many heads as the `first` layer, tokens, then numbers: finite, from 0 to 1, each row a sum of 1."""
    if array.ndim != 3:
        raise InvalidInput("recording_axes", name=name, axes="(heads, queries, keys)", found=array.shape)
    if array.dtype.kind != "f":
        raise InvalidInput("recording_numbers", name=name, found=str(array.dtype))
    if not 0 < array.shape[0] <= HEADS or array.shape[0] != first[0]:
        raise InvalidInput("recording_heads", name=name, count=array.shape[0], first=first[0], limit=HEADS)
    for side, axis, length in zip(_AXES[kind], ("queries", "keys"), array.shape[1:], strict=True):
        if not counts[side]:
            raise InvalidInput("recording_missing", tokens=f"{side}_tokens", name=name)
        if length != counts[side] or not length:
            raise InvalidInput(
                f"recording_{axis}", name=name, found=length, tokens=f"{side}_tokens", needed=counts[side]
            )
    if not np.isfinite(array).all():
        raise InvalidInput("recording_finite", name=name)
    sums = array.sum(axis=-1, dtype=np.float64)  # (H, Q)
    outside = np.maximum(-array, array - 1)
    if outside.max() > ROUNDING:
        head, row, column = (int(at) for at in np.unravel_index(outside.argmax(), array.shape))
        value = f"{array[head, row, column]:.7g}"
        raise InvalidInput("recording_range", name=name, head=head, row=row, column=column, value=value)
    if np.abs(sums - 1).max() > TOLERANCE:
        head, row = (int(at) for at in np.unravel_index(np.abs(sums - 1).argmax(), sums.shape))
        raise InvalidInput("recording_sum", name=name, head=head, row=row, sum=f"{sums[head, row]:.3f}")
