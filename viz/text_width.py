"""The width of a text, estimated without a font."""

from __future__ import annotations

import unicodedata

SIZE = 15


def text_width(content: str) -> float:
    """The estimated width of a text in pixels. Chinese characters are square."""
    return sum(SIZE if unicodedata.east_asian_width(c) in "WF" else SIZE * 0.6 for c in content)
