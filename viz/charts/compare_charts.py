"""Two models side by side as charts: their words, their curves.

Plain numbers and labels in. A is the first model, B the second; they differ by shape and dash, not by colour alone.
"""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import NamedTuple

import altair as alt
import numpy as np

from ..figures.chart import Chart
from ..numbers import significant
from ..palette import MODELS, MUTED
from .marks import chart, dots, marks
from .style import BARE, EXPORTED, Row, Words, legend, series, tip, tips, x_axis, y_axis, y_names

SHAPES = ("circle", "triangle-up", "square", "diamond", "cross", "triangle-down")
ROW = 26  # px
AROUND = 110  # px that legend and axis of a chart take


class Curve(NamedTuple):
    """The losses of one model's training: step and loss, of training and of validation."""

    name: str
    training: Sequence[tuple[int, float]]
    validation: Sequence[tuple[int, float]]


def words_chart(tokens: Sequence[str], values: Mapping[str, np.ndarray], words: Words) -> Chart:
    """The log-probability of each word (T) under each model by its name, a mark each and a line between them."""
    rows = _words_rows(tokens, values)
    flat = [
        {"line": f"{row['place']}  {row['token']}", "token": row["token"], "model": name, "value": row[name]}
        for row in rows
        for name in values
    ]
    least = min((row["value"] for row in flat), default=0.0)
    title = words["log_probability"]
    # the data have the position in front, so that equal tokens stay apart; it is not shown
    base = marks(flat, y=y_names("line:N", None, 170, labelOverlap=False, **BARE))
    rules = base.mark_rule(color=MUTED, strokeWidth=2)
    return chart(
        rules.encode(x=alt.X("min(value):Q"), x2=alt.X2("max(value)")),
        dots(
            base,
            95,
            x=x_axis("value:Q", title, {"domain": [min(least * 1.05, -0.1), 0]}),
            tooltip=[tip("token:N", words["word"]), *tips(words, "model:N"), tip("value:Q", title)],
            **series("model:N", values, legend(), color=MODELS),
            **series("model:N", values, shape=SHAPES),
        ),
        description=words["words_description"],
        height=ROW * len(tokens) + AROUND,
        width=EXPORTED,
        rows=rows,
    )


def _words_rows(tokens: Sequence[str], values: Mapping[str, np.ndarray]) -> list[Row]:
    """Every word with its log-probability under each model, and the difference of two."""
    columns = {name: each.tolist() for name, each in values.items()}
    rows: list[Row] = []
    for place, token in enumerate(tokens):
        row: Row = {"place": place, "token": token} | {name: round(each[place], 6) for name, each in columns.items()}
        if len(columns) == 2:
            first, second = (row[name] for name in columns)
            row["difference"] = round(second - first, 6)
        rows.append(row)
    return rows


def curves_chart(curves: Sequence[Curve], words: Words) -> Chart:
    """All losses on one logarithmic axis: a colour for each model, dashes for validation."""
    rows: list[Row] = [
        {"model": curve.name, "kind": words[kind], "step": step, "loss": significant(loss, 6)}
        for curve in curves
        for kind in ("training", "validation")
        for step, loss in getattr(curve, kind)
    ]
    names, kinds = [curve.name for curve in curves], [words["training"], words["validation"]]
    tones = [tone for _, tone in zip(names, cycle(MODELS), strict=False)]
    base = marks(
        [row for row in rows if row["loss"] > 0],
        x=x_axis("step:Q", words["step"]),
        y=y_axis("loss:Q", words["loss"], {"type": "log"}, tickCount=6),
        tooltip=tips(words, "model:N", "kind:N", "step:Q", "loss:Q .4~g"),
        **series("model:N", names, legend(columns=1, labelLimit=260), color=tones),
        **series("kind:N", kinds, legend(orient="bottom", symbolSize=400), strokeDash=[[1, 0], [6, 4]]),
    )
    return chart(
        base.mark_line(strokeWidth=2),
        description=words["curves_description"],
        height=460,
        width=EXPORTED,
        rows=rows,
    )
