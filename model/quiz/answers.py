"""Answers as text: how a number, a shape or a head is written, and how what a user typed is read."""

import re
import unicodedata

import numpy as np

from model.errors import InvalidInput

_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")  # 1,024 or 1,024.5
_DOTTED = re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+,\d*|[+-]?[1-9]\d{0,2}(\.\d{3}){2,}")  # 1.024,5 or 1.280.000
_LONGEST = 40  # characters of an answer that are read; the rest is ignored


def spelled_head(kind: str, layer: int, head: int) -> str:
    """How a head is spelled as an answer."""
    return f"{kind}/{layer}/{head}"


def figures(value: float) -> str:
    """A number as text: an integer without decimals, else four significant digits."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"


def number(text: str) -> float:
    """1024, 1,024, 0.5, 0,5, 1/8 or 50 %; raises `InvalidInput` for anything else. See `readings`."""
    return readings(text)[0]


def readings(text: str) -> list[float]:
    """Every number that a text may stand for: 1,024 is 1024 to some and 1.024 to others. The first is the likelier one.

    Raises `InvalidInput` for what is no number.
    """
    if any(unicodedata.category(character) == "No" for character in text[:_LONGEST]):  # 10² is not 102
        raise InvalidInput("quiz_number", value=text[:_LONGEST])
    plain = _plain(text).replace(" ", "").replace("−", "-").rstrip("=≈")
    share = plain.endswith("%")
    above, slash, below = plain.removesuffix("%").partition("/")
    try:
        values = [over / under for over in _decimals(above) for under in (_decimals(below) if slash else [1])]
    except (ValueError, ZeroDivisionError, OverflowError):
        raise InvalidInput("quiz_number", value=text[:_LONGEST]) from None
    if not np.isfinite(values).all():
        raise InvalidInput("quiz_number", value=text[:_LONGEST])
    return [value / 100 if share else value for value in values]


def _decimals(text: str) -> list[float]:
    """A comma or a dot may be the decimal mark, and the other one stand between thousands."""
    if not re.fullmatch(r"[+-]?[\d.,]+(e[+-]?\d{1,2})?", text):
        raise ValueError
    if _DOTTED.fullmatch(text):
        return [float(text.replace(".", "").replace(",", "."))]
    if not _THOUSANDS.fullmatch(text):
        return [float(text.replace(",", "."))]
    several = text.count(",") + text.count(".") > 1
    return [float(text.replace(",", "")), *([] if several else [float(text.replace(",", "."))])]


def shape(text: str) -> tuple[int, ...]:
    """(4, 9, 9), 4 9 9 or 4 × 9 × 9; raises `InvalidInput` for anything else."""
    plain = re.sub(r"[()\[\]]", " ", _plain(text))
    parts = [part for part in re.split(r"[\s,;x×*、·]+", plain) if part]
    if not parts or not all(re.fullmatch(r"\d{1,9}", part) for part in parts):
        raise InvalidInput("quiz_shape", value=text[:_LONGEST])
    return tuple(map(int, parts))


def half_width(text: str) -> str:
    """The text with the full-width digits and marks of Chinese keyboards made half-width: １２ is 12."""
    return unicodedata.normalize("NFKC", text)


def _plain(text: str) -> str:
    return half_width(text[:_LONGEST]).strip().lower()
