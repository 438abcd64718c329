"""Two models side by side as charts: their words, their curves.

Plain numbers and labels in. A is the first model, B the second; they differ by shape and dash, not by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import altair as alt
import numpy as np

from ..figures.chart import Chart
from ..vega import finished, inline, layered

TONES = ("#2f7fb8", "#c8551b", "#7a8a1f", "#b0478c", "#6b63c9", "#8a6a3a")  # mid tones, for a light and a dark card
SHAPES = ("circle", "triangle-up", "square", "diamond", "cross", "triangle-down")
MUTED = "#868d96"
EXPORTED = 640  # px wide as a file; on the page a chart fills its card
ROW = 26  # px
AROUND = 110  # px that legend and axis of a chart take
Words = Mapping[str, str]
Figure = alt.Chart | alt.LayerChart


class Curve(NamedTuple):
    """The losses of one model's training: step and loss, of training and of validation."""

    name: str
    training: Sequence[tuple[int, float]]
    validation: Sequence[tuple[int, float]]


# words


def words_chart(tokens: Sequence[str], series: Mapping[str, np.ndarray], words: Words) -> Chart:
    """The log-probability of each word (T) under each model by its name, a mark each and a line between them."""
    rows = words_rows(tokens, series)
    flat = [
        {"line": f"{row['place']}  {row['token']}", "token": row["token"], "model": name, "value": row[name]}
        for row in rows
        for name in series
    ]
    y = alt.Y("line:N", sort=None, title=None, axis=_words_axis())
    names = list(series)
    least = min((float(str(row["value"])) for row in flat), default=0.0)
    x = alt.X("value:Q", title=words["log_probability"], scale=alt.Scale(domain=[min(least * 1.05, -0.1), 0]))
    colours = alt.Scale(domain=names, range=list(TONES[: len(names)]))
    base = alt.Chart(inline(flat)).encode(y=y)
    tips = [_tip("token:N", words["word"]), _tip("model:N", words["model"]), _tip("value:Q", words["log_probability"])]
    figure = layered(
        base.mark_rule(color=MUTED, strokeWidth=2).encode(x=alt.X("min(value):Q"), x2=alt.X2("max(value)")),
        base.mark_point(filled=True, size=95, opacity=1).encode(
            x=x,
            color=alt.Color("model:N", scale=colours, legend=alt.Legend(title=None, orient="top")),
            shape=alt.Shape("model:N", scale=alt.Scale(domain=names, range=list(SHAPES[: len(names)]))),
            tooltip=tips,
        ),
    )
    return Chart(
        finished(figure, words["words_description"], ROW * len(tokens) + AROUND, EXPORTED),
        lambda: words_rows(tokens, series),
    )


def words_rows(tokens: Sequence[str], series: Mapping[str, np.ndarray]) -> list[dict[str, object]]:
    """Every word with its log-probability under each model, and the difference of two."""
    columns = {name: values.tolist() for name, values in series.items()}
    rows: list[dict[str, object]] = []
    for place, token in enumerate(tokens):
        row: dict[str, object] = {"place": place, "token": token}
        row |= {name: round(values[place], 6) for name, values in columns.items()}
        if len(columns) == 2:
            first, second = (values[place] for values in columns.values())
            row["difference"] = round(round(second, 6) - round(first, 6), 6)
        rows.append(row)
    return rows


# curves


def curves_chart(curves: Sequence[Curve], words: Words) -> Chart:
    """All losses on one logarithmic axis: a colour for each model, dashes for validation."""
    rows = [row for row in curves_rows(curves, words) if float(str(row["loss"])) > 0]
    names = [curve.name for curve in curves]
    kinds = [words["training"], words["validation"]]
    figure = (
        alt.Chart(inline(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("step:Q", title=words["step"]),
            y=alt.Y("loss:Q", title=words["loss"], scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=6)),
            color=alt.Color(
                "model:N",
                scale=alt.Scale(domain=names, range=[TONES[i % len(TONES)] for i in range(len(names))]),
                legend=alt.Legend(title=None, orient="top", columns=1, labelLimit=260),
            ),
            strokeDash=alt.StrokeDash(
                "kind:N",
                scale=alt.Scale(domain=kinds, range=[[1, 0], [6, 4]]),
                legend=alt.Legend(title=None, orient="bottom", symbolSize=400),
            ),
            tooltip=[
                _tip("model:N", words["model"]),
                _tip("kind:N", words["kind"]),
                _tip("step:Q", words["step"]),
                alt.Tooltip("loss:Q", title=words["loss"], format=".4~g"),
            ],
        )
    )
    return Chart(finished(figure, words["curves_description"], 460, EXPORTED), lambda: curves_rows(curves, words))


def curves_rows(curves: Sequence[Curve], words: Words) -> list[dict[str, object]]:
    """Every measured loss."""
    return [
        {"model": curve.name, "kind": words[kind], "step": step, "loss": float(f"{loss:.6g}")}
        for curve in curves
        for kind in ("training", "validation")
        for step, loss in getattr(curve, kind)
    ]


def _words_axis() -> alt.Axis:
    """An axis of tokens. Their data have the position in front, so that equal tokens stay apart; it is not shown."""
    return alt.Axis(labelLimit=170, labelOverlap=False, ticks=False, domain=False)


def _tip(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(field, title=title)
