"""Text in standalone SVG: escaped, cleaned, measured, broken into lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from xml.sax.saxutils import escape

from viz.column_labels import is_han
from viz.palette import SURFACE, Mode
from viz.text_width import SIZE, text_width

FONT = "'Source Sans 3', 'Noto Sans SC', system-ui, sans-serif"
# its quotes, dots and dashes stand as high and wide as the characters
HAN_FONT = "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif"
MARGIN = 24
LINE = 22


def text(x: float, y: float, content: str, style: str = "") -> str:
    font = f' font-family="{HAN_FONT}"' if is_han(content) and "font-family" not in style else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}{font}>{escape(content)}</text>'


def named(said: str) -> str:
    """The name of the element that it stands in, which browsers show beside the pointer."""
    return f"<title>{escape(said)}</title>"


def opening(width: float, height: float, title: str, mode: Mode) -> list[str]:
    """The first lines of a picture: its size, its name and its ground."""
    size, colours = f"{width:.0f} {height:.0f}", SURFACE[mode]
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {size}" '
        f'font-family="{FONT}" font-size="{SIZE}" fill="{colours["ink"]}">',
        named(title),
        f'<rect width="100%" height="100%" fill="{colours["card"]}"/>',
    ]


def clean(tokens: Sequence[str]) -> list[str]:
    """Without the control characters that XML forbids; white space made visible."""
    cleaned = ["".join(c for c in token if unicodedata.category(c) not in ("Cc", "Cs", "Cn")) for token in tokens]
    return [token if token.strip() else "␣" * max(1, len(token)) for token in cleaned]


def wrapped(content: str, width: float) -> list[str]:
    """Lines that fit; Chinese may break anywhere, other words at spaces."""
    lines, line = [], ""
    pieces = [
        piece
        for word in content.split(" ")
        for piece in ([*word, " "] if text_width(word) > width / 3 else [word + " "])
    ]
    for piece in pieces:
        if line and text_width(line + piece) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]
