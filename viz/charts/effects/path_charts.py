"""Paths as charts: what is left of a logit with a few edges; edges patched beside their estimates. Plain numbers in."""

from collections.abc import Mapping, Sequence

import altair as alt

from ...figures.chart import Chart
from ...numbers import signed_percent
from ...vega import finished, inline, layered

COLOURS = ("#c8551b", "#2f7fb8", "#868d96")  # of curves: the graph, with attention held, chance
DASHES = ([1, 0], [5, 3], [2, 2])
METHODS = ("#c8551b", "#2b8f84")
MUTED = "#868d96"
HEIGHT, SQUARE = 230, 300  # px of the curves, of the estimates
MOST = 150  # edges in the picture, the largest; the table has all
Words = Mapping[str, str]


def _said(rows: Sequence[Mapping[str, object]], *fields: str) -> list[dict[str, object]]:
    """The rows with shares as text for tooltips, which may be below 0 and above 1."""
    return [{**row, **{f"{field}_said": signed_percent(float(str(row[field]))) for field in fields}} for row in rows]


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", columns=1, labelLimit=420)


def kept_rows(curves: Mapping[str, Sequence[float]], sizes: Sequence[int]) -> list[dict[str, object]]:
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
    names, rows = list(curves), kept_rows(curves, sizes)
    scale = alt.Scale(domain=names, range=list(COLOURS[: len(names)]))
    base = alt.Chart(inline(_said(rows, "kept"))).encode(
        x=alt.X("edges:Q", title=words["edges"], axis=alt.Axis(values=list(sizes), grid=False, format="d")),
        y=alt.Y("kept:Q", title=words["kept"], axis=alt.Axis(tickCount=5, format=".0%")),
        color=alt.Color("run:N", scale=scale, legend=_legend()),
        tooltip=[
            alt.Tooltip("run:N", title=words["run"]),
            alt.Tooltip("edges:Q", title=words["edges"]),
            alt.Tooltip("kept_said:N", title=words["kept"]),
        ],
    )
    dash = alt.StrokeDash("run:N", scale=alt.Scale(domain=names, range=list(DASHES[: len(names)])), legend=_legend())
    lines, points = base.mark_line(strokeWidth=2).encode(strokeDash=dash), base.mark_point(filled=True, size=30)
    whole = alt.Chart(inline([{"kept": 1}])).mark_rule(color=MUTED).encode(y=alt.Y("kept:Q"))
    here = alt.Chart(inline([{"edges": chosen}])).mark_rule(color=MUTED, strokeDash=[4, 3]).encode(x=alt.X("edges:Q"))
    figure = layered(whole, here, lines, points)
    height = HEIGHT + 22 * len(names)
    return Chart(finished(figure, words["description"], height, "container"), lambda: kept_rows(curves, sizes))


def estimate_rows(edges: Mapping[str, Sequence[float]], methods: Sequence[str]) -> list[dict[str, object]]:
    """A line per edge: its real effect, then that of each estimate."""
    return [
        {"edge": name, "real": real, **dict(zip(methods, estimates, strict=True))}
        for name, (real, *estimates) in edges.items()
    ]


def estimates_chart(edges: Mapping[str, Sequence[float]], methods: Mapping[str, str], words: Words) -> Chart:
    """The real effect of each edge (across) beside its estimates (up); `methods` has their titles by key, in order."""
    titles = list(methods.values())
    largest = sorted(edges, key=lambda name: -max(map(abs, edges[name])))[:MOST]
    rows = [
        {"edge": name, "real": edges[name][0], "estimate": value, "method": title}
        for name in largest
        for title, value in zip(titles, edges[name][1:], strict=True)
    ]
    numbers = [float(str(row[field])) for row in rows for field in ("real", "estimate")]
    ends = [{"real": end, "estimate": end} for end in (min(numbers), max(numbers))]
    points = (
        alt.Chart(inline(_said(rows, "real", "estimate")))
        .mark_point(filled=True, size=36, opacity=0.7)
        .encode(
            x=alt.X("real:Q", title=words["real"], axis=alt.Axis(tickCount=5, format="%")),
            y=alt.Y("estimate:Q", title=words["estimate"], axis=alt.Axis(tickCount=5, format="%")),
            color=alt.Color(
                "method:N",
                scale=alt.Scale(domain=titles, range=list(METHODS)),
                legend=_legend(),
            ),
            shape=alt.Shape(
                "method:N", scale=alt.Scale(domain=titles, range=["circle", "triangle-up"]), legend=_legend()
            ),
            tooltip=[
                alt.Tooltip("edge:N", title=words["edge"]),
                alt.Tooltip("method:N", title=words["method"]),
                alt.Tooltip("real_said:N", title=words["real"]),
                alt.Tooltip("estimate_said:N", title=words["estimate"]),
            ],
        )
    )
    equal = (
        alt.Chart(inline(ends)).mark_line(color=MUTED, strokeWidth=1).encode(x=alt.X("real:Q"), y=alt.Y("estimate:Q"))
    )
    return Chart(
        finished(layered(equal, points), words["description"], SQUARE + 44, "container"),
        lambda: estimate_rows(edges, list(methods)),
    )
