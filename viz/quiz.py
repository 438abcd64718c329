"""The weights of one row as a small table with bars, one of them perhaps missing; and how far a quiz has come."""

import math
from collections.abc import Sequence
from html import escape

from viz.palette import KIND

STYLE = """<style>
.gf-row { border-collapse: collapse; width: 100%; max-width: 34rem; font-variant-numeric: tabular-nums; }
.gf-row caption { text-align: left; padding-bottom: 0.3rem; opacity: 0.75; }
.gf-row th, .gf-row td { border: 0; padding: 0.15rem 0.6rem 0.15rem 0; text-align: left; font-weight: 400; }
.gf-row th { overflow-wrap: anywhere; }
.gf-row td.gf-number { text-align: right; width: 4rem; }
.gf-row td.gf-bar { width: 60%; padding-right: 0; }
.gf-row td.gf-bar div { height: 0.7rem; border-radius: 3px; min-width: 1px; }
.gf-row tr.gf-asked th, .gf-row tr.gf-asked td { font-weight: 700; }
</style>"""


STRIP = """<style>
.gf-strip { display: flex; gap: 3px; padding: 2px 0 6px; }
.gf-strip span { flex: 1 1 0; height: 6px; border-radius: 3px; background: light-dark(#e4e2dd, #2b3037); }
.gf-strip .gf-first { background: light-dark(#2f6fb0, #6fa8dc); }
.gf-strip .gf-later { background: repeating-linear-gradient(90deg, light-dark(#2f6fb0, #6fa8dc) 0 2px, #0000 2px 4px); }
.gf-strip .gf-told { background: light-dark(#9aa1a9, #7b828b); }
.gf-strip .gf-here { outline: 2px solid light-dark(#a5420f, #f08a4b); outline-offset: 1px; }
</style>"""


def strip_html(states: Sequence[str], at: int) -> str:
    """A mark for each question, "first", "later", "told" or "" still open; the one in view is framed.

    Nothing is said here alone: a line of text and the score say the same.
    """
    marks = "".join(
        f'<span class="{"gf-" + state if state else ""}{" gf-here" if number == at else ""}"></span>'
        for number, state in enumerate(states)
    )
    return f'{STRIP}<div class="gf-strip" aria-hidden="true">{marks}</div>'


def row_html(title: str, tokens: Sequence[str], weights: Sequence[float], kind: str) -> str:
    """A line for each token: its name, its weight in three decimals and a bar from 0 to 1; NaN is the one asked for."""
    lines = "".join(_line(token, weight, kind) for token, weight in zip(tokens, weights, strict=True))
    return f'{STYLE}<table class="gf-row"><caption>{escape(title)}</caption>{lines}</table>'


def _line(token: str, weight: float, kind: str) -> str:
    name = f'<th scope="row">{escape(token)}</th>'
    if math.isnan(weight):
        return f'<tr class="gf-asked">{name}<td class="gf-number">?</td><td class="gf-bar"></td></tr>'
    light, dark = KIND[kind]["light"], KIND[kind]["dark"]
    bar = f'<div style="width: {100 * max(0.0, weight):.2f}%; background: light-dark({light}, {dark})"></div>'
    return f'<tr>{name}<td class="gf-number">{weight:.3f}</td><td class="gf-bar">{bar}</td></tr>'
