"""What a class has learned, as altair charts: its gain, and the share right before and after. Plain numbers in."""

import math
from collections.abc import Mapping, Sequence

import altair as alt

from ..figures.chart import Chart
from ..vega import finished, inline, layered, with_percents

EVERYONE, GROUP, MUTED = "#2f7fb8", "#5b9bd5", "#868d96"  # mid tones, to be read on a light and on a dark card
ROW, TOPIC, AXIS = 34, 40, 80  # px of a group, of a topic, of the axis and its title
LEGEND = 50  # px
STEP = 0.5  # points between two ticks
LABEL = 150  # px for the name of a row
Interval = tuple[float, float, float]  # a mean, and the ends of its interval


def gain_rows(gains: Sequence[tuple[str, Interval]]) -> list[dict[str, object]]:
    """A line per group."""
    return [
        {"group": name, "gain": round(mean, 5), "low": round(low, 5), "high": round(high, 5)}
        for name, (mean, low, high) in gains
    ]


def gain_chart(gains: Sequence[tuple[str, Interval]], words: Mapping[str, str]) -> Chart:
    """Gains in points, everyone's first and then each group's, each with its interval; a line marks 0.

    `words`: who, gain, low, high, gain_description.
    """
    rows = gain_rows(gains)
    names = [name for name, _ in gains]
    colours = alt.Scale(domain=names, range=[EVERYONE, *[GROUP] * (len(names) - 1)])
    base = alt.Chart(inline(rows)).encode(
        y=_names("group", names),
        color=alt.Color("group:N", scale=colours, legend=None),
        tooltip=[
            alt.Tooltip("group:N", title=words["who"]),
            *(alt.Tooltip(f"{name}:Q", title=words[name], format="+.1f") for name in ("gain", "low", "high")),
        ],
    )
    low, high = min(each[1] for _, each in gains), max(each[2] for _, each in gains)
    ends = [min(math.floor(low / STEP) * STEP, -STEP), max(math.ceil(high / STEP) * STEP, STEP)]  # 0 is always in view
    label = "datum.value ? format(datum.value, '+~g') : '0'"
    axis = alt.Axis(grid=False, labelExpr=label, tickCount=6, tickMinStep=STEP)
    x = alt.X("low:Q", title=words["gain"], scale=alt.Scale(domain=ends), axis=axis)
    intervals = base.mark_rule(strokeWidth=3, opacity=0.55).encode(x=x, x2=alt.X2("high:Q"))
    points = base.mark_point(filled=True, size=90, opacity=1).encode(x=alt.X("gain:Q"))
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=MUTED, strokeDash=[4, 3]).encode(x=alt.X("zero:Q"))
    height = ROW * len(rows) + AXIS
    return Chart(
        finished(layered(zero, intervals, points), words["gain_description"], height, "container"), lambda: rows
    )


def topic_rows(topics: Sequence[tuple[str, Interval, Interval]]) -> list[dict[str, object]]:
    """Two lines per topic: the share right before the lesson, and after it."""
    return [
        {"topic": name, "phase": phase, "share": round(share, 4), "low": round(low, 4), "high": round(high, 4)}
        for name, *phases in topics
        for phase, (share, low, high) in zip(("before", "after"), phases, strict=True)
    ]


def topics_chart(topics: Sequence[tuple[str, Interval, Interval]], words: Mapping[str, str]) -> Chart:
    """Shares right (0 to 1) per topic before and after, each with its interval.

    `words`: topic, phase, before, after, share, low, high, topics_description.
    """
    rows = topic_rows(topics)
    names, phases = [name for name, *_ in topics], [words["before"], words["after"]]
    drawn = with_percents(
        [{**row, "phase": words[str(row["phase"])]} for row in rows], "share", "low", "high", decimals=0
    )
    legend = alt.Legend(title=None, orient="top", labelLimit=200)
    base = alt.Chart(inline(drawn)).encode(
        y=_names("topic", names),
        yOffset=alt.YOffset("phase:N", sort=phases, scale=alt.Scale(domain=phases, paddingOuter=0.7)),
        color=alt.Color("phase:N", scale=alt.Scale(domain=phases, range=[MUTED, EVERYONE]), legend=legend),
        tooltip=[
            *(alt.Tooltip(f"{name}:N", title=words[name]) for name in ("topic", "phase")),
            *(alt.Tooltip(f"{name}_said:N", title=words[name]) for name in ("share", "low", "high")),
        ],
    )
    axis = alt.Axis(format=".0%", tickCount=5, gridOpacity=0.25)
    x = alt.X("low:Q", title=words["share"], scale=alt.Scale(domain=[0, 1]), axis=axis)
    intervals = base.mark_rule(strokeWidth=3, opacity=0.55).encode(x=x, x2=alt.X2("high:Q"))
    points = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=alt.X("share:Q"),
        shape=alt.Shape("phase:N", scale=alt.Scale(domain=phases, range=["circle", "diamond"]), legend=legend),
    )
    height = TOPIC * len(names) + AXIS + LEGEND
    return Chart(finished(layered(intervals, points), words["topics_description"], height, "container"), lambda: rows)


def _names(field: str, names: Sequence[str]) -> alt.Y:
    axis = alt.Axis(labelLimit=LABEL, ticks=False, domain=False, labelPadding=8)
    return alt.Y(f"{field}:N", sort=list(names), title=None, axis=axis)
