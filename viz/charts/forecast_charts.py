"""A price series and its forecasts, as altair charts and as HTML. Plain numbers in, figures out.

Grey is what happened, orange and thick the model's forecast, blue and dashed what needs no model; never colour alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from ..figures.chart import Chart
from ..numbers import significant
from ..palette import BLUE, FAILS, HOLDS, ORANGE, STONE
from ..templates import render
from ..vega import layered
from .marks import chart, dots, intervals, rule
from .style import BARE, Row, Words, legend, series, tip, tips, x_axis, y_axis, y_names

# colour, dash and width of a line
LOOKS = {
    "actual": (STONE, [1, 0], 1.2),
    "forecast": (ORANGE, [1, 0], 2.4),
    "model": (ORANGE, [1, 0], 2.6),
    "stays": (BLUE, [7, 3], 2.4),
    "walk": (STONE, [2, 3], 2.0),
}
VERDICTS = {"better": HOLDS, "worse": FAILS, "undecided": STONE}
HEIGHT = 320  # px
ROW = 40  # px of an interval
AROUND = 130  # px of the legend, the axis and its title
MONTHS = 100  # days from which on the axis names months
_DIGITS = 5


def series_rows(dates: Sequence[str], values: Sequence[float], split: int) -> list[Row]:
    """A line per day; the first `split` are learned from. Short names, because there are thousands."""
    return [
        {"d": day, "v": significant(value, _DIGITS), "p": int(i >= split)}
        for i, (day, value) in enumerate(zip(dates, values, strict=True))
    ]


def series_chart(rows: Sequence[Row], words: Words, *, log: bool = False) -> Chart:
    """The whole series in two colours, with a named rule where the held-out part begins.

    `words`: day, value, description, learned, held_out.
    """
    names = [words["learned"], words["held_out"]]
    above = legend(columns=1, symbolStrokeWidth=3, symbolType="stroke", labelLimit=300)
    days = x_axis("d:T", words["day"], {"nice": False}, **_calendar("%Y"))
    base = (
        alt.Chart(alt.Data(values=list(rows)))
        .transform_calculate(part=f"datum.p ? {names[1]!r} : {names[0]!r}")
        .encode(
            x=days,
            y=y_axis("v:Q", words["value"], {"type": "log" if log else "linear", "zero": False}, **_ticks()),
            tooltip=[tip("d:T", words["day"], "%Y-%m-%d"), tip("v:Q", words["value"])],
            **series("part:N", names, above, color=[BLUE, ORANGE]),
        )
    )
    first = rule("x", "d", next(row["d"] for row in rows if row["p"]), color=STONE, strokeDash=[4, 3], strokeWidth=1.5)
    return chart(base.mark_line(strokeWidth=1), first.encode(x=days), description=words["description"], height=HEIGHT)


def line_rows(xs: Sequence[str | int], lines: Mapping[str, Sequence[float | None]]) -> list[Row]:
    """A line per number: which series, x and y; None leaves it out."""
    return [
        {"which": which, "x": x, "y": float(y)}
        for which, values in lines.items()
        for x, y in zip(xs, values, strict=True)
        if y is not None
    ]


def lines_chart(rows: Sequence[Row], words: Words, *, dates: bool, percent: bool = False) -> Chart:
    """Lines of `line_rows` over days or over a number of days.

    `words`: x, y, description, and the name of every series.
    """
    which = list(dict.fromkeys(row["which"] for row in rows))
    names = [words[name] for name in which]
    colours, dashes, widths = ([LOOKS[name][at] for name in which] for at in range(3))
    drawn = [{"series": words[row["which"]], "x": row["x"], "y": significant(row["y"], _DIGITS)} for row in rows]
    x, days = f"x:{'T' if dates else 'Q'}", len({row["x"] for row in rows})
    axis = _calendar("%Y-%m" if days > MONTHS else "%m-%d") if dates else {"grid": False, "tickMinStep": 1}
    above, number = legend(columns=1, labelLimit=300, symbolStrokeWidth=3), ".3%" if percent else "~g"
    base = alt.Chart(alt.Data(values=drawn)).encode(
        x=x_axis(x, words["x"], {"nice": False}, **axis),
        y=y_axis("y:Q", words["y"], {"zero": False}, **_ticks(".1%" if percent else "~g")),
        tooltip=[tip("series:N", words["which"]), tip(x, words["x"]), tip("y:Q", words["y"], number)],
        **series("series:N", names, above, color=colours, strokeDash=dashes),
        **series("series:O", names, above, strokeWidth=widths),
    )
    return chart(layered(base.mark_line()), description=words["description"], height=HEIGHT, rows=rows)


def interval_rows(intervals: Mapping[str, tuple[float, float, float, str]]) -> list[Row]:
    """A line per naive forecast: the relative difference of squared errors, its interval, and the verdict."""
    return [
        {"against": name, "mean": mean, "low": low, "high": high, "verdict": verdict}
        for name, (mean, low, high, verdict) in intervals.items()
    ]


def interval_chart(rows: Sequence[Row], words: Words) -> Chart:
    """A bar from low to high with a dot at the mean for each row; 0 is no difference, left of it the model is better.

    `words`: x, description, which, verdict, the names of the verdicts, and the rows' names as they are.
    """
    verdicts = list(dict.fromkeys(row["verdict"] for row in rows))
    names, title = [words[name] for name in verdicts], words["x"].splitlines()
    numbers = tips(words, "low:Q +.1%", "mean:Q +.1%", "high:Q +.1%")
    base = alt.Chart(alt.Data(values=[{**row, "said": words[row["verdict"]]} for row in rows])).encode(
        y=y_names("against:N", None, 170, labelFontSize=13, labelOverlap=False, **BARE),
        tooltip=[tip("against:N", words["which"]), tip("said:N", words["verdict"]), *numbers],
        **series("said:N", names, legend(labelLimit=300), color=[VERDICTS[name] for name in verdicts]),
    )
    low = x_axis("low:Q", title, format=".0%", gridOpacity=0.25, tickCount=6)
    return chart(
        rule("x", "x", 0, color=STONE, strokeWidth=1.5),
        intervals(base, low, strokeWidth=7, opacity=0.45, strokeCap="round"),
        dots(base, 130, x=x_axis("mean:Q", title)),
        description=words["description"],
        height=ROW * len(rows) + AROUND,
        rows=rows,
    )


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of numbers: the first column names the line."""
    return render("html/templates/table.html", "measured", heads=head[1:], rows=rows)


def _calendar(format_: str) -> dict[str, Any]:
    """A date axis with numbers only: altair writes names of months in English."""
    return {"grid": False, "labelOverlap": "greedy", "format": format_, "tickCount": 8}


def _ticks(format_: str = "~g") -> dict[str, Any]:
    return {"gridOpacity": 0.25, "tickCount": 6, "format": format_, "labelOverlap": "greedy"}
