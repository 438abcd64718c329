"""A plain table as HTML."""

from collections.abc import Sequence

from ..templates import render


def table_html(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    chosen: int | range | None = None,
    *,
    long: bool = False,
    groups: Sequence[tuple[str, int]] = (),
) -> str:
    """A plain table with row headings in the first column; rows may be highlighted. A long one scrolls.

    `groups`: names over the heads, each with the number of heads below it; an empty name stands over no group.
    """
    marked = (chosen,) if isinstance(chosen, int) else chosen or ()
    return render("html/templates/table.html", "plain", heads=heads, rows=rows, chosen=marked, long=long, groups=groups)
