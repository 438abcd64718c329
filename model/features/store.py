"""Dictionaries as files beside a checkpoint: weights and activations in `features.SITE.safetensors`, a card in JSON.

Weights and strengths are stored in half precision. N tokens of the stored sentences, K active features of each.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.features.dictionary import Dictionary, normalised
from model.features.examples import Activations

PREFIX = "features."
_WEIGHTS = ("encoder", "encoder_bias", "decoder", "mean", "target_mean")
_ACTIVATIONS = ("sentence", "row", "ids", "features", "strengths")


@dataclass(frozen=True, eq=False)
class Stored:
    """A dictionary with the activations of its sentences, and its card.

    The card has `site`, `settings`, `sentences`, `scores`, `names` and `suggestions`; see docs/features.md.
    """

    dictionary: Dictionary
    activations: Activations
    card: dict[str, Any]

    @property
    def site(self) -> str:
        """The site as a command spells it."""
        return str(self.card["site"])


def stored_sites(entry: Entry) -> list[str]:
    """The sites of which a checkpoint has a dictionary, by name."""
    files = sorted(entry.folder.glob(f"{PREFIX}*.safetensors"))
    return [file.name.removeprefix(PREFIX).removesuffix(".safetensors") for file in files]


def fingerprint(entry: Entry, site: str) -> str:
    """A string that changes with the files of a dictionary; empty if there is none. Part of every cache key."""
    paths = _paths(entry.folder, site)
    if not all(path.is_file() for path in paths):
        return ""
    return "-".join(f"{path.stat().st_mtime_ns:x}.{path.stat().st_size:x}" for path in paths)


def save(folder: Path, stored: Stored) -> None:
    """Write both files into a checkpoint's folder. An interrupted call leaves no half of a file."""
    weights, card = _paths(folder, stored.site)
    active = stored.activations
    arrays = {f"dictionary.{name}": value.half().cpu().numpy() for name, value in stored.dictionary.tensors().items()}
    arrays |= {f"activations.{name}": _small(getattr(active, name)) for name in _ACTIVATIONS}
    text = stored.card | {"active": stored.dictionary.active, "texts": active.sentences, "tokens": active.tokens}
    partial = weights.with_suffix(".partial")
    save_file({name: np.ascontiguousarray(value) for name, value in arrays.items()}, partial)
    partial.chmod(0o644)  # the library lets nobody else read it
    partial.replace(weights)
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in text.items())
    partial.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    partial.replace(card)


def rounded(dictionary: Dictionary) -> Dictionary:
    """The dictionary as it is when it has been stored."""
    return normalised({name: value.half() for name, value in dictionary.tensors().items()}, dictionary.active)


def load(entry: Entry, site: str) -> Stored:
    """The dictionary of a site. Raises `InvalidInput` if there is none, or if its files are damaged."""
    weights, card_file = _paths(entry.folder, site)
    if not weights.is_file() or not card_file.is_file():
        raise InvalidInput("features_missing", name=entry.name, site=site)
    try:
        card, arrays = json.loads(card_file.read_text(encoding="utf-8")), load_file(weights)
        texts, tokens = tuple(card.pop("texts")), tuple(map(tuple, card.pop("tokens")))
        tensors = {name: torch.from_numpy(arrays[f"dictionary.{name}"]) for name in _WEIGHTS}
        dictionary = normalised(tensors, int(card["active"]))
        rows: dict[str, Any] = {name: arrays[f"activations.{name}"] for name in _ACTIVATIONS}
        activations = Activations(texts, tokens, **rows, count=dictionary.features)
    except (SafetensorError, ValueError, KeyError, TypeError):
        raise InvalidInput("features_damaged", name=entry.name, file=weights.name) from None
    return Stored(dictionary, activations, card)


def _paths(folder: Path, site: str) -> tuple[Path, Path]:
    return folder / f"{PREFIX}{site}.safetensors", folder / f"{PREFIX}{site}.json"


def _small(array: np.ndarray) -> np.ndarray:
    """Numbers of tokens and features in two bytes where they fit, strengths as they are."""
    if array.dtype.kind == "f":
        return array.astype(np.float16)
    return array.astype(np.uint16 if array.max(initial=0) < 2**16 else np.uint32)
