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

FOLDER = Path(__file__).parents[1] / "frontend"
PLAIN_MOST = 1 << 16  # bytes that are sent as they are: a browser would wait several turns until they are unpacked


class Frontend(NamedTuple):
    """What `st.components.v2.component` asks for."""

    html: str
    css: str
    js: str


def frontend(root: str, style: str, scripts: Sequence[str], kind: str = "Figure") -> Frontend:
    """A figure of the class `kind` in an element of the class `root`, with the style that all figures start from."""
    head = _file("common/figure.css").replace("gf-root", root)
    js = f'{script((*scripts[:1], "common/lifecycle", *scripts[1:]))}\nexport default mount(".{root}", {kind});\n'
    return Frontend(f'<div class="{root}"></div>', f"{head}\n{_file(f'{style}.css')}", js)


def script(names: Sequence[str]) -> str:
    """One module from several files: the component can load only one. Without an export."""
    colours = f"const PALETTE = {json.dumps(palette())};\n" if "common/scale" in names else ""
    js = colours + "\n".join(_file(f"{name}.js") for name in names)
    # The module travels with every new picture: comments and indentation stay at home.
    return re.sub(r"^\s*(//.*)?\n|^[ \t]+", "", js, flags=re.MULTILINE)


def _file(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def message(content: Mapping[str, object], selection: Mapping[str, object] | None, body: bytes) -> bytes:
    """The component's `data`: header length, header, body, which is deflated if it is long.

    The digest is of the picture, not of the selection.
    """
    long = len(body) > PLAIN_MOST
    header = {**content, "deflated": long, "digest": _digest(content, body), "selection": selection}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack("<I", len(text)) + text + (_deflate(body) if long else body)


def _deflate(planes: bytes) -> bytes:
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
