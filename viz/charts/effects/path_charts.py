"""Paths as charts: what is left of a logit with a few edges; edges patched beside their estimates. Plain numbers in."""

from collections.abc import Mapping, Sequence

import altair as alt

from ...figures.chart import Chart
from ...numbers import signed_percent
from ...palette import BLUE, MUTED, ORANGE, TEAL
from ..marks import chart, marks, rule
from ..style import LEGEND_ROW, Row, Words, legend, series, tips, x_axis, y_axis

COLOURS = (ORANGE, BLUE, MUTED)  # of curves: the graph, with attention held, chance
DASHES = ([1, 0], [5, 3], [2, 2])
HEIGHT, SQUARE = 230, 300  # px of the curves, of the estimates
MOST = 150  # edges in the picture, the largest; the table has all


def _said(rows: Sequence[Row], *fields: str) -> list[Row]:
    """The rows with shares as text for tooltips, which may be below 0 and above 1."""
    return [{**row, **{f"{field}_said": signed_percent(row[field]) for field in fields}} for row in rows]


def kept_rows(curves: Mapping[str, Sequence[float]], sizes: Sequence[int]) -> list[Row]:
    """A line per curve and number of edges."""
    return [
        {"run": name, "edges": size, "kept": round(float(value), 5)}
        for name, curve in curves.items()
        for size, value in zip(sizes, curve, strict=True)
    ]


def kept_chart(curves: Mapping[str, Sequence[float]], sizes: Sequence[int], chosen: int, words: Words) -> Chart:
    """The share of the way from no edge to the whole logit by number of edges, for three runs.

    A line is at the chosen number.
    """
    names, rows, above = list(curves), kept_rows(curves, sizes), legend(columns=1, labelLimit=420)
    base = marks(
        _said(rows, "kept"),
        x=x_axis("edges:Q", words["edges"], values=list(sizes), grid=False, format="d"),
        y=y_axis("kept:Q", words["kept"], tickCount=5, format=".0%"),
        tooltip=tips(words, "run:N", "edges:Q", "kept_said:N"),
        **series("run:N", names, above, color=COLOURS),
    )
    return chart(
        rule("y", "kept", 1),
        rule("x", "edges", chosen, strokeDash=[4, 3]),
        base.mark_line(strokeWidth=2).encode(**series("run:N", names, above, strokeDash=DASHES)),
        base.mark_point(filled=True, size=30),
        description=words["description"],
        height=HEIGHT + LEGEND_ROW * len(names),
        rows=rows,
    )


def estimates_chart(edges: Mapping[str, Sequence[float]], methods: Mapping[str, str], words: Words) -> Chart:
    """The real effect of each edge (across) beside its estimates (up); `methods` has their titles by key, in order."""
    titles = list(methods.values())
    largest = sorted(edges, key=lambda name: -max(map(abs, edges[name])))[:MOST]
    rows: list[Row] = [
        {"edge": name, "real": edges[name][0], "estimate": value, "method": title}
        for name in largest
        for title, value in zip(titles, edges[name][1:], strict=True)
    ]
    numbers = [row[field] for row in rows for field in ("real", "estimate")]
    ends = [{"real": end, "estimate": end} for end in (min(numbers), max(numbers))]
    above = legend(columns=1, labelLimit=420)
    points = marks(
        _said(rows, "real", "estimate"),
        x=x_axis("real:Q", words["real"], tickCount=5, format="%"),
        y=y_axis("estimate:Q", words["estimate"], tickCount=5, format="%"),
        tooltip=tips(words, "edge:N", "method:N", "real_said:N", "estimate_said:N"),
        **series("method:N", titles, above, color=(ORANGE, TEAL), shape=["circle", "triangle-up"]),
    )
    equal = marks(ends, x=alt.X("real:Q"), y=alt.Y("estimate:Q"))
    return chart(
        equal.mark_line(color=MUTED, strokeWidth=1),
        points.mark_point(filled=True, size=36, opacity=0.7),
        description=words["description"],
        height=SQUARE + 44,
        rows=lambda: [
            {"edge": name, "real": real, **dict(zip(methods, estimates, strict=True))}
            for name, (real, *estimates) in edges.items()
        ],
    )
