"""The width of a text, estimated without a font."""

from __future__ import annotations

import unicodedata

SIZE = 15


def text_width(content: str, size: float = SIZE, narrow: float = 0.6) -> float:
    """The estimated width of a text in pixels; other characters than Chinese, which are square, are `narrow` of it."""
    return sum(size if unicodedata.east_asian_width(c) in "WF" else size * narrow for c in content)
