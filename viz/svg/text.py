"""Text in standalone SVG: escaped, cleaned, measured, broken into lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

from viz.text_width import text_width

FONT = "'Source Sans 3', 'Noto Sans SC', system-ui, sans-serif"
MARGIN = 24
LINE = 22


def text(x: float, y: float, said: str, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(said)}</text>'


def clean(tokens: Sequence[str]) -> list[str]:
    """Without the control characters that XML forbids; white space made visible."""
    kept = ["".join(c for c in token if unicodedata.category(c) not in ("Cc", "Cs", "Cn")) for token in tokens]
    return [token if token.strip() else "␣" * max(1, len(token)) for token in kept]


def wrapped(said: str, room: float) -> list[str]:
    """Lines that fit; Chinese may break anywhere, other words at spaces."""
    lines, line = [], ""
    pieces = [
        piece for word in said.split(" ") for piece in ([*word, " "] if text_width(word) > room / 3 else [word + " "])
    ]
    for piece in pieces:
        if line and text_width(line + piece) > room:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]
