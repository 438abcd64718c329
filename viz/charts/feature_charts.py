"""Shares of a dictionary's training and of steering with it, as altair charts. Plain numbers in."""

from collections.abc import Mapping, Sequence

from ..figures.chart import Chart
from ..vega import with_percents
from .marks import chart, lines, marks
from .style import HEIGHT, SERIES, SHARE, Words, legend, series, tip, x_axis, y_axis

DASHES = ([1, 0], [7, 3], [2, 3])
Line = Sequence[tuple[float, float]]  # x and share


def shares_chart(shares: Mapping[str, Line], words: Words) -> Chart:
    """Shares (0 to 1) over x, at most three lines. `words`: x, y, which, description, and the name of each line."""
    rows = [
        {"which": words[name], "x": x, "share": round(share, 5)} for name, line in shares.items() for x, share in line
    ]
    names, above = [words[name] for name in shares], legend(columns=1, labelLimit=320, symbolType="stroke")
    base = marks(
        with_percents(rows, "share", decimals=1),
        x=x_axis("x:Q", words["x"], grid=False, tickCount=6),
        y=y_axis("share:Q", words["y"], **SHARE),
        tooltip=[tip("which:N", words["which"]), tip("x:Q", words["x"]), tip("share_said:N", words["y"])],
        **series("which:N", names, above, color=SERIES, strokeDash=DASHES),
    )
    return chart(*lines(base), description=words["description"], height=HEIGHT, rows=rows)
