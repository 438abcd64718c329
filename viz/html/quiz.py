"""HTML of the quiz: one row of weights as a table with bars (one may be hidden), and the progress strip."""

import math
from collections.abc import Sequence
from html import escape

from viz.palette import KIND


def strip_html(states: Sequence[str], at: int) -> str:
    """A mark for each question, "first", "later", "told" or "" (open); the current one is framed.

    A line of text and the score repeat everything that it shows.
    """
    marks = "".join(
        f'<span class="{"gf-" + state if state else ""}{" gf-here" if number == at else ""}"></span>'
        for number, state in enumerate(states)
    )
    return f'<div class="gf-strip" aria-hidden="true">{marks}</div>'


def row_html(title: str, tokens: Sequence[str], weights: Sequence[float], kind: str) -> str:
    """One line per token: its name, its weight three decimals and a bar from 0 to 1; NaN is the weight asked for."""
    lines = "".join(_line(token, weight, kind) for token, weight in zip(tokens, weights, strict=True))
    return f'<table class="gf-weights"><caption>{escape(title)}</caption>{lines}</table>'


def _line(token: str, weight: float, kind: str) -> str:
    name = f'<th scope="row">{escape(token)}</th>'
    if math.isnan(weight):
        return f'<tr class="gf-asked">{name}<td class="gf-number">?</td><td class="gf-bar"></td></tr>'
    light, dark = KIND[kind]["light"], KIND[kind]["dark"]
    bar = f'<div style="width: {100 * max(0.0, weight):.2f}%; background: light-dark({light}, {dark})"></div>'
    return f'<tr>{name}<td class="gf-number">{weight:.3f}</td><td class="gf-bar">{bar}</td></tr>'
