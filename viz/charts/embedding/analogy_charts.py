"""a − b + c on the map of a vocabulary, as an altair chart: two equal arrows, and the rows near the result."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from ...figures.chart import Chart
from ...palette import FAILS, HOLDS, STONE
from ..marks import chart, marks
from ..style import BARE, HEIGHT, Words, legend, series, x_axis, y_axis
from .point_names import Point, extent, names, point_rows, sides

MARGIN, RIGHT = 0.12, 0.45  # of the extent, around the named points and for their names
ROOM = (400, 230)  # px of the map, where it is narrow
KINDS = ("rest", "near", "own", "sum")


def arrows_chart(points: Sequence[Point], arrows: Sequence[tuple[Point, Point]], words: Words) -> Chart:
    """Points of the kinds `KINDS`, the near and the chosen ones named; a line from each first point to its second.

    The map shows the part around the named points.
    """
    kinds = [words[f"kind_{kind}"] for kind in KINDS]
    rows = [{key: row[key] for key in ("token", "x", "y", "kind")} for row in point_rows(points, KINDS, words)]
    named = [point for point in points if point.kind in KINDS[1:3]]
    lines = [{"x": round(a.x, 4), "y": round(a.y, 4), "x2": round(b.x, 4), "y2": round(b.y, 4)} for a, b in arrows]
    bare, near = {"labels": False, **BARE, "gridOpacity": 0.25}, [p for p in points if p.kind != "rest"]
    across, up = _around([p.x for p in near], RIGHT), _around([p.y for p in near], MARGIN)
    scale = (ROOM[0] / extent(across["domain"]), ROOM[1] / extent(up["domain"]))
    places = {"x": x_axis("x:Q", None, across, **bare), "y": y_axis("y:Q", None, up, **bare)}
    above = legend(columns=2, labelLimit=200)
    tones = series("kind:N", kinds, above, color=[STONE, HOLDS, FAILS, FAILS])
    shapes = series("kind:N", kinds, shape=["circle", "square", "circle", "cross"])
    sizes = series("kind:O", kinds, above, size=[12, 55, 70, 130])
    dots = marks(rows, **places, **tones, **shapes, **sizes, tooltip=[alt.Tooltip("token:N")])
    shafts = marks(lines, **places, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"))
    return chart(
        dots.mark_point(filled=True, opacity=0.85, clip=True),
        shafts.mark_rule(color=FAILS, strokeWidth=2),
        *names(sides(named, arrows, scale, all_named=True), **places),
        description=words["map_description"],
        height=HEIGHT,
    )


def _around(values: Sequence[float], after: float) -> dict[str, Any]:
    low, high = min(values), max(values)
    size = extent(values)
    return {"domain": [low - MARGIN * size, high + after * size], "nice": False, "zero": False}
