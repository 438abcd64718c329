"""A plain table as HTML."""

from collections.abc import Sequence

from ..templates import render


def table_html(
    heads: Sequence[str], rows: Sequence[Sequence[str]], chosen: int | None = None, *, long: bool = False
) -> str:
    """A plain table with row headings in the first column; one row may be highlighted. A long one scrolls."""
    return render("html/templates/table.html", "plain", heads=heads, rows=rows, chosen=chosen, long=long)
