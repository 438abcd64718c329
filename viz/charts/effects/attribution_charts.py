"""Attribution as charts: how a score falls while words are deleted, and a logit as a sum of parts. Plain numbers in."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...numbers import signed
from ...palette import BLUE, GOLD, LESS, MAGENTA, MORE, MUTED, OLIVE, ORANGE, TEAL, VIOLET
from ...vega import with_percents
from ..marks import chart, marks, rule
from ..style import OWN_COLOUR, SHAPES, Row, Words, legend, series, tip, tips, x_axis, y_axis, y_names

SERIES = (ORANGE, GOLD, OLIVE, BLUE, TEAL, MAGENTA)
SPECIAL = {"reference": VIOLET, "chance": MUTED}
HEIGHT, LEGEND_ROW = 270, 22  # px of the curves without their legend, of its rows
ROW, AXIS = 24, 60  # px of a bar, of its axis
Curves = Mapping[str, np.ndarray]


def deletion_rows(curves: Curves) -> list[Row]:
    """A line per method and number of words deleted."""
    return [
        {"method": name, "deleted": count, "value": round(float(value), 6)}
        for name, curve in curves.items()
        for count, value in enumerate(curve)
    ]


def deletion_chart(curves: Curves, special: Mapping[str, str], title: str, words: Words, *, shares: bool) -> Chart:
    """A curve (K + 1) for each method over the number of words deleted; `special` names the reference and chance."""
    names, rows, plain = list(curves), deletion_rows(curves), iter(SERIES)
    colours = [SPECIAL[special[name]] if name in special else next(plain) for name in names]
    above = legend(columns=4, labelLimit=220)
    base = marks(
        with_percents(rows, "value") if shares else rows,
        x=x_axis("deleted:Q", words["deleted"], tickMinStep=1, grid=False, format="d"),
        y=y_axis("value:Q", title, tickCount=5, format=".0%" if shares else ""),
        tooltip=[
            *tips(words, "method:N", "deleted:Q"),
            tip("value_said:N", title) if shares else tip("value:Q", title, ".3f"),
        ],
        **series("method:N", names, above, color=colours),
    )
    is_special = alt.FieldOneOfPredicate("method", [*special])
    width = alt.StrokeWidthValue(1.6, condition={"test": is_special, "value": 3})
    shapes = series("method:N", names, above, shape=(*SHAPES[1:], "circle", "stroke"))
    return chart(
        base.mark_line().encode(strokeWidth=width),
        base.mark_point(filled=True, size=34).encode(**shapes),
        description=words["description"],
        height=HEIGHT + LEGEND_ROW * ((len(names) + 3) // 4),
        rows=rows,
    )


def waterfall(parts: Sequence[tuple[str, float]], total: str, words: Words, titles: Mapping[str, str]) -> Chart:
    """A bar for each part (recorded name, value), each starting where the one above ends, and below them their sum.

    `titles` say in words what the parts are.
    """
    ends = list(accumulate(value for _, value in parts))
    bars = [(name, value, end - value, end) for (name, value), end in zip(parts, ends, strict=True)]
    bars.append((total, ends[-1], 0.0, ends[-1]))  # their sum, from 0
    rows: list[Row] = [
        {"part": name, "value": round(float(value), 6), "start": round(float(start), 6), "end": round(float(end), 6)}
        for name, value, start, end in bars
    ]
    drawn = [
        {
            **row,
            "title": titles.get(row["part"], ""),
            "colour": VIOLET if number == len(parts) else (MORE if row["value"] >= 0 else LESS),
            "shown": signed(row["value"]),
            "at": max(row["start"], row["end"]),
        }
        for number, row in enumerate(rows)
    ]
    numbers = [tip("value:Q", words["value"], "+.3f"), tip("end:Q", words["sum"], "+.3f")]
    base = marks(
        drawn,
        y=y_names("part:N", [row["part"] for row in rows], 260, labelOverlap=False),
        tooltip=[tip("part:N", words["part"]), tip("title:N", " "), *numbers],
    )
    return chart(
        rule("x", "zero", 0),
        base.mark_bar(height=14, cornerRadius=2).encode(
            x=x_axis("start:Q", words["sum"], tickCount=6), x2=alt.X2("end:Q"), color=OWN_COLOUR
        ),
        base.mark_text(align="left", dx=5, fontSize=11, color=MUTED).encode(x=alt.X("at:Q"), text=alt.Text("shown:N")),
        description=words["description"],
        height=ROW * len(rows) + AXIS,
        rows=rows,
    )
