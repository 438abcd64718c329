"""Healthy beside broken, as altair charts and as HTML. Plain numbers in, figures out.

Blue with a solid line and circles is healthy, red with a dashed line and squares is broken, never the colour alone.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from ..figures.chart import Chart
from ..numbers import power_of_ten, significant
from ..palette import BAD, GOOD, MUTED
from ..templates import render
from ..vega import layered
from .marks import chart, dots, marks, rule
from .style import BARE, Row, Words, legend, series, tip, tips, x_axis, y_axis, y_names

COLOURS = {"healthy": GOOD, "broken": BAD, "model": BAD, "formula": MUTED}
DASHES = {"healthy": [1, 0], "broken": [6, 3], "model": [1, 0], "formula": [2, 3]}
SHAPES = {"healthy": "circle", "broken": "square", "model": "square", "formula": "diamond"}
HEIGHT = 280  # px
BAR = 12  # px
AROUND = 120  # px for the legend and the axis
SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1]
ROOM = 0.12  # of a share of 1, for the number behind its bar
MOST_MARKS = 40  # points of one line that are marked
LEGEND = {"columns": 3, "labelLimit": 200, "symbolStrokeWidth": 2}


def line_rows(series: Mapping[str, Sequence[float]], xs: Sequence[float] | None = None) -> list[Row]:
    """A line per number: which series ("healthy", "broken", …), x (0, 1, … where none is given) and y."""
    return [
        {"which": name, "x": float(x), "y": float(y)}
        for name, values in series.items()
        for x, y in zip(range(len(values)) if xs is None else xs, values, strict=True)
    ]


def lines_chart(rows: Sequence[Row], words: Words, *, log: bool = False) -> Chart:
    """Lines of `line_rows`. NaN leaves a gap, and so does 0 on a logarithmic axis.

    `words`: x, y, description, and the name of every series.
    """
    drawn = [
        {**row, "y": significant(row["y"], 5), "series": words[row["which"]]}
        for row in rows
        if math.isfinite(row["y"]) and (row["y"] > 0 or not log)
    ]
    numbers = {"format": "~g", "labelOverlap": "greedy"} if log else {}
    scale = {"type": "log"} if log else {"zero": False}
    base = marks(
        drawn,
        x=x_axis("x:Q", words["x"], {"nice": False}, grid=False, tickCount=8, tickMinStep=1),
        y=y_axis("y:Q", words["y"], scale, gridOpacity=0.25, tickCount=6, **numbers),
        tooltip=[tip("series:N", words["which"]), *(tip(f"{at}:Q", words[at], ".4~g") for at in "xy")],
        **_series(rows, words, color=COLOURS),
    )
    layers = [base.mark_line(strokeWidth=2.5).encode(**_series(rows, words, strokeDash=DASHES))]
    if len({row["x"] for row in rows}) <= MOST_MARKS:
        layers.append(dots(base, 60, **_series(rows, words, shape=SHAPES)))
    return chart(layered(*layers), description=words["description"], height=HEIGHT, rows=rows)


def bar_rows(labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> list[Row]:
    """A line per bar: its place, its label, which series, and its length."""
    return [
        {"place": place, "label": f"{place}  {label}", "which": name, "value": float(value)}
        for name, values in series.items()
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    ]


def bars_chart(
    rows: Sequence[Row], words: Words, *, target: float | None = None, log: bool = False, share: bool = False
) -> Chart:
    """Bars of `bar_rows`, a group per label, each with its number; `target` marks what a healthy bar reaches.

    The axis of a `share` ends at 1; behind it is room for the numbers.

    `words`: x, description, label, and the name of every series.
    """
    drawn = [{**row, "series": words[row["which"]], "shown": figures(row["value"])} for row in rows]
    values, titles = [row["value"] for row in rows], list(dict.fromkeys(row["series"] for row in drawn))
    labels = list(dict.fromkeys(row["label"] for row in rows))
    top = max([value for value in values if math.isfinite(value)], default=1.0) or 1.0
    least = min([value for value in values if value > 0], default=1.0)
    scale: dict[str, Any] = {"type": "log", "domain": [least / 2, top * 6]} if log else {"domain": [0, top * 1.25]}
    ticks: dict[str, Any] = {"tickCount": 5}
    if share:
        scale, ticks = {"domain": [0, 1 + ROOM]}, {"values": SHARES, "domain": False}
    names = {"domain": labels, "paddingInner": 0.3}
    base = marks(
        drawn,
        x=x_axis("value:Q", words["x"], scale, grid=False, format="~g", **ticks),
        y=y_names("label:N", None, 150, names, labelOverlap=False, labelFontSize=13, **BARE),
        yOffset=alt.YOffset("series:N", sort=titles, scale=alt.Scale(domain=titles)),
        tooltip=[*tips(words, "label:N"), tip("series:N", words["which"]), tip("value:Q", words["x"], ".4~g")],
        **_series(rows, words, "square", color=COLOURS),
    )
    start = {"x2": alt.X2Datum(least / 2)} if log else {}
    layers = [
        base.mark_bar(cornerRadiusEnd=3).encode(**start),
        base.mark_text(align="left", dx=4, fontSize=12, fontWeight=600).encode(text=alt.Text("shown:N")),
    ]
    if target is not None:
        layers.append(rule("x", "value", target, strokeDash=[4, 3]))
    height = AROUND + len(labels) * (len(titles) * BAR + 8)
    return chart(*layers, description=words["description"], height=height, rows=rows)


def figures(value: float) -> str:
    """A number with four significant digits, separated thousands, and a power of ten if it is tiny."""
    if math.isnan(value):
        return "NaN"
    if value == 0:
        return "0"
    if abs(value) < 1e-5:
        return power_of_ten(value)
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.4g}".replace("-", "−")


def numbers_html(rows: Sequence[tuple[str, str, str]], words: Words) -> str:
    """A table of measured numbers: one row per number, healthy and broken side by side."""
    heads = (words["healthy"], words["broken"])
    return render("html/templates/table.html", "measured", heads=heads, rows=rows, looks=("good", "bad"))


def lines_html(wrong: str, right: str, words: Words) -> str:
    """The wrong line of code and the right one."""
    lines = (("bad", "✗", words["wrong"], wrong), ("good", "✓", words["right"], right))
    return render("html/templates/mistakes.html", "lines", lines=lines)


def _series(
    rows: Sequence[Row], words: Words, symbol: str | None = None, **values: Mapping[str, Any]
) -> dict[str, Any]:
    """Channels of the series in the order of the rows: the value of each by its name."""
    names = list(dict.fromkeys(row["which"] for row in rows))
    above = legend(**LEGEND, symbolType=symbol or alt.Undefined)
    return series(
        "series:N",
        [words[name] for name in names],
        above,
        **{key: [of[n] for n in names] for key, of in values.items()},
    )
