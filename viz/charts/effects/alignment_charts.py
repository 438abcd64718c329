"""The alignment error rate of each head in two rows, with intervals and baselines, as an altair chart."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import altair as alt

from ...figures.chart import Chart
from ...vega import finished, inline, layered

COLOURS, MUTED = ("#c4573d", "#3a86c8"), "#868d96"
ROW, AXIS = 24, 90  # px of a head, of axis and legend


@dataclass(frozen=True)
class Rate:
    """AER of a head in one row, and the ends of its interval, from 0 to 1."""

    head: str
    row: str
    aer: float
    low: float
    high: float


def rates_chart(rates: Sequence[Rate], baselines: Sequence[tuple[str, float]], words: Mapping[str, str]) -> Chart:
    """A point for each head and row; a dashed line for each baseline, by name."""
    rows = [asdict(rate) for rate in rates]
    heads, kinds = (list(dict.fromkeys(getattr(rate, name) for rate in rates)) for name in ("head", "row"))
    colour = alt.Color(
        "row:N", scale=alt.Scale(domain=kinds, range=list(COLOURS)),
        legend=alt.Legend(title=None, orient="top", direction="vertical", labelLimit=320),
    )  # fmt: skip
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y("head:N", sort=heads, title=None, axis=alt.Axis(labelLimit=280)),
        yOffset=alt.YOffset("row:N", sort=kinds, scale=alt.Scale(paddingOuter=0.6)),
        color=colour,
        tooltip=[
            *(alt.Tooltip(f"{name}:N", title=words[name]) for name in ("head", "row")),
            *(alt.Tooltip(f"{name}:Q", title=words[name], format=".3f") for name in ("aer", "low", "high")),
        ],
    )
    x = alt.X("aer:Q", title=words["aer"], scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=6))
    points = base.mark_point(filled=True, size=60, opacity=1).encode(x=x)
    intervals = base.mark_rule(strokeWidth=1.5).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    named = alt.Chart(inline([{"name": name, "aer": value} for name, value in baselines])).encode(x=alt.X("aer:Q"))
    lines = named.mark_rule(color=MUTED, strokeDash=[4, 4]).encode(tooltip=[alt.Tooltip("name:N", title=" ")])
    labels = named.mark_text(color=MUTED, baseline="bottom", fontSize=12).encode(
        text=alt.Text("name:N"), y=alt.YValue(-3)
    )
    height = ROW * len(heads) + AXIS
    table = [*rows, *({"head": name, "row": "", "aer": value, "low": "", "high": ""} for name, value in baselines)]
    return Chart(
        finished(layered(lines, labels, intervals, points), words["description"], height, "container"), lambda: table
    )
