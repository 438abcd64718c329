"""How far the output of each decoding step moves when a token is changed that the mask hides."""

from collections.abc import Iterable, Mapping, Sequence

import altair as alt

from ..figures.chart import Chart
from ..numbers import power_of_ten
from ..vega import inline, layered

# a change that must not be: red; what the mask makes of it: blue
WITH, WITHOUT = "#3f7fd0", "#cf5a41"
BAR = 15  # px
ROOM = 1.6
AROUND = 120  # px for the legend and the axis


def step_rows(
    labels: Sequence[str], series: Mapping[str, Iterable[float]], tokens: Mapping[str, Sequence[str]]
) -> list[dict[str, object]]:
    """One row per step and series: how far the step moved, and the token that it writes afterwards."""
    return [
        {
            "step": step,
            "label": f"{step}  {labels[step]}",
            "mask": name,
            "change": float(change),
            "shown": change_text(float(change)) + (f"  → {tokens[name][step]}" if tokens.get(name) else ""),
            "written": tokens[name][step] if tokens.get(name) else "",
        }
        for name, changes in series.items()
        for step, change in enumerate(changes)
    ]


def steps_chart(rows: Sequence[Mapping[str, object]], names: Sequence[str], words: Mapping[str, str]) -> Chart:
    """Bars of `step_rows`, a group per step; `names` are the series in order, with the mask first."""
    colours = [WITH, WITHOUT][: len(names)]
    steps = len({row["step"] for row in rows})
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y(
            "label:N",
            sort=alt.EncodingSortField("step", op="min"),  # of those that can be merged between layers
            title=None,
            axis=alt.Axis(labelLimit=150, labelOverlap=False, ticks=False, domain=False, labelFontSize=13),
            scale=alt.Scale(paddingInner=0.3),
        ),
        yOffset=alt.YOffset("mask:N", sort=list(names)),
    )
    # room for the word behind the longest bar
    domain = [0, ROOM * max(float(str(row["change"])) for row in rows) or 1.0]
    x = alt.X("change:Q", title=words["axis"], axis=alt.Axis(grid=False, tickCount=4), scale=alt.Scale(domain=domain))
    colour = alt.Color(
        "mask:N",
        scale=alt.Scale(domain=list(names), range=colours),
        legend=alt.Legend(title=None, orient="top", labelLimit=400, columns=1, symbolType="square"),
    )
    tips = [
        alt.Tooltip("label:N", title=words["step"]),
        alt.Tooltip("mask:N", title=words["mask"]),
        alt.Tooltip("change:Q", title=words["axis"], format=".3g"),
        alt.Tooltip("written:N", title=words["written"]),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(x=x, color=colour, tooltip=tips)
    numbers = base.mark_text(align="left", dx=4, fontSize=12, fontWeight=600).encode(
        x=x,
        text=alt.Text("shown:N"),
        color=colour,
    )
    height = AROUND + steps * (len(names) * BAR + 10)
    return Chart(layered(bars, numbers, description=words["description"], height=height, background="transparent"))


def change_text(change: float) -> str:
    """A change as text: exactly 0, or three significant digits."""
    if change == 0:
        return "0"
    return f"{change:.2f}" if change >= 0.01 else power_of_ten(change)
