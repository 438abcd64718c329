"""Shares of a dictionary's training and of steering with it, as altair charts. Plain numbers in."""

from collections.abc import Mapping, Sequence

import altair as alt

from ..figures.chart import Chart
from ..vega import finished, inline, layered, with_percents
from .position.position_charts import SERIES

HEIGHT = 330  # px, axes and legend included
DASHES = ([1, 0], [7, 3], [2, 3])
Line = Sequence[tuple[float, float]]  # x and share


def share_rows(lines: Mapping[str, Line], words: Mapping[str, str]) -> list[dict[str, object]]:
    """A line per measured share."""
    return [
        {"which": words[name], "x": x, "share": round(share, 5)} for name, line in lines.items() for x, share in line
    ]


def shares_chart(lines: Mapping[str, Line], words: Mapping[str, str]) -> Chart:
    """Shares (0 to 1) over x, at most three lines. `words`: x, y, which, description, and the name of each line."""
    rows = share_rows(lines, words)
    titles = [words[name] for name in lines]
    colour = alt.Scale(domain=titles, range=list(SERIES[: len(titles)]))
    dash = alt.Scale(domain=titles, range=list(DASHES[: len(titles)]))
    legend = alt.Legend(title=None, orient="top", columns=1, labelLimit=320, symbolType="stroke")
    base = alt.Chart(inline(with_percents(rows, "share", decimals=1))).encode(
        x=alt.X("x:Q", title=words["x"], axis=alt.Axis(grid=False, tickCount=6)),
        y=alt.Y("share:Q", title=words["y"], scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%", tickCount=5)),
        color=alt.Color("which:N", scale=colour, legend=legend),
        strokeDash=alt.StrokeDash("which:N", scale=dash, legend=legend),
        tooltip=[
            alt.Tooltip("which:N", title=words["which"]),
            alt.Tooltip("x:Q", title=words["x"]),
            alt.Tooltip("share_said:N", title=words["y"]),
        ],
    )
    points = base.mark_point(filled=True, size=36, opacity=1).encode(strokeDash=alt.Undefined)
    figure = layered(base.mark_line(strokeWidth=2), points)
    return Chart(finished(figure, words["description"], HEIGHT, "container"), lambda: rows)
