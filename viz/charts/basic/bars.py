"""A bar for each label, its number at its end: weights, similarities, probabilities."""

import json
from collections.abc import Mapping, Sequence

import altair as alt

from viz.vega import finished, inline, layered

BAR, CHOSEN, NUMBER = "#3f8cc9", "#c8551b", "#7b828b"
LINE, AXIS = 28, 60  # px of a bar, and of the axis below all


def bars_chart(
    labels: Sequence[str],
    values: Sequence[float],
    words: Mapping[str, str],
    *,
    chosen: int = -1,
    number: str = ".3f",
) -> alt.LayerChart:
    """Bars from the top down in the order given; `chosen` has a colour of its own, `number` is a format of Vega.

    `words` are `label` and `value`, the names of the two columns, and `description`, the text alternative.
    """
    rows = [
        {"place": place, "label": label, "value": float(f"{value:.4g}"), "chosen": place == chosen}
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    names = alt.Axis(
        title=None,
        labelFontSize=13,
        labelLimit=150,
        ticks=False,
        domain=False,
        labelOverlap=False,
        labelExpr=_names(labels),
    )
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y("place:O", sort=None, axis=names),
        x=alt.X(
            "value:Q",
            title=words["value"],
            scale=alt.Scale(domain=[min(0.0, *values), 1]),
            axis=alt.Axis(tickCount=5, labelFontSize=13, titleFontSize=13),
        ),
        tooltip=[alt.Tooltip("label:N", title=words["label"]), alt.Tooltip("value:Q", title=words["value"])],
    )
    bars = base.mark_bar(height=16, cornerRadiusEnd=3).encode(
        color=alt.condition("datum.chosen", alt.value(CHOSEN), alt.value(BAR))
    )
    numbers = base.mark_text(align="left", dx=5, color=NUMBER, fontSize=13).encode(
        text=alt.Text("value:Q", format=number)
    )
    return finished(layered(bars, numbers), words["description"], LINE * len(rows) + AXIS, "container")


def _names(labels: Sequence[str]) -> str:
    """A Vega expression from a place to its label, since labels may repeat. JSON escapes quotes in them."""
    return f"{json.dumps(list(labels), ensure_ascii=False)}[datum.value]"
