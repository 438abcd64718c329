"""Healthy beside broken, as altair charts and as HTML. Plain numbers in, figures out.

Blue with a solid line and circles is healthy, red with a dashed line and squares is broken, never the colour alone.
"""

import math
from collections.abc import Mapping, Sequence

import altair as alt

from ..figures.chart import Chart
from ..numbers import power_of_ten
from ..templates import render
from ..vega import inline, layered

HEALTHY, BROKEN, MUTED = "#3f7fd0", "#cf5a41", "#7b828b"
COLOURS = {"healthy": HEALTHY, "broken": BROKEN, "model": BROKEN, "formula": MUTED}
DASHES = {"healthy": [1, 0], "broken": [6, 3], "model": [1, 0], "formula": [2, 3]}
SHAPES = {"healthy": "circle", "broken": "square", "model": "square", "formula": "diamond"}
HEIGHT = 280  # px
BAR = 12  # px
AROUND = 120  # px for the legend and the axis
SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1]
ROOM = 0.12  # of a share of 1, for the number behind its bar
MOST_MARKS = 40  # points of one line that are marked


def line_rows(series: Mapping[str, Sequence[float]], xs: Sequence[float] | None = None) -> list[dict[str, object]]:
    """A line per number: which series ("healthy", "broken", …), x (0, 1, … where none is given) and y."""
    return [
        {"which": name, "x": float(x), "y": float(y)}
        for name, values in series.items()
        for x, y in zip(range(len(values)) if xs is None else xs, values, strict=True)
    ]


def lines_chart(rows: Sequence[Mapping[str, object]], words: Mapping[str, str], *, log: bool = False) -> Chart:
    """Lines of `line_rows`. NaN leaves a gap, and so does 0 on a logarithmic axis.

    `words`: x, y, description, and the name of every series.
    """
    drawable = [_row(row, words) for row in rows if _drawable(float(str(row["y"])), log)]
    names = list(dict.fromkeys(str(row["which"]) for row in rows))
    titles = [words[name] for name in names]
    scale = alt.Scale(type="log") if log else alt.Scale(zero=False)
    numbers = {"format": "~g", "labelOverlap": "greedy"} if log else {}
    axis = alt.Axis(gridOpacity=0.25, tickCount=6, **numbers)  # type: ignore[arg-type]
    x = alt.X(
        "x:Q", title=words["x"], axis=alt.Axis(grid=False, tickCount=8, tickMinStep=1), scale=alt.Scale(nice=False)
    )
    base = alt.Chart(inline(drawable)).encode(
        x=x,
        y=alt.Y("y:Q", title=words["y"], scale=scale, axis=axis),
        color=alt.Color("series:N", scale=_scale(titles, [COLOURS[name] for name in names]), legend=_legend()),
        tooltip=[_tip("series", words["which"], "N"), _tip("x", words["x"]), _tip("y", words["y"])],
    )
    dash = alt.StrokeDash("series:N", scale=_scale(titles, [DASHES[name] for name in names]), legend=_legend())
    shape = alt.Shape("series:N", scale=_scale(titles, [SHAPES[name] for name in names]), legend=_legend())
    layers = [base.mark_line(strokeWidth=2.5).encode(strokeDash=dash)]
    if len({row["x"] for row in rows}) <= MOST_MARKS:
        layers.append(base.mark_point(filled=True, size=60, opacity=1).encode(shape=shape))
    return Chart(
        layered(*layers, description=words["description"], height=HEIGHT, width="container", background="transparent"),
        lambda: rows,
    )


def bar_rows(labels: Sequence[str], series: Mapping[str, Sequence[float]]) -> list[dict[str, object]]:
    """A line per bar: its place, its label, which series, and its length."""
    return [
        {"place": place, "label": f"{place}  {label}", "which": name, "value": float(value)}
        for name, values in series.items()
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    ]


def bars_chart(
    rows: Sequence[Mapping[str, object]],
    words: Mapping[str, str],
    *,
    target: float | None = None,
    log: bool = False,
    share: bool = False,
) -> Chart:
    """Bars of `bar_rows`, a group per label, each with its number; `target` marks what a healthy bar reaches.

    The axis of a `share` ends at 1; behind it is room for the numbers.

    `words`: x, description, label, and the name of every series.
    """
    names = list(dict.fromkeys(str(row["which"]) for row in rows))
    titles = [words[name] for name in names]
    values = [float(str(row["value"])) for row in rows]
    rows_with_text = [
        {**row, "series": words[str(row["which"])], "shown": figures(value)}
        for row, value in zip(rows, values, strict=True)
    ]
    labels = list(dict.fromkeys(str(row["label"]) for row in rows))
    top = max([value for value in values if math.isfinite(value)], default=1.0) or 1.0
    least = min([value for value in values if value > 0], default=1.0)
    scale = alt.Scale(type="log", domain=[least / 2, top * 6]) if log else alt.Scale(domain=[0, top * 1.25])
    ticks = {"tickCount": 5}
    if share:
        scale, ticks = alt.Scale(domain=[0, 1 + ROOM]), {"values": SHARES, "domain": False}
    x = alt.X("value:Q", title=words["x"], scale=scale, axis=alt.Axis(grid=False, format="~g", **ticks))
    colour = alt.Color("series:N", scale=_scale(titles, [COLOURS[name] for name in names]), legend=_legend("square"))
    base = alt.Chart(inline(rows_with_text)).encode(
        y=alt.Y(
            "label:N",
            sort=None,
            title=None,
            scale=alt.Scale(domain=labels, paddingInner=0.3),
            axis=alt.Axis(labelLimit=150, labelOverlap=False, ticks=False, domain=False, labelFontSize=13),
        ),
        yOffset=alt.YOffset("series:N", sort=titles, scale=alt.Scale(domain=titles)),
        color=colour,
        tooltip=[_tip("label", words["label"], "N"), _tip("series", words["which"], "N"), _tip("value", words["x"])],
    )
    start = {"x2": alt.X2Datum(least / 2)} if log else {}
    layers: list[alt.Chart] = [
        base.mark_bar(cornerRadiusEnd=3).encode(x=x, **start),
        base.mark_text(align="left", dx=4, fontSize=12, fontWeight=600).encode(x=x, text=alt.Text("shown:N")),
    ]
    if target is not None:
        layers.append(
            alt.Chart(inline([{"value": target}])).mark_rule(color=MUTED, strokeDash=[4, 3]).encode(x=alt.X("value:Q"))
        )
    height = AROUND + len(labels) * (len(names) * BAR + 8)
    return Chart(
        layered(*layers, description=words["description"], height=height, width="container", background="transparent"),
        lambda: rows,
    )


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


def numbers_html(rows: Sequence[tuple[str, str, str]], words: Mapping[str, str]) -> str:
    """A table of measured numbers: one row per number, healthy and broken side by side."""
    heads = (words["healthy"], words["broken"])
    return render("html/templates/table.html", "measured", heads=heads, rows=rows, looks=("good", "bad"))


def lines_html(wrong: str, right: str, words: Mapping[str, str]) -> str:
    """The wrong line of code and the right one."""
    lines = (("bad", "✗", words["wrong"], wrong), ("good", "✓", words["right"], right))
    return render("html/templates/mistakes.html", "lines", lines=lines)


def _row(row: Mapping[str, object], words: Mapping[str, str]) -> dict[str, object]:
    return {**row, "y": float(f"{float(str(row['y'])):.5g}"), "series": words[str(row["which"])]}


def _drawable(value: float, log: bool) -> bool:
    return math.isfinite(value) and (value > 0 or not log)


def _scale(domain: list[str], values: list) -> alt.Scale:
    return alt.Scale(domain=domain, range=values)


def _legend(shape: str | None = None) -> alt.Legend:
    symbol = alt.Undefined if shape is None else shape
    return alt.Legend(title=None, orient="top", columns=3, labelLimit=200, symbolStrokeWidth=2, symbolType=symbol)


def _tip(field: str, title: str, kind: str = "Q") -> alt.Tooltip:
    format_ = alt.Undefined if kind == "N" else ".4~g"
    return alt.Tooltip(f"{field}:{kind}", title=title, format=format_)
