"""A bar for each label, its number at the right: weights, similarities, probabilities."""

import json
from collections.abc import Sequence
from math import ceil
from typing import Literal

import altair as alt

from ...figures.chart import Chart
from ...numbers import significant
from ...palette import HOLDS
from ...vega import finished, layered
from ..marks import bars, marks
from ..style import BARE, Words, tips, x_axis

LINE, AXIS = 28, 60  # px of a bar, and of the axis below all


def bars_chart(labels: Sequence[str], values: Sequence[float], words: Words, *, number: str = ".3f") -> Chart:
    """Bars from the top down in the order given; `number` is a format of Python.

    `words` are `label` and `value`, the names of the two columns, and `description`, the text alternative.
    """
    rows = [
        {"place": place, "label": label, "value": significant(value, 4)}
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    low = min(0.0, *values)
    ticks = [tick / 5 for tick in range(ceil(5 * low), 6)]
    x = x_axis("value:Q", words["value"], {"domain": [low, 1]}, values=ticks, labelFontSize=13, titleFontSize=13)
    base = marks(rows, y=_places(labels, "left"), x=x, tooltip=tips(words, "label:N", "value:Q"))
    # the numbers are a second axis: unlike marks, axes have the colour of the theme, and nothing cuts them off
    numbers = base.mark_point(opacity=0).encode(y=_places([f"{value:{number}}" for value in values], "right"))
    figure = layered(bars(base, 16, HOLDS), numbers)
    figure.resolve = alt.Resolve(axis=alt.AxisResolveMap(y=alt.ResolveMode("independent")))
    return Chart(finished(figure, words["description"], LINE * len(rows) + AXIS, "container"))


def _places(labels: Sequence[str], side: Literal["left", "right"]) -> alt.Y:
    """A label for each bar, by a Vega expression, since labels may repeat. JSON escapes quotes in them."""
    names = f"{json.dumps(list(labels), ensure_ascii=False)}[datum.value]"
    axis = alt.Axis(
        title=None, orient=side, labelFontSize=13, labelLimit=150, labelOverlap=False, labelExpr=names, **BARE
    )
    return alt.Y("place:O", sort=None, axis=axis)
