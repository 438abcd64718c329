"""With residual connections and without, as altair charts: one number at each place, the depth running downwards."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...vega import inline, layered
from .stream_charts import ROW, Figure, sized

WITH, WITHOUT = "#3f7fd0", "#cf5a41"
LEAST = 1e-15  # on the log axis: below it there is only the rounding of 64 bits
Words = Mapping[str, str]


def rows(places: Sequence[str], kinds: Mapping[str, np.ndarray]) -> list[dict[str, object]]:
    """A line per place (N) and kind; the numbers as they are, (N) each."""
    return [
        {"place": place, "kind": kind, "value": float(f"{value:.5g}")}
        for kind, values in kinds.items()
        for place, value in zip(places, values.tolist(), strict=True)
    ]


def alike_chart(
    places: Sequence[str], kinds: Mapping[str, np.ndarray], words: Words, down: str | None = None, low: float = 0.0
) -> Chart:
    """Cosines at each of N places, at most two lines; `down` names the places, the axis begins at `low` or below."""
    low = min(low, *(float(values.min()) for values in kinds.values()))
    scale = alt.Scale(domain=[low, 1])
    x = alt.X("value:Q", title=words["alike"], scale=scale, axis=alt.Axis(tickCount=6))
    return Chart(
        _lines(rows(places, kinds), places, list(kinds), x, words["alike"], down, words["alike_description"]),
        lambda: rows(places, kinds),
    )


def gradient_chart(places: Sequence[str], kinds: Mapping[str, np.ndarray], words: Words, down: str) -> Chart:
    """Length of the gradient that reaches the input from each of N places, on a log axis that ends at `LEAST`."""
    rows_of_axis = [{**row, "value": max(float(str(row["value"])), LEAST)} for row in rows(places, kinds)]
    scale = alt.Scale(type="log", domainMin=LEAST, nice=False)
    axis = alt.Axis(format=".0e", values=[1e-15, 1e-10, 1e-5, 1, 1e5])
    x = alt.X("value:Q", title=words["gradient"], scale=scale, axis=axis)
    return Chart(
        _lines(rows_of_axis, places, list(kinds), x, words["gradient"], down, words["gradient_description"]),
        lambda: rows(places, kinds),
    )


def _lines(
    rows: Sequence[Mapping[str, object]],
    places: Sequence[str],
    kinds: Sequence[str],
    x: alt.X,
    value: str,
    down: str | None,
    description: str,
) -> Figure:
    axis = alt.Axis(labelLimit=200, labelOverlap=False, labelFlush=False)
    order = [{**row, "order": places.index(str(row["place"]))} for row in rows]
    legend = alt.Legend(title=None, orient="top", columns=1, labelLimit=400)
    base = alt.Chart(inline(order)).encode(
        y=alt.Y("place:N", sort=list(places), title=down, axis=axis),
        x=x,
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=list(kinds), range=[WITH, WITHOUT]),
            legend=legend,
        ),
        tooltip=[
            alt.Tooltip("kind:N", title=" "),
            alt.Tooltip("place:N", title=down or " "),
            alt.Tooltip("value:Q", title=value, format=".3g"),
        ],
    )
    figure = layered(
        base.mark_line(strokeWidth=2.5).encode(order=alt.Order("order:Q")),
        base.mark_point(filled=True, size=70, opacity=1).encode(
            shape=alt.Shape(
                "kind:N", scale=alt.Scale(domain=list(kinds), range=["circle", "triangle-up"]), legend=legend
            )
        ),
    )
    return sized(figure, description, ROW * len(places), around=110)
