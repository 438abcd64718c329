"""The loss of models that differ by one change each, as altair charts. Plain numbers in, charts out."""

from collections.abc import Mapping

import altair as alt
import numpy as np

from ..figures.chart import Chart
from ..vega import finished, inline, layered

SERIES = ("#7a7a82", "#2f7fb8", "#5b9bd5", "#b08618", "#8a9a1f", "#b0478c", "#6d4bc3")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
MUTED = "#868d96"
ROW, HEIGHT = 30, 250  # px of a model; of the curves, axes included, legend not
LEGEND_ROW = 30  # px of a row of two models
AXIS = 60  # px of the loss axis
Losses = Mapping[str, np.ndarray]


def loss_rows(losses: Losses) -> list[dict[str, object]]:
    """A line per model and seed, with the mean of the model's seeds."""
    return [
        {"model": model, "seed": seed, "loss": round(float(loss), 4), "mean": round(float(each.mean()), 4)}
        for model, each in losses.items()
        for seed, loss in enumerate(each)
    ]


def loss_chart(losses: Losses, words: Mapping[str, str]) -> Chart:
    """The loss of each seed (a dot) and the mean of the seeds (a line) for every model."""
    names = list(losses)
    base = alt.Chart(inline(loss_rows(losses))).encode(
        y=alt.Y("model:N", sort=names, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
        tooltip=[
            alt.Tooltip("model:N", title=words["model"]),
            alt.Tooltip("seed:Q", title=words["seed"]),
            alt.Tooltip("loss:Q", title=words["loss"], format=".3f"),
        ],
    )
    scale = alt.Scale(zero=True, nice=True)
    dots = base.mark_point(filled=True, size=50, opacity=0.75, color=SERIES[1]).encode(
        x=alt.X("loss:Q", title=words["loss"], scale=scale)
    )
    means = base.mark_tick(thickness=2.5, size=18, color=SERIES[6]).encode(x=alt.X("mean:Q", scale=scale))
    return Chart(
        finished(layered(dots, means), words["loss_description"], ROW * len(names) + AXIS, "container"),
        lambda: loss_rows(losses),
    )


def lengths_rows(curves: Losses) -> list[dict[str, object]]:
    """A line per model and number of sentences."""
    return [
        {"model": model, "sentences": n, "loss": round(float(loss), 4)}
        for model, each in curves.items()
        for n, loss in enumerate(each, 1)
    ]


def lengths_chart(curves: Losses, trained: int, words: Mapping[str, str]) -> Chart:
    """The loss of every model over the number of sentences (N), with a rule after the `trained` one."""
    names = list(curves)
    scale = alt.Scale(domain=names, range=list(SERIES[: len(names)]))
    base = alt.Chart(inline(lengths_rows(curves))).encode(
        x=alt.X("sentences:Q", title=words["sentences"], axis=alt.Axis(tickMinStep=1, grid=False, format="d")),
        y=alt.Y("loss:Q", title=words["loss"], axis=alt.Axis(tickCount=5)),
        color=alt.Color("model:N", scale=scale, legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=220)),
        tooltip=[
            alt.Tooltip("model:N", title=words["model"]),
            alt.Tooltip("sentences:Q", title=words["sentences"]),
            alt.Tooltip("loss:Q", title=words["loss"], format=".3f"),
        ],
    )
    shape = alt.Shape("model:N", scale=alt.Scale(domain=names, range=list(SHAPES[: len(names)])))
    mark = alt.Chart(inline([{"at": trained + 0.5, "text": words["trained"].format(sentences=trained)}])).encode(
        x=alt.X("at:Q")
    )
    figure = layered(
        mark.mark_rule(color=MUTED, strokeDash=[5, 4], strokeWidth=1.5),
        mark.mark_text(color=MUTED, align="left", dx=5, y=8, fontSize=11).encode(text=alt.Text("text:N")),
        base.mark_line(strokeWidth=2),
        base.mark_point(filled=True, size=36, opacity=1).encode(shape=shape),
    )
    legend = LEGEND_ROW * ((len(names) + 1) // 2)
    return Chart(
        finished(figure, words["lengths_description"], HEIGHT + legend, "container"), lambda: lengths_rows(curves)
    )
