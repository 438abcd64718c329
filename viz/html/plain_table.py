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
    texts: int = 0,
) -> str:
    """A plain table with row headings in the first column; rows may be highlighted. A long one scrolls.

    `groups`: names over the heads, each with the number of heads below it; an empty name stands over no group.
    `texts`: how many columns behind the first hold texts, which may be long.
    """
    marked = (chosen,) if isinstance(chosen, int) else chosen or ()
    known = {"heads": heads, "rows": rows, "chosen": marked, "long": long, "groups": groups, "texts": texts}
    return render("html/templates/table.html", "plain", **known)


def linked_table_html(
    heads: Sequence[str], first: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]], *, texts: int
) -> str:
    """A long table whose first column, `first`, has texts that are links, each with its address, in a new window.

    `rows` are the other columns, of which the first `texts` hold texts; the others hold numbers.
    """
    lines = list(zip(first, rows, strict=True))
    return render("html/templates/table.html", "linked", heads=heads, lines=lines, texts=texts)
