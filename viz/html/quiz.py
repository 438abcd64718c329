"""HTML of the quiz: one row of weights as a table with bars (one may be hidden), and the progress strip."""

from collections.abc import Sequence

from ..palette import KIND
from ..templates import render

TEMPLATE = "html/templates/quiz.html"


def strip_html(states: Sequence[str], at: int) -> str:
    """A mark for each question, "first", "later", "told" or "" (open); the current one is framed.

    A line of text and the score repeat everything that it shows.
    """
    return render(TEMPLATE, "strip", states=states, at=at)


def row_html(title: str, tokens: Sequence[str], weights: Sequence[float], kind: str) -> str:
    """One line per token: its name, its weight in three decimals and a bar from 0 to 1; NaN is the one asked for."""
    rows = list(zip(tokens, weights, strict=True))
    return render(TEMPLATE, "weights", title=title, rows=rows, colours=KIND[kind])
