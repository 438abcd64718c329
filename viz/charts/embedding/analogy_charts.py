"""a − b + c on the map of a vocabulary, as an altair chart: two equal arrows, and the rows near the result."""

from collections.abc import Mapping, Sequence

import altair as alt

from ...figures.chart import Chart
from ...vega import finished, inline, layered
from .vocabulary_charts import NEAR, OWN, REST, Point

HEIGHT = 330  # px, axes and legend included
MARGIN, RIGHT = 0.12, 0.45  # of the extent, around the named points and for their names
KINDS = ("rest", "near", "own", "sum")


def arrows_chart(points: Sequence[Point], arrows: Sequence[tuple[Point, Point]], words: Mapping[str, str]) -> Chart:
    """Points of the kinds `KINDS`, the near and the chosen ones named; a line from each first point to its second.

    The map shows the part around the named points.
    """
    rows = [
        {"token": p.token, "x": round(p.x, 4), "y": round(p.y, 4), "kind": words[f"kind_{p.kind}"]}
        for p in sorted(points, key=lambda p: KINDS.index(p.kind))
    ]
    rows_with_name = [row for row in rows if row["kind"] in (words["kind_near"], words["kind_own"])]
    lines = [{"x": round(a.x, 4), "y": round(a.y, 4), "x2": round(b.x, 4), "y2": round(b.y, 4)} for a, b in arrows]
    domain = [words[f"kind_{kind}"] for kind in KINDS]
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=200)
    bare = alt.Axis(labels=False, ticks=False, domain=False, gridOpacity=0.25)
    near = [p for p in points if p.kind != "rest"]
    x = alt.X("x:Q", title=None, axis=bare, scale=_around([p.x for p in near], RIGHT))
    y = alt.Y("y:Q", title=None, axis=bare, scale=_around([p.y for p in near], MARGIN))
    colour = alt.Color("kind:N", scale=alt.Scale(domain=domain, range=[REST, NEAR, OWN, OWN]), legend=legend)
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=domain, range=["circle", "square", "circle", "cross"]))
    sizes = alt.Scale(type="ordinal", domain=domain, range=[12, 55, 70, 130])
    size = alt.Size("kind:O", scale=sizes, legend=legend)
    dots = alt.Chart(inline(rows)).mark_point(filled=True, opacity=0.85, clip=True)
    dots = dots.encode(x=x, y=y, color=colour, shape=shape, size=size, tooltip=[alt.Tooltip("token:N")])
    names = alt.Chart(inline(rows_with_name)).mark_text(align="left", dx=8, dy=-2, fontSize=12)
    shafts = (
        alt.Chart(inline(lines))
        .mark_rule(color=OWN, strokeWidth=2)
        .encode(x=x, y=y, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"))
    )
    return Chart(
        finished(
            layered(dots, shafts, names.encode(x=x, y=y, color=colour, text=alt.Text("token:N"))),
            words["map_description"],
            HEIGHT,
            "container",
        )
    )


def _around(values: Sequence[float], after: float) -> alt.Scale:
    low, high = min(values), max(values)
    extent = high - low or 1.0
    return alt.Scale(domain=[low - MARGIN * extent, high + after * extent], nice=False, zero=False)
