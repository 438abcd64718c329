"""The width of a text, estimated without a font."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

SIZE = 15
MARKS = "“”‘’…—"  # as wide as a character in Chinese


def text_width(content: str, size: float = SIZE, narrow: float = 0.6) -> float:
    """The estimated width of a text in pixels; other characters than Chinese, which are square, are `narrow` of it."""
    squares = _squares(content)
    return size * (squares + narrow * (len(content) - squares))


@lru_cache(8192)  # a page asks for the same labels again and again
def _squares(content: str) -> int:
    """How many characters of a text are as wide as high."""
    if content.isascii():
        return 0
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in content)
    return wide and wide + sum(c in MARKS for c in content)
