"""What every browser component needs: HTML, style and JavaScript, and its data as one message."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from viz.components.linker import FOLDER, link

PLAIN_MOST = 1 << 16  # bytes that are sent as they are: a browser would wait several turns until they are unpacked


class Frontend(NamedTuple):
    """What `st.components.v2.component` asks for."""

    html: str
    css: str
    js: str


def figure_frontend(name: str, root: str) -> Frontend:
    """The figure `name` in an element of the class `root`, with the style that all figures start from."""
    return frontend(name, root, f"{style('common/figure').replace('gf-root', root)}\n{style(f'{name}/{name}')}")


def frontend(name: str, root: str, css: str) -> Frontend:
    """An element of the class `root`, in which the JavaScript of the component `name` draws."""
    return Frontend(f'<div class="{root}"></div>', css, link(f"{name}/{name}.js"))


def style(name: str) -> str:
    return (FOLDER / f"{name}.css").read_text(encoding="utf-8")


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
