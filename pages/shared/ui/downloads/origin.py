"""What a file says of its numbers, so that somebody else can compute them again: model, version, sentences and seed.

A table has it as columns, because pandas and spreadsheets read those without being told; SVG and PNG as metadata.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from model.checkpoint.catalogue import Untrained
from pages.shared.session.state import state
from pages.shared.ui.downloads.drawn import Drawn
from viz.version import VERSION

Origin = Mapping[str, Any]
_SVG = re.compile(r"<svg\b(?:[^>\"]|\"[^\"]*\")*>")
_HEADER = 33  # bytes of PNG's signature and first chunk, which the others follow


def of_view(measured: Origin) -> Origin:
    """Of the page in view; `measured` says over how many `sentences` and with which `seed`, where there are any."""
    entry = state(Drawn).entry
    seed = entry.seed if isinstance(entry, Untrained) else None
    about = {"model": entry.name if entry else None, "version": VERSION, "sentences": None, "seed": seed}
    return about | {key: value for key, value in measured.items() if value is not None}


def file_beginning(model: str | None) -> str:
    """The beginning of the name of each file: it names the model, where there is one."""
    return f"glassformer-{model}" if model else "glassformer"


def in_svg(svg: str, origin: Origin) -> str:
    """The picture with a `metadata` element."""
    return _SVG.sub(lambda match: f"{match[0]}<metadata>{escape(_text(origin))}</metadata>", svg, count=1)


def in_png(png: bytes, origin: Origin) -> bytes:
    """The picture with a text chunk (iTXt, in UTF-8) of the keyword "Description"."""
    data = b"iTXtDescription\0\0\0\0\0" + _text(origin).encode()
    chunk = (len(data) - 4).to_bytes(4, "big") + data + zlib.crc32(data).to_bytes(4, "big")
    return png[:_HEADER] + chunk + png[_HEADER:]


def _text(origin: Origin) -> str:
    return json.dumps({key: value for key, value in origin.items() if value is not None}, ensure_ascii=False)
