"""A stranger's history.npz, held to limits and to its model before any page reads it.

An .npz is a zip of arrays. The header of each is read before its values: kind, type and shape are those that the
model and the history's own words ask for, and no array can hold objects, so nothing in it is ever executed.
"""

from collections.abc import Mapping
from io import BytesIO
from math import isfinite
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np

from model.checkpoint.history import DAMAGES, MOST, Point, points
from model.checkpoint.snapshots import EMBEDDING, Snapshot, unpacked
from model.config import TransformerConfig
from model.errors import InvalidInput
from model.trace import ATTENTION_KINDS
from model.upload import zip_file
from model.upload.array_file import HEADER, read_array

BYTES = 16_000_000  # of all arrays
TEXT, NAME = 300_000, 200  # characters of what is said, bytes of one line in the zip's list of files
LONGEST, SAMPLES = 2000, 100  # characters of one text, samples of a moment
POINTS = 5000  # of a curve
Shapes = Mapping[str, tuple[int, ...]]


def opened(data: bytes, config: TransformerConfig, shapes: Shapes) -> tuple[list[Snapshot], list[Point]]:
    """Moments and curve of a file; `shapes` are the weights'. Raises `InvalidInput` for anything else."""
    try:
        arrays = _arrays(data, MOST * (len(shapes) + len(ATTENTION_KINDS) + 1) + 2)
        texts = zip_file.strict_json(str(arrays.pop("said")))
        curve = _curve(arrays.pop("curve")) if "curve" in arrays else []
        _need(isinstance(texts, list) and len(texts) <= MOST)
        moments = []
        for number, words in enumerate(texts):
            own = {name.partition("/")[2]: arrays.pop(name) for name in list(arrays) if _of(name) == str(number)}
            moments.append(_moment(words, own, config, shapes))
        _need(not arrays and _rising([moment.step for moment in moments]))
    except (*DAMAGES, *zip_file.DAMAGE, RecursionError, IndexError, MemoryError):
        raise InvalidInput("exchange_history") from None
    return moments, curve


def _need(holds: object) -> None:
    if not holds:
        raise ValueError


def _of(name: str) -> str:
    return name.partition("/")[0]


def _rising(steps: list[int]) -> bool:
    return all(a < b for a, b in zip([-1, *steps], [*steps, 10**9], strict=True))


# arrays


def _arrays(data: bytes, most: int) -> dict[str, np.ndarray]:
    """By name; the zip's list of files is read only when it is known to be short."""
    zip_file.check_end(data, NAME * most)
    with ZipFile(BytesIO(data)) as file:
        infos = file.infolist()
        _need(len(infos) <= most and sum(info.file_size for info in infos) <= BYTES)
        _need(all(info.compress_type in (ZIP_STORED, ZIP_DEFLATED) for info in infos))
        info_of = {info.filename.removesuffix(".npy"): info for info in infos}
        _need(len(info_of) == len(infos))
        _need("curve" not in info_of or info_of["curve"].file_size <= HEADER + 32 * POINTS)
        return {name: _array(zip_file.unpacked(file, info)) for name, info in info_of.items()}


def _array(data: bytes) -> np.ndarray:
    """The array of one .npy, which holds one text, or numbers of the two types that a history has."""
    array = read_array(data)
    text = array.dtype.kind == "U" and array.shape == () and 0 < array.dtype.itemsize <= 4 * TEXT
    _need(array.flags.c_contiguous and (text or array.dtype in (np.dtype("<f2"), np.dtype("<f8"))))
    return array


# what they mean


def _curve(rows: np.ndarray) -> list[Point]:
    """The points of (N, 4): step, loss, and two that need not have been measured."""
    _need(rows.dtype == np.float64 and rows.ndim == 2 and rows.shape[1] == 4 and len(rows) <= POINTS)
    curve = points(rows)
    _need(all(isfinite(value) for p in curve for value in (p.loss, p.validation_loss or 0)))
    _need(all(0 <= (p.exact or 0) <= 1 for p in curve) and _rising([p.step for p in curve]))
    return curve


def _moment(words: dict, arrays: dict[str, np.ndarray], config: TransformerConfig, shapes: Shapes) -> Snapshot:
    _need(set(words) == {"step", "look", "energy", "samples"} and type(words["step"]) is int)
    probe, energy, samples = words["look"], words["energy"], words["samples"]
    _need(set(energy) == {"embedding", "position", "d_model"} and energy["d_model"] == config.d_model)
    _need(all(type(value) in (int, float) and 0 <= value < 1e9 for value in energy.values()))
    _need(isinstance(samples, list) and len(samples) <= SAMPLES)
    for sample in samples:
        _need(set(sample) == {"source", "reference", "output", "held_out"} and type(sample["held_out"]) is bool)
        _need(all(map(_is_text, (sample["source"], sample["reference"], sample["output"]))))
    _need(set(probe) == {"sentence", "output", "source_tokens", "target_tokens", "output_tokens", "weights"})
    _need(_is_text(probe["sentence"]) and _is_text(probe["output"]))
    for tokens in (probe["source_tokens"], probe["target_tokens"], probe["output_tokens"]):
        _need(isinstance(tokens, list) and len(tokens) <= config.max_length and all(map(_is_text, tokens)))
    _need(probe["source_tokens"] or config.architecture == "decoder")
    _need(probe["target_tokens"] or config.architecture == "encoder")
    output = probe["source_tokens" if config.architecture == "encoder" else "target_tokens"]
    _need(len(probe["output_tokens"]) in (0, len(output)))
    expected = _attention(config, len(probe["source_tokens"]), len(probe["target_tokens"]))
    if any(name.startswith("weights/") for name in arrays):
        expected |= {f"weights/{name}": shape for name, shape in shapes.items()}
    if EMBEDDING in arrays:
        side = "target" if config.target_vocabulary else "source"
        expected[EMBEDDING] = shapes[f"{side}_embedding.weight"]
    _need({name: value.shape for name, value in arrays.items()} == expected)
    for name, value in arrays.items():
        _need(value.dtype == np.float16 and np.isfinite(value).all())
        _need(name == EMBEDDING or name.startswith("weights/") or ((value >= 0) & (value <= 1)).all())
    return unpacked(words, arrays)


def _attention(config: TransformerConfig, source: int, target: int) -> dict[str, tuple[int, ...]]:
    """The shapes of all attention of one pass."""
    shapes: dict[str, tuple[int, ...]] = {}
    if config.architecture != "decoder":
        shapes["attention/encoder"] = (config.encoder_layers, config.heads, source, source)
    if config.architecture != "encoder":
        shapes["attention/decoder"] = (config.decoder_layers, config.heads, target, target)
    if config.architecture == "encoder-decoder":
        shapes["attention/cross"] = (config.decoder_layers, config.heads, target, source)
    return shapes


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST
