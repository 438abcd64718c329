"""The curves of a training run, as a chart to download."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import altair as alt

from ..figures.chart import Chart
from ..vega import inline

LINES = ("loss_train", "loss_validation", "accuracy", "exact_training", "exact_held_out")
TONES = {
    "loss_train": "#2f7fb8",
    "loss_validation": "#c8551b",
    "accuracy": "#6f7680",
    "exact_training": "#2f7fb8",
    "exact_held_out": "#c8551b",
}
DASHES = {"accuracy": [2, 3], "loss_validation": [7, 3], "exact_held_out": [7, 3]}


class Point(NamedTuple):
    """A number of a run after `step` steps; `name` is one of the keys of the words."""

    step: int
    name: str
    value: float


def curves_chart(points: Sequence[Point], words: Mapping[str, str]) -> Chart:
    """Losses on a logarithmic axis, and shares of right answers."""
    losses = [point for point in points if point.name.startswith("loss") and point.value > 0]
    shares = [point for point in points if not point.name.startswith("loss")]
    left = _lines(losses, words["chart_loss"], alt.Scale(type="log"), words)
    right = _lines(shares, words["chart_right"], alt.Scale(domain=[0, 1]), words)
    return Chart(
        alt.hconcat(left, right, background="white").resolve_scale(color="independent", strokeDash="independent")
    )


def _lines(points: Sequence[Point], title: str, scale: alt.Scale, words: Mapping[str, str]) -> alt.Chart:
    names = [name for name in LINES if any(point.name == name for point in points)]
    titles = [words[name] for name in names]
    rows = [{"step": p.step, "value": p.value, "line": words[p.name]} for p in points]
    colours = alt.Scale(domain=titles, range=[TONES[name] for name in names])
    dashes = alt.Scale(domain=titles, range=[DASHES.get(name, [1, 0]) for name in names])
    return (
        alt.Chart(inline(rows), width=420, height=260, title=title)
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("step:Q", title=words["steps_axis"]),
            y=alt.Y("value:Q", title=None, scale=scale),
            color=alt.Color("line:N", scale=colours, legend=alt.Legend(title=None, orient="top")),
            strokeDash=alt.StrokeDash("line:N", scale=dashes),
        )
    )
