"""The mean effect of removing each part of a model, with intervals, as an altair chart. Plain numbers in."""

from collections.abc import Mapping, Sequence

import altair as alt

from ...figures.chart import Chart
from ...vega import finished, inline, layered

NEEDED, UNCERTAIN, MUTED = "#c4573d", "#a9a39a", "#868d96"
ROW, AXIS = 24, 60  # px of a part, of the axis
Part = tuple[str, float, float, float]  # recorded name, mean, and the ends of the interval


def effects_rows(parts: Sequence[Part]) -> list[dict[str, object]]:
    """A line per part."""
    return [
        {"part": name, "effect": round(mean, 5), "low": round(low, 5), "high": round(high, 5)}
        for name, mean, low, high in parts
    ]


def effects_chart(parts: Sequence[Part], words: Mapping[str, str], most: int, titles: Mapping[str, str]) -> Chart:
    """A bar for each of the first `most` parts with its interval, grey where that holds 0; the table has them all.

    `titles` say in words what each part is.
    """
    first_parts = parts[:most]
    rows = [
        {**row, "title": titles[name], "colour": UNCERTAIN if low <= 0 <= high else NEEDED}
        for row, (name, _, low, high) in zip(effects_rows(first_parts), first_parts, strict=True)
    ]
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y("part:N", sort=[str(row["part"]) for row in rows], title=None, axis=alt.Axis(labelLimit=280)),
        tooltip=[
            alt.Tooltip("part:N", title=words["part"]),
            alt.Tooltip("title:N", title=" "),
            alt.Tooltip("effect:Q", title=words["effect"], format="+.3f"),
            alt.Tooltip("low:Q", title=words["low"], format="+.3f"),
            alt.Tooltip("high:Q", title=words["high"], format="+.3f"),
        ],
    )
    bars = base.mark_bar(height=12, cornerRadius=2).encode(
        x=alt.X("effect:Q", title=words["effect"], axis=alt.Axis(tickCount=6)), color=alt.Color("colour:N", scale=None)
    )
    intervals = base.mark_rule(strokeWidth=1.5, color=MUTED).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=MUTED).encode(x=alt.X("zero:Q"))
    return Chart(
        finished(layered(zero, bars, intervals), words["description"], ROW * len(rows) + AXIS, "container"),
        lambda: effects_rows(parts),
    )
