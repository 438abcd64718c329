"""The fitted lenses of a checkpoint, and their file beside it. Needs no torch.

Each row of a matrix is stored as whole numbers from −127 to 127 and one scale, which halves the file and changes the
agreement of de-en's lenses by 0.3 of 100 tokens at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from model.analysis.logit_lens import Translator, Translators
from model.analysis.residual_stream import INPUT
from model.config import TransformerConfig

FILE = "lenses.safetensors"
KINDS = ("jacobian", "tuned", "source")
STEPS = 127  # of a whole number of 8 bits, to either side of 0


@dataclass(frozen=True)
class FittedLenses:
    """By depth of the stream, what each lens does to a vector before the model's own ending reads it.

    jacobian, tuned  of the decoder's depths but the last
    source           the Jacobian lens of the encoder's depths; empty for a model without an encoder
    """

    jacobian: Translators
    tuned: Translators
    source: Translators


def write(folder: Path, lenses: FittedLenses) -> None:
    """Write the lenses beside a checkpoint."""
    save_file(_arrays(lenses), folder / FILE)
    (folder / FILE).chmod(0o644)


def rounded(lenses: FittedLenses) -> FittedLenses:
    """The lenses as they are when they are read again."""
    arrays = _arrays(lenses)
    return FittedLenses(*(_translators(arrays, kind) for kind in KINDS))


def identity(size: int) -> np.ndarray:
    """The matrix that changes nothing."""
    return np.eye(size, dtype=np.float32)


def _arrays(lenses: FittedLenses) -> dict[str, np.ndarray]:
    """By name, as they are stored."""
    arrays: dict[str, np.ndarray] = {}
    for kind in KINDS:
        for depth, translator in getattr(lenses, kind).items():
            matrix = translator.matrix - _base(kind, len(translator.matrix))
            scale = np.abs(matrix).max(-1, keepdims=True) / STEPS
            whole = np.round(matrix / np.where(scale, scale, 1)).astype(np.int8)
            parts = {"matrix": whole, "scale": scale.astype(np.float32), "bias": translator.bias.astype(np.float32)}
            arrays |= {f"{kind}/{depth}/{name}": array for name, array in parts.items()}
    return arrays


def read(folder: Path, config: TransformerConfig) -> FittedLenses | None:
    """The lenses beside a checkpoint; None if there are none, or not those of a model of this config."""
    try:
        arrays = load_file(folder / FILE)
        lenses = FittedLenses(*(_translators(arrays, kind) for kind in KINDS))
    except (OSError, SafetensorError, KeyError, ValueError, TypeError, IndexError):
        return None
    return lenses if _fits(lenses, config) else None


def _translators(arrays: Mapping[str, np.ndarray], kind: str) -> dict[str, Translator]:
    read = dict.fromkeys(name.split("/")[1] for name in arrays if name.startswith(f"{kind}/"))
    return {depth: _translator(arrays, f"{kind}/{depth}") for depth in sorted(read, key=_order)}


def _translator(arrays: Mapping[str, np.ndarray], name: str) -> Translator:
    matrix = arrays[f"{name}/matrix"].astype(np.float32) * arrays[f"{name}/scale"]
    return Translator(matrix + _base(name.partition("/")[0], len(matrix)), arrays[f"{name}/bias"])


def _base(kind: str, size: int) -> np.ndarray | float:
    """What a stored matrix is added to: a tuned lens is stored as its difference from the identity."""
    return identity(size) if kind == "tuned" else 0.0


def _order(depth: str) -> int:
    return -1 if depth == INPUT else int(depth.partition(".")[0])


def depths_of(layers: int) -> list[str]:
    """Every depth between layers: the input, then after each layer."""
    return [INPUT, *(f"{layer}.feed_forward" for layer in range(layers))]


def _fits(lenses: FittedLenses, config: TransformerConfig) -> bool:
    decoder, size = depths_of(config.decoder_layers)[:-1], config.d_model
    encoder = depths_of(config.encoder_layers) if config.architecture == "encoder-decoder" else []
    is_whole = [list(each) for each in (lenses.jacobian, lenses.tuned, lenses.source)] == [decoder, decoder, encoder]
    return is_whole and all(_has_size(each, size) for kind in KINDS for each in getattr(lenses, kind).values())


def _has_size(translator: Translator, size: int) -> bool:
    shapes = translator.matrix.shape, translator.bias.shape
    return shapes == ((size, size), (size,)) and all(np.isfinite(each).all() for each in vars(translator).values())
