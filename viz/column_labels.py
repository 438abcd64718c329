"""How the labels of columns stand, by the rules of `viz/frontend/common/column_labels.js`.

A change of a rule goes into both files: a test gives both the same widths of labels, and compares.
"""

import math
import unicodedata
from collections.abc import Sequence
from typing import Literal

Turn = Literal["0", "45", "90", "han"]  # degrees, or characters below each other

LABEL_MOST = 120  # px of a label, longer ones are cut
CLEARANCE = 8  # px between words that stand side by side
SHORT = 2  # characters of a label that stands upright among leaning ones
LEAN_FROM = 20  # px of a column in which words may lean
_HAN = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "IDEOGRAPHIC", "HIRAGANA LETTER", "KATAKANA LETTER", "HANGUL")


def turns_of(labels: Sequence[str], widths: Sequence[float], wide: float) -> list[Turn]:
    """The turn of each label: upright where it fits into `wide` pixels, Chinese stacked, others leaning or on end."""
    if all(width + CLEARANCE <= wide for width in widths):
        return ["0"] * len(labels)
    stacked = [_is_stacked(label, width, wide) for label, width in zip(labels, widths, strict=True)]
    # a leaning word would run through a stack of characters
    long: Turn = "45" if wide >= LEAN_FROM and not any(stacked) else "90"
    return [
        "0" if _fits(label, width, wide) else "han" if stack else long
        for label, width, stack in zip(labels, widths, stacked, strict=True)
    ]


def room_above(
    turns: Sequence[Turn], widths: Sequence[float], at: Sequence[int], wide: float, count: int
) -> tuple[float, float]:
    """The height above a matrix and the room to its right that labels need, in pixels.

    They stand `at` columns of `wide` pixels, of which there are `count`.
    """
    tops, spills = [], [0.0]
    for turn, width, column in zip(turns, widths, at, strict=True):
        tops.append({"0": 24, "45": math.ceil(width * 0.71) + 20}.get(turn, width + 12))
        reach = {"0": width / 2, "45": width * 0.71 + 12}.get(turn, 0)
        spills.append(math.ceil(reach - (count - column - 0.5) * wide))
    return max(tops), max(spills)


def is_han(label: str) -> bool:
    """Whether a label is Chinese, Japanese or Korean."""
    return any(unicodedata.name(character, "").startswith(_HAN) for character in label)


def _fits(label: str, width: float, wide: float) -> bool:
    return len(label) <= SHORT and width + 1 <= wide


def _is_stacked(label: str, width: float, wide: float) -> bool:
    return is_han(label) and not _fits(label, width, wide)
