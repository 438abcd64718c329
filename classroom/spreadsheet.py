"""Texts as cells of a table that a spreadsheet opens."""

import re
from typing import TypeVar

T = TypeVar("T")

_SIGNS = r"=+\-@＝＋－＠"
_ENDS = r";\t\r\n"  # of a cell, where another separator than the comma is chosen or a quote is not taken for one
# a formula at the beginning of a text or of what may become a cell of its own, also behind what is not seen or dropped;
# a sign alone is none, nor is a number
_FORMULA = re.compile(
    rf"(?P<before>^|[{_ENDS}])(?=[\s\"'\x00-\x1f\u200b-\u200f\u2060\ufeff]*[{_SIGNS}][^\S{_ENDS}]*[^\s{_ENDS}])"
    rf"(?!\s*[+-]?[0-9]+(?:[.,][0-9]+)*(?:[eE][+-]?[0-9]+)?\s*(?:$|[{_ENDS}]))"
)


def cell(value: T) -> T | str:
    """The value, and of a text one in which no spreadsheet finds a formula: an apostrophe stands before each."""
    return _FORMULA.sub(r"\g<before>'", value) if isinstance(value, str) else value
