"""Answers as text: how a number, a shape or a head is written, and how what a user typed is read."""

import re
import unicodedata

import numpy as np

from model.errors import InvalidInput

_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")
_LONGEST = 40  # characters of an answer that are read; the rest is ignored


def place(kind: str, layer: int, head: int) -> str:
    """How a head is spelled as an answer."""
    return f"{kind}/{layer}/{head}"


def figures(value: float) -> str:
    """A number as text: an integer without decimals, else four significant digits."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"


def number(text: str) -> float:
    """1024, 1,024, 0.5, 0,5, 1/8 or 50 %; raises `InvalidInput` for anything else."""
    if any(unicodedata.category(character) == "No" for character in text[:_LONGEST]):  # 10² is not 102
        raise InvalidInput("quiz_number", value=text[:_LONGEST])
    plain = _plain(text).replace(" ", "").replace("−", "-").rstrip("=≈")
    share = plain.endswith("%")
    plain = plain.removesuffix("%")
    try:
        above, slash, below = plain.partition("/")
        value = _decimal(above) / (_decimal(below) if slash else 1)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidInput("quiz_number", value=text[:_LONGEST]) from None
    if not np.isfinite(value):
        raise InvalidInput("quiz_number", value=text[:_LONGEST])
    return value / 100 if share else value


def _decimal(text: str) -> float:
    if not re.fullmatch(r"[+-]?[\d.,]+(e[+-]?\d{1,2})?", text):
        raise ValueError
    return float(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text.replace(",", "."))


def shape(text: str) -> tuple[int, ...]:
    """(4, 9, 9), 4 9 9 or 4 × 9 × 9; raises `InvalidInput` for anything else."""
    plain = re.sub(r"[()\[\]]", " ", _plain(text))
    parts = [part for part in re.split(r"[\s,;x×*、·]+", plain) if part]
    if not parts or not all(re.fullmatch(r"\d{1,9}", part) for part in parts):
        raise InvalidInput("quiz_shape", value=text[:_LONGEST])
    return tuple(map(int, parts))


def _plain(text: str) -> str:
    """Full-width characters, as Chinese keyboards type them, made half-width, in lower case."""
    return unicodedata.normalize("NFKC", text[:_LONGEST]).strip().lower()
