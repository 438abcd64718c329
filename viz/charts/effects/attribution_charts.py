"""Attribution as charts: how a score falls while words are deleted, and a logit as a sum of parts. Plain numbers in."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...numbers import signed
from ...vega import finished, inline, layered, with_percents

# mid tones, to be read on a light and on a dark card
SERIES = ("#c8551b", "#b08618", "#8a9a1f", "#2f7fb8", "#2b8f84", "#b0478c")
SPECIAL = {"reference": "#6d4bc3", "chance": "#868d96"}
SHAPES = ("square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "circle", "stroke")
LESS, MORE, TOTAL, MUTED = "#3a78c9", "#c4573d", "#6d4bc3", "#868d96"
HEIGHT, LEGEND_ROW = 270, 22  # px of the curves without their legend, of its rows
ROW, AXIS = 24, 60  # px of a bar, of its axis
Curves = Mapping[str, np.ndarray]
Words = Mapping[str, str]


def deletion_rows(curves: Curves) -> list[dict[str, object]]:
    """A line per method and number of words deleted."""
    return [
        {"method": name, "deleted": count, "value": round(float(value), 6)}
        for name, curve in curves.items()
        for count, value in enumerate(curve)
    ]


def deletion_chart(curves: Curves, special: Mapping[str, str], title: str, words: Words, *, shares: bool) -> Chart:
    """A curve (K + 1) for each method over the number of words deleted; `special` names the reference and chance."""
    names = list(curves)
    plain = iter(SERIES)
    colours = [SPECIAL[special[name]] if name in special else next(plain) for name in names]
    scale = alt.Scale(domain=names, range=colours)
    legend = alt.Legend(title=None, orient="top", columns=4, labelLimit=220)
    shape = alt.Shape("method:N", scale=alt.Scale(domain=names, range=list(SHAPES[: len(names)])), legend=legend)
    rows = deletion_rows(curves)
    base = alt.Chart(inline(with_percents(rows, "value") if shares else rows)).encode(
        x=alt.X("deleted:Q", title=words["deleted"], axis=alt.Axis(tickMinStep=1, grid=False, format="d")),
        y=alt.Y("value:Q", title=title, axis=alt.Axis(tickCount=5, format=".0%" if shares else "")),
        color=alt.Color("method:N", scale=scale, legend=legend),
        tooltip=[
            alt.Tooltip("method:N", title=words["method"]),
            alt.Tooltip("deleted:Q", title=words["deleted"]),
            alt.Tooltip("value_said:N", title=title) if shares else alt.Tooltip("value:Q", title=title, format=".3f"),
        ],
    )
    is_special = alt.FieldOneOfPredicate("method", [*special])
    width = alt.StrokeWidthValue(1.6, condition={"test": is_special, "value": 3})
    figure = layered(
        base.mark_line().encode(strokeWidth=width), base.mark_point(filled=True, size=34).encode(shape=shape)
    )
    return Chart(
        finished(figure, words["description"], HEIGHT + LEGEND_ROW * ((len(names) + 3) // 4), "container"),
        lambda: deletion_rows(curves),
    )


def waterfall_rows(parts: Sequence[tuple[str, float]], total: str) -> list[dict[str, object]]:
    """Each part with where its bar starts and ends; the last line is the sum, from 0."""
    ends = list(accumulate(value for _, value in parts))
    rows = [
        {"part": name, "value": value, "start": end - value, "end": end}
        for (name, value), end in zip(parts, ends, strict=True)
    ]
    rows.append({"part": total, "value": ends[-1], "start": 0.0, "end": ends[-1]})
    return [{key: cell if key == "part" else round(float(cell), 6) for key, cell in row.items()} for row in rows]  # type: ignore[arg-type]


def waterfall(parts: Sequence[tuple[str, float]], total: str, words: Words, titles: Words) -> Chart:
    """A bar for each part (recorded name, value), each starting where the one above ends, and below them their sum.

    `titles` say in words what the parts are.
    """
    rows = waterfall_rows(parts, total)
    rows_with_ends = [
        {
            **row,
            "title": titles.get(str(row["part"]), ""),
            "colour": TOTAL if number == len(parts) else (MORE if float(str(row["value"])) >= 0 else LESS),
            "shown": signed(float(str(row["value"]))),
            "at": max(float(str(row["start"])), float(str(row["end"]))),
        }
        for number, row in enumerate(rows)
    ]
    order = [str(row["part"]) for row in rows]
    base = alt.Chart(inline(rows_with_ends)).encode(
        y=alt.Y("part:N", sort=order, title=None, axis=alt.Axis(labelLimit=260, labelOverlap=False)),
        tooltip=[
            alt.Tooltip("part:N", title=words["part"]),
            alt.Tooltip("title:N", title=" "),
            alt.Tooltip("value:Q", title=words["value"], format="+.3f"),
            alt.Tooltip("end:Q", title=words["sum"], format="+.3f"),
        ],
    )
    bars = base.mark_bar(height=14, cornerRadius=2).encode(
        x=alt.X("start:Q", title=words["sum"], axis=alt.Axis(tickCount=6)),
        x2=alt.X2("end:Q"),
        color=alt.Color("colour:N", scale=None),
    )
    numbers = base.mark_text(align="left", dx=5, fontSize=11, color=MUTED).encode(
        x=alt.X("at:Q"), text=alt.Text("shown:N")
    )
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=MUTED).encode(x=alt.X("zero:Q"))
    return Chart(
        finished(layered(zero, bars, numbers), words["description"], ROW * len(rows) + AXIS, "container"),
        lambda: waterfall_rows(parts, total),
    )
