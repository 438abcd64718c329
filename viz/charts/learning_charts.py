"""What a class has learned, as altair charts: its gain, and the share right before and after. Plain numbers in."""

import math
from collections.abc import Sequence

import altair as alt

from ..figures.chart import Chart
from ..palette import BLUE, MUTED, SKY
from ..vega import with_percents
from .marks import chart, dots, intervals, marks, rule
from .style import BARE, LABEL, PERCENT, Interval, Row, Words, legend, series, tip, tips, x_axis, y_names

ROW, TOPIC, AXIS = 34, 40, 80  # px of a group, of a topic, of the axis and its title
LEGEND = 50  # px
STEP = 0.5  # points between two ticks


def gain_chart(gains: Sequence[tuple[str, Interval]], words: Words) -> Chart:
    """Gains in points, everyone's first and then each group's, each with its interval; a line marks 0.

    `words`: who, gain, low, high, gain_description.
    """
    rows: list[Row] = [
        {"group": name, "gain": round(mean, 5), "low": round(low, 5), "high": round(high, 5)}
        for name, (mean, low, high) in gains
    ]
    names = [row["group"] for row in rows]
    base = marks(
        rows,
        y=_names("group", names),
        tooltip=[tip("group:N", words["who"]), *tips(words, "gain:Q +.1f", "low:Q +.1f", "high:Q +.1f")],
        **series("group:N", names, None, color=[BLUE, *[SKY] * (len(names) - 1)]),
    )
    low, high = min(each[1] for _, each in gains), max(each[2] for _, each in gains)
    ends = [min(math.floor(low / STEP) * STEP, -STEP), max(math.ceil(high / STEP) * STEP, STEP)]  # 0 is always in view
    label = "datum.value ? format(datum.value, '+~g') : '0'"
    x = x_axis("low:Q", words["gain"], {"domain": ends}, grid=False, labelExpr=label, tickCount=6, tickMinStep=STEP)
    return chart(
        rule("x", "zero", 0, strokeDash=[4, 3]),
        intervals(base, x, strokeWidth=3, opacity=0.55),
        dots(base, x=alt.X("gain:Q")),
        description=words["gain_description"],
        height=ROW * len(rows) + AXIS,
        rows=rows,
    )


def topics_chart(topics: Sequence[tuple[str, Interval, Interval]], words: Words) -> Chart:
    """Shares right (0 to 1) per topic before and after, each with its interval.

    `words`: topic, phase, before, after, share, low, high, topics_description.
    """
    rows: list[Row] = [
        {"topic": name, "phase": phase, "share": round(share, 4), "low": round(low, 4), "high": round(high, 4)}
        for name, *both in topics
        for phase, (share, low, high) in zip(("before", "after"), both, strict=True)
    ]
    names, phases = [name for name, *_ in topics], [words["before"], words["after"]]
    drawn = [{**row, "phase": words[row["phase"]]} for row in rows]
    above = legend(labelLimit=200)
    base = marks(
        with_percents(drawn, "share", "low", "high", decimals=0),
        y=_names("topic", names),
        yOffset=alt.YOffset("phase:N", sort=phases, scale=alt.Scale(domain=phases, paddingOuter=0.7)),
        tooltip=tips(words, "topic:N", "phase:N", "share_said:N", "low_said:N", "high_said:N"),
        **series("phase:N", phases, above, color=[MUTED, BLUE]),
    )
    x = x_axis("low:Q", words["share"], {"domain": [0, 1]}, **PERCENT, gridOpacity=0.25)
    return chart(
        intervals(base, x, strokeWidth=3, opacity=0.55),
        dots(base, x=alt.X("share:Q"), **series("phase:N", phases, above, shape=["circle", "diamond"])),
        description=words["topics_description"],
        height=TOPIC * len(names) + AXIS + LEGEND,
        rows=rows,
    )


def _names(field: str, names: Sequence[str]) -> alt.Y:
    return y_names(f"{field}:N", names, LABEL, **BARE, labelPadding=8)
