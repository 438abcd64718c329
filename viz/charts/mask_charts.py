"""How far the output of each decoding step moves when a token is changed that the mask hides."""

from collections.abc import Iterable, Mapping, Sequence

import altair as alt

from ..figures.chart import Chart
from ..numbers import power_of_ten
from ..palette import BAD, GOOD
from .marks import chart, marks
from .style import BARE, Row, Words, legend, series, tip, tips, x_axis, y_names

BAR = 15  # px
ROOM = 1.6
AROUND = 120  # px for the legend and the axis


def step_rows(
    labels: Sequence[str], series: Mapping[str, Iterable[float]], tokens: Mapping[str, Sequence[str]]
) -> list[Row]:
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


def steps_chart(rows: Sequence[Row], names: Sequence[str], words: Words) -> Chart:
    """Bars of `step_rows`, a group per step; `names` are the series in order, with the mask first."""
    order = alt.EncodingSortField("step", op="min")  # of those that can be merged between layers
    above = legend(labelLimit=400, columns=1, symbolType="square")
    # a change that must not be: red; what the mask makes of it: blue; room for the word behind the longest bar
    base = marks(
        rows,
        y=y_names("label:N", order, 150, {"paddingInner": 0.3}, **BARE, labelOverlap=False, labelFontSize=13),
        yOffset=alt.YOffset("mask:N", sort=list(names)),
        x=x_axis(
            "change:Q",
            words["axis"],
            {"domain": [0, ROOM * max(row["change"] for row in rows) or 1.0]},
            grid=False,
            tickCount=4,
        ),
        **series("mask:N", names, above, color=[GOOD, BAD]),
    )
    tooltip = [tip("label:N", words["step"]), tip("mask:N", words["mask"]), tip("change:Q", words["axis"], ".3g")]
    tooltip += tips(words, "written:N")
    return chart(
        base.mark_bar(cornerRadiusEnd=3).encode(tooltip=tooltip),
        base.mark_text(align="left", dx=4, fontSize=12, fontWeight=600).encode(text=alt.Text("shown:N")),
        description=words["description"],
        height=AROUND + len({row["step"] for row in rows}) * (len(names) * BAR + 10),
        width=None,
    )


def change_text(change: float) -> str:
    """A change as text: exactly 0, or three significant digits."""
    if change == 0:
        return "0"
    return f"{change:.2f}" if change >= 0.01 else power_of_ten(change)
