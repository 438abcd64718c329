"""A bar for each label, its number at the right: weights, similarities, probabilities."""

import json
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Literal

import altair as alt

from ...figures.chart import Chart
from ...vega import finished, inline, layered

BAR = "#3f8cc9"
LINE, AXIS = 28, 60  # px of a bar, and of the axis below all


def bars_chart(
    labels: Sequence[str],
    values: Sequence[float],
    words: Mapping[str, str],
    *,
    number: str = ".3f",
) -> Chart:
    """Bars from the top down in the order given; `number` is a format of Python.

    `words` are `label` and `value`, the names of the two columns, and `description`, the text alternative.
    """
    rows = [
        {"place": place, "label": label, "value": float(f"{value:.4g}")}
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    low = min(0.0, *values)
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y("place:O", sort=None, axis=_axis(labels, "left")),
        x=alt.X(
            "value:Q",
            title=words["value"],
            scale=alt.Scale(domain=[low, 1]),
            axis=alt.Axis(values=[tick / 5 for tick in range(ceil(5 * low), 6)], labelFontSize=13, titleFontSize=13),
        ),
        tooltip=[alt.Tooltip("label:N", title=words["label"]), alt.Tooltip("value:Q", title=words["value"])],
    )
    bars = base.mark_bar(height=16, cornerRadiusEnd=3, color=BAR)
    # the numbers are a second axis: unlike marks, axes have the colour of the theme, and nothing cuts them off
    axis = _axis([f"{value:{number}}" for value in values], "right")
    numbers = base.mark_point(opacity=0).encode(y=alt.Y("place:O", sort=None, axis=axis))
    figure = layered(bars, numbers)
    figure.resolve = alt.Resolve(axis=alt.AxisResolveMap(y=alt.ResolveMode("independent")))
    return Chart(finished(figure, words["description"], LINE * len(rows) + AXIS, "container"))


def _axis(labels: Sequence[str], side: Literal["left", "right"]) -> alt.Axis:
    """A label for each bar."""
    return alt.Axis(
        title=None,
        orient=side,
        labelFontSize=13,
        labelLimit=150,
        ticks=False,
        domain=False,
        labelOverlap=False,
        labelExpr=_names(labels),
    )


def _names(labels: Sequence[str]) -> str:
    """A Vega expression from a place to its label, since labels may repeat. JSON escapes quotes in them."""
    return f"{json.dumps(list(labels), ensure_ascii=False)}[datum.value]"
