"""A number over the distance of two tokens, a line for each head, as an altair chart."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...palette import HEADS
from ...vega import finished, inline, layered

HEIGHT = 330  # px, axes and legend included


def distance_rows(distances: Sequence[int], values: np.ndarray) -> list[dict[str, object]]:
    """A line per head and distance, from values (H, N)."""
    return [
        {"head": head, "distance": int(distance), "value": round(float(value), 5)}
        for head, row in enumerate(values)
        for distance, value in zip(distances, row, strict=True)
    ]


def distance_chart(distances: Sequence[int], values: np.ndarray, words: Mapping[str, str]) -> Chart:
    """Values (H, N) over distances (N). `words`: head, distance, value, description."""
    names = [str(head) for head in range(len(values))]
    rows = [row | {"head": str(row["head"])} for row in distance_rows(distances, values)]
    colours = HEADS["light"]
    tones = [colours[head % len(colours)] for head in range(len(values))]
    base = alt.Chart().encode(
        x=alt.X("distance:Q", title=words["distance"], scale=alt.Scale(nice=False), axis=alt.Axis(grid=False)),
        y=alt.Y("value:Q", title=words["value"], axis=alt.Axis(gridOpacity=0.25, tickCount=6)),
        color=alt.Color(
            "head:N",
            scale=alt.Scale(domain=names, range=tones),
            legend=alt.Legend(title=words["head"], orient="top", columns=8, symbolType="stroke"),
        ),
        tooltip=[
            alt.Tooltip("head:N", title=words["head"]),
            alt.Tooltip("distance:Q", title=words["distance"]),
            alt.Tooltip("value:Q", title=words["value"]),
        ],
    )
    marks = base.mark_point(filled=True, size=26, opacity=1)
    return Chart(
        finished(
            layered(base.mark_line(strokeWidth=2), marks, data=inline(rows)), words["description"], HEIGHT, "container"
        ),
        lambda: distance_rows(distances, values),
    )
