"""What every browser component needs: its files as one module, its data as one message."""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from viz.palette import palette

FOLDER = Path(__file__).parent / "frontend"


class Frontend(NamedTuple):
    """What `st.components.v2.component` asks for."""

    html: str
    css: str
    js: str


def frontend(root: str, style: str, scripts: Sequence[str]) -> Frontend:
    """One module from several files: the component can load only one. `root` is its element's class."""
    texts = [(FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in scripts]
    js = f"const PALETTE = {json.dumps(palette())};\n" + "\n".join(texts)
    # The module travels with every new picture: comments and indentation stay at home.
    slim = re.sub(r"^\s*(//.*)?\n|^[ \t]+", "", js, flags=re.MULTILINE)
    css = (FOLDER / f"{style}.css").read_text(encoding="utf-8")
    return Frontend(f'<div class="{root}"></div>', css, slim)


def message(content: Mapping[str, object], selection: Mapping[str, object] | None, body: bytes) -> bytes:
    """The component's `data`: header length, header, body. The digest is of the picture, not of the selection."""
    header = {**content, "digest": _digest(content, body), "selection": selection}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack("<I", len(text)) + text + body


def deflate(planes: bytes) -> bytes:
    """Run lengths only: masked triangles shrink, and noise is not searched for repeats that it cannot have
    (smaller and ten times faster than the default)."""
    packer = zlib.compressobj(6, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
    return packer.compress(planes) + packer.flush()


def byte_planes(values: np.ndarray) -> bytes:
    """All first bytes, then all second bytes, …: neighbours have like signs and exponents, which deflate well."""
    size = values.dtype.itemsize
    return np.ascontiguousarray(values).view(np.uint8).reshape(-1, size).T.tobytes()


def _digest(content: Mapping[str, object], body: bytes) -> str:
    """Equal for equal pictures, so that a mere change of the selection redraws nothing else."""
    text = json.dumps(content, ensure_ascii=False, sort_keys=True).encode()
    return hashlib.blake2b(text + body, digest_size=8).hexdigest()


def check_words(figure: str, needed: Sequence[str], words: Mapping[str, str]) -> None:
    """Raise ValueError if a word is missing."""
    missing = [name for name in needed if name not in words]
    if missing:
        raise ValueError(f"The {figure} figure lacks these words: {', '.join(missing)}.")
