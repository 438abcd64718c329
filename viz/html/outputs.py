"""Outputs beside each other and the numbers of a step as HTML: escaped tokens and numbers, nothing else."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from html import escape
from typing import NamedTuple


class Output(NamedTuple):
    """One output: its name, its tokens, the places where a token was forced, and a line under it."""

    name: str
    tokens: Sequence[str]
    forced: frozenset[int]
    note: str


def outputs_html(first: Output, second: Output, words: Mapping[str, str]) -> str:
    """Two outputs side by side. Tokens that only one of them has are underlined, forced tokens are marked."""
    same = _shared(first.tokens, second.tokens)
    cards = "".join(_output(output, kept, words) for output, kept in zip((first, second), same, strict=True))
    return f'<div class="gf-outputs">{cards}</div>'


def _shared(first: Sequence[str], second: Sequence[str]) -> tuple[set[int], set[int]]:
    """The indices of the tokens that both outputs have, in order; all if one of them is empty."""
    if not first or not second:
        return set(range(len(first))), set(range(len(second)))
    blocks = SequenceMatcher(a=list(first), b=list(second), autojunk=False).get_matching_blocks()
    return (
        {block.a + i for block in blocks for i in range(block.size)},
        {block.b + i for block in blocks for i in range(block.size)},
    )


def _output(output: Output, same: set[int], words: Mapping[str, str]) -> str:
    tokens = " ".join(_token(token, n in same, n in output.forced, words) for n, token in enumerate(output.tokens))
    return (
        f"<section><h3>{escape(output.name)}</h3><p>{tokens}</p><p class=gf-under>{escape(output.note)}</p></section>"
    )


def _token(token: str, same: bool, forced: bool, words: Mapping[str, str]) -> str:
    text = escape(token)
    if forced:
        return f'<b title="{escape(words["forced"])}">{text}</b>'
    return f"<span>{text}</span>" if same else f'<ins title="{escape(words["different"])}">{text}</ins>'


def cache_html(
    kept: Sequence[str], new: Sequence[str], source: Sequence[str], words: Mapping[str, str], first: bool
) -> str:
    """Which tokens' keys and values come from the cache, and which this step computes."""
    own = _chips(kept, "kept") + _chips(new, "new")
    lines = _line(words["self"], own)
    if source:
        lines += _line(words["cross"], _chips(source, "new" if first else "kept"))
    legend = f"<p>{_chips([words['kept']], 'kept')} {_chips([words['new']], 'new')}</p>"
    return f'<div class="gf-cache">{lines}{legend}</div>'


def _line(name: str, chips: str) -> str:
    return f"<div><h3>{escape(name)}</h3><p>{chips}</p></div>"


def _chips(tokens: Sequence[str], state: str) -> str:
    mark = "● " if state == "new" else ""
    return " ".join(f'<span class="gf-{state}">{mark}{escape(token)}</span>' for token in tokens)


def table_html(heads: Sequence[str], rows: Sequence[Sequence[str]], chosen: int | None = None) -> str:
    """A plain table with row headings in the first column; one row may be highlighted."""
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    lines = "".join(
        f"<tr{' aria-current=true' if n == chosen else ''}>{_cells(row)}</tr>" for n, row in enumerate(rows)
    )
    return (
        f'<div class="gf-wide" tabindex="0" role="group">'
        f'<table class="gf-plain"><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
    )


def _cells(row: Sequence[str]) -> str:
    first, *rest = row
    return f'<th scope="row">{escape(first)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
