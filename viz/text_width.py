"""How wide a text is, roughly: no font is at hand in Python."""

from __future__ import annotations

import unicodedata

SIZE = 15


def text_width(said: str) -> float:
    """Roughly, in pixels: no font is at hand here. Chinese characters are square."""
    return sum(SIZE if unicodedata.east_asian_width(c) in "WF" else SIZE * 0.6 for c in said)
