"""The sheet for the browser: what stands where, the smallest level of every part, and one number worked out."""

from __future__ import annotations

import gzip
import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..sheet.layout import Layout
from .frontend import figure_frontend
from .packing import message

LARGEST_TABLE = 600_000  # numbers of a part that can be saved as a table
KINDS = ("weight", "value", "derived", "copy")


@dataclass(frozen=True, eq=False)
class Drawn:
    """A part with what the browser has to know of it before it asks for tiles.

    full       the number that gets the full colour
    thumb      (rows, columns) bytes, its smallest level
    recorded   the whole shape under which it is recorded, all heads included
    numbers    its minimum, maximum and mean, of what is finite
    differs    a change in the link made it differ from the model as it is
    """

    key: str
    name: str
    kind: str
    rows: int
    columns: int
    axes: tuple[str, str]
    role: str
    rule: str
    recorded: tuple[int, ...]
    full: float
    numbers: tuple[float, float, float]
    thumb: np.ndarray
    differs: bool = False


def overview(
    parts: Sequence[Drawn],
    layout: Layout,
    links: Sequence[tuple[int, int, str]],
    tokens: Mapping[str, Sequence[str]],
    weights: str,
    given: int,
    written: Sequence[tuple[str, bool, str]] = (),
    sentence: str = "",
) -> bytes:
    """All parts without their numbers, gzipped: length of the header, header, thumbs one after the other.

    `links` are pairs of parts, from and to, and their kind. `weights` names the model: the browser keeps the tiles of
    weights under this name when the sentence changes. `given` tokens of the decoder are read at once.
    `written` are the tokens that the decoder's logits make likeliest, one for each row, whether each ends the text, and
    the text as far as it is written with it; `sentence` is what was read.
    """
    header = {
        "size": [layout.width, layout.height],
        "parts": [
            [p.key, p.name, KINDS.index(p.kind), p.rows, p.columns, *p.axes, p.role, p.rule, p.recorded, _short(p.full),
             *map(_short, p.numbers), int(p.differs), *p.thumb.shape] for p in parts
        ],
        "pieces": [[p.part, p.x, p.y, p.row, p.rows, p.column, p.columns] for p in layout.pieces],
        "frames": [[f.path, f.x, f.y, f.width, f.height] for f in layout.frames],
        "links": links,
        "tokens": tokens,
        "weights": weights,
        "given": given,
        "written": written,
        "sentence": sentence,
    }  # fmt: skip
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    body = b"".join(part.thumb.tobytes() for part in parts)
    return gzip.compress(struct.pack("<I", len(text)) + text + body, 6, mtime=0)


def sheet_data(
    address: str,
    words: Mapping[str, str],
    roles: Mapping[str, str],
    *,
    camera: Sequence[float] | None,
    cell: tuple[str, int, int] | None,
    film: int | None,
    off: Sequence[str] | None,
    film_module: str = "",
    file: str = "glassformer",
    languages: Mapping[str, str] | None = None,
) -> bytes:
    """The component's `data`: where it gets the sheet from, what it says, and where it looks first.

    `camera` is the centre as shares of the sheet's width and height, and how many sheets wide the view is; `film` is
    the stop of the film. `off` has the heads that are switched off, as `cross.1.2`, `*` for all of them; None where
    none can be. `film_module` is the address of the module that makes a file of the film, `file` the beginning of the
    names of files. `languages` are the HTML tags of the `source` and the `target`.
    """
    content = {
        "address": address,
        "words": dict(words),
        "roles": dict(roles),
        "largest": LARGEST_TABLE,
        "off": off,
        "filmModule": film_module,
        "file": file,
        "languages": dict(languages or {}),
    }
    return message(content, {"camera": camera, "cell": cell, "film": film}, b"")


def _short(number: float) -> float:
    return float(f"{number:.4g}")


FRONTEND = figure_frontend("sheet", "gf-sheet")
