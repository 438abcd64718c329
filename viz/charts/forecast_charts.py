"""A price series and its forecasts, as altair charts and as HTML. Plain numbers in, figures out.

Grey is what happened, orange and thick the model's forecast, blue and dashed what needs no model; never colour alone.
"""

from collections.abc import Mapping, Sequence

import altair as alt

from ..figures.chart import Chart
from ..templates import render
from ..vega import inline, layered

ACTUAL, MODEL, NAIVE = "#7b828b", "#c8551b", "#2f7fb8"
COLOURS = {"actual": ACTUAL, "forecast": MODEL, "model": MODEL, "stays": NAIVE, "walk": ACTUAL}
DASHES = {"actual": [1, 0], "forecast": [1, 0], "model": [1, 0], "stays": [7, 3], "walk": [2, 3]}
WIDTHS = {"actual": 1.2, "forecast": 2.4, "model": 2.6, "stays": 2.4, "walk": 2.0}
VERDICTS = {"better": "#3f8cc9", "worse": "#d9534a", "undecided": "#7b828b"}
HEIGHT = 320  # px
ROW = 40  # px of an interval
AROUND = 130  # px of the legend, the axis and its title
MONTHS = 100  # days from which on the axis names months
_DIGITS = 5


def series_rows(dates: Sequence[str], values: Sequence[float], split: int) -> list[dict[str, object]]:
    """A line per day; the first `split` are learned from. Short names, because there are thousands."""
    return [
        {"d": day, "v": float(f"{value:.{_DIGITS}g}"), "p": int(i >= split)}
        for i, (day, value) in enumerate(zip(dates, values, strict=True))
    ]


def series_chart(rows: Sequence[Mapping[str, object]], words: Mapping[str, str], *, log: bool = False) -> Chart:
    """The whole series in two colours, with a named rule where the held-out part begins.

    `words`: day, value, description, learned, held_out.
    """
    titles = [words["learned"], words["held_out"]]
    y = alt.Y("v:Q", title=words["value"], scale=alt.Scale(type="log" if log else "linear", zero=False), axis=_axis())
    colour = alt.Color(
        "part:N",
        scale=alt.Scale(domain=titles, range=[NAIVE, MODEL]),
        legend=alt.Legend(
            title=None, orient="top", columns=1, symbolStrokeWidth=3, symbolType="stroke", labelLimit=300
        ),
    )
    names = {"0": titles[0], "1": titles[1]}
    lines = (
        alt.Chart(alt.Data(values=list(rows)))
        .transform_calculate(part=f"datum.p ? {names['1']!r} : {names['0']!r}")
        .mark_line(strokeWidth=1)
        .encode(x=_dates(words), y=y, color=colour, tooltip=[_day(words), alt.Tooltip("v:Q", title=words["value"])])
    )
    first = next(row["d"] for row in rows if row["p"])
    rule = alt.Chart(inline([{"d": first}])).mark_rule(color=ACTUAL, strokeDash=[4, 3], strokeWidth=1.5)
    return Chart(_figure([lines, rule.encode(x=_dates(words))], words))


def line_rows(xs: Sequence[str | int], lines: Mapping[str, Sequence[float | None]]) -> list[dict[str, object]]:
    """A line per number: which series, x and y; None leaves it out."""
    return [
        {"which": which, "x": x, "y": float(y)}
        for which, values in lines.items()
        for x, y in zip(xs, values, strict=True)
        if y is not None
    ]


def lines_chart(
    rows: Sequence[Mapping[str, object]], words: Mapping[str, str], *, dates: bool, percent: bool = False
) -> Chart:
    """Lines of `line_rows` over days or over a number of days.

    `words`: x, y, description, and the name of every series.
    """
    names = list(dict.fromkeys(str(row["which"]) for row in rows))
    titles = [words[name] for name in names]
    rows_with_text = [
        {"series": words[str(row["which"])], "x": row["x"], "y": float(f"{float(str(row['y'])):.{_DIGITS}g}")}
        for row in rows
    ]
    kind = "T" if dates else "Q"
    days = len({row["x"] for row in rows})
    axis = _calendar("%Y-%m" if days > MONTHS else "%m-%d") if dates else alt.Axis(grid=False, tickMinStep=1)
    domain = alt.Scale(domain=titles, range=[COLOURS[name] for name in names])
    base = alt.Chart(alt.Data(values=rows_with_text)).encode(
        x=alt.X(f"x:{kind}", title=words["x"], axis=axis, scale=alt.Scale(nice=False)),
        y=alt.Y("y:Q", title=words["y"], scale=alt.Scale(zero=False), axis=_axis(".1%" if percent else "~g")),
        color=alt.Color("series:N", scale=domain, legend=_legend()),
        strokeDash=alt.StrokeDash(
            "series:N", scale=alt.Scale(domain=titles, range=[DASHES[name] for name in names]), legend=_legend()
        ),
        strokeWidth=alt.StrokeWidth(
            "series:O",
            scale=alt.Scale(type="ordinal", domain=titles, range=[WIDTHS[name] for name in names]),
            legend=_legend(),
        ),
        tooltip=[
            alt.Tooltip("series:N", title=words["which"]),
            alt.Tooltip(f"x:{kind}", title=words["x"]),
            alt.Tooltip("y:Q", title=words["y"], format=".3%" if percent else "~g"),
        ],
    )
    return Chart(_figure([base.mark_line()], words), lambda: rows)


def interval_rows(intervals: Mapping[str, tuple[float, float, float, str]]) -> list[dict[str, object]]:
    """A line per naive forecast: the relative difference of squared errors, its interval, and the verdict."""
    return [
        {"against": name, "mean": mean, "low": low, "high": high, "verdict": verdict}
        for name, (mean, low, high, verdict) in intervals.items()
    ]


def interval_chart(rows: Sequence[Mapping[str, object]], words: Mapping[str, str]) -> Chart:
    """A bar from low to high with a dot at the mean for each row; 0 is no difference, left of it the model is better.

    `words`: x, description, which, verdict, the names of the verdicts, and the rows' names as they are.
    """
    rows_with_text = [{**row, "said": words[str(row["verdict"])]} for row in rows]
    verdicts = list(dict.fromkeys(str(row["verdict"]) for row in rows))
    scale = alt.Scale(domain=[words[name] for name in verdicts], range=[VERDICTS[name] for name in verdicts])
    colour = alt.Color("said:N", scale=scale, legend=alt.Legend(title=None, orient="top", labelLimit=300))
    y = alt.Y(
        "against:N",
        title=None,
        sort=None,
        axis=alt.Axis(labelLimit=170, ticks=False, domain=False, labelFontSize=13, labelOverlap=False),
    )
    percent = alt.Axis(format=".0%", gridOpacity=0.25, tickCount=6)
    tips = [
        alt.Tooltip("against:N", title=words["which"]),
        alt.Tooltip("said:N", title=words["verdict"]),
        *(alt.Tooltip(f"{key}:Q", title=words[key], format="+.1%") for key in ("low", "mean", "high")),
    ]
    base = alt.Chart(alt.Data(values=rows_with_text)).encode(y=y, color=colour, tooltip=tips)
    layers = [
        alt.Chart(inline([{"x": 0}])).mark_rule(color=ACTUAL, strokeWidth=1.5).encode(x=alt.X("x:Q")),
        base.mark_rule(strokeWidth=7, opacity=0.45, strokeCap="round").encode(
            x=alt.X("low:Q", title=words["x"].splitlines(), axis=percent), x2=alt.X2("high:Q")
        ),
        base.mark_point(filled=True, size=130, opacity=1).encode(x=alt.X("mean:Q", title=words["x"].splitlines())),
    ]
    return Chart(
        layered(
            *layers,
            description=words["description"],
            height=ROW * len(rows) + AROUND,
            width="container",
            background="transparent",
        ),
        lambda: rows,
    )


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of numbers: the first column names the line."""
    return render("html/templates/table.html", "measured", heads=head[1:], rows=rows)


def _figure(layers: Sequence[alt.Chart], words: Mapping[str, str]) -> alt.LayerChart:
    return layered(
        *layers, description=words["description"], height=HEIGHT, width="container", background="transparent"
    )


def _dates(words: Mapping[str, str]) -> alt.X:
    return alt.X("d:T", title=words["day"], axis=_calendar("%Y"), scale=alt.Scale(nice=False))


def _calendar(format_: str) -> alt.Axis:
    """A date axis with numbers only: altair writes names of months in English."""
    return alt.Axis(grid=False, labelOverlap="greedy", format=format_, tickCount=8)


def _day(words: Mapping[str, str]) -> alt.Tooltip:
    return alt.Tooltip("d:T", title=words["day"], format="%Y-%m-%d")


def _axis(format_: str = "~g") -> alt.Axis:
    return alt.Axis(gridOpacity=0.25, tickCount=6, format=format_, labelOverlap="greedy")


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", columns=1, labelLimit=300, symbolStrokeWidth=3)
