"""Tables that a spreadsheet opens, and texts in them that it does not compute.

It stands here because the package for notebooks is installed without `classroom/`, which alone of viz/ imports it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

T = TypeVar("T")
ENCODING = "utf-8-sig"  # of a file: the mark at its beginning lets spreadsheets read umlauts and 汉字

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


def table(columns: Iterable[object], lines: Iterable[Iterable[object]], end: str = "\n") -> str:
    """CSV of cells as they are; each line has this `end`."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator=end)
    writer.writerow(columns)
    writer.writerows(lines)
    return stream.getvalue()


def table_of(rows: Iterable[Mapping[str, object]], about: Mapping[str, object]) -> str:
    """CSV of rows by the names of their columns, in which no text is taken for a formula.

    `about` becomes columns that are the same in each row; one that the rows have themselves stays theirs. NaN is empty.
    """
    rows = list(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    rest = {name: value for name, value in about.items() if name not in names}
    lines = (map(_cell_or_blank, (*map(row.get, names), *rest.values())) for row in rows)
    return table([*map(cell, names), *map(cell, rest)], lines)


def _cell_or_blank(value: object) -> object:
    return None if value != value else cell(value)
