"""The loss of models that differ by one change each, as altair charts. Plain numbers in, charts out."""

from collections.abc import Mapping

import numpy as np

from ..figures.chart import Chart
from ..palette import ASH, BLUE, GOLD, MAGENTA, OLIVE, SKY, VIOLET
from .marks import chart, lines, marks, named_rule
from .style import LEGEND_ROW, SHAPES, Words, legend, series, tips, x_axis, y_axis, y_names

SERIES = (ASH, BLUE, SKY, GOLD, OLIVE, MAGENTA, VIOLET)
ROW, HEIGHT = 30, 250  # px of a model; of the curves, axes included, legend not
AXIS = 60  # px of the loss axis
Losses = Mapping[str, np.ndarray]


def loss_chart(losses: Losses, words: Words) -> Chart:
    """The loss of each seed (a dot) and the mean of the seeds (a line) for every model."""
    rows = [
        {"model": model, "seed": seed, "loss": round(float(loss), 4), "mean": round(float(each.mean()), 4)}
        for model, each in losses.items()
        for seed, loss in enumerate(each)
    ]
    scale = {"zero": True, "nice": True}
    names = y_names("model:N", list(losses), 220, labelOverlap=False)
    base = marks(rows, y=names, tooltip=tips(words, "model:N", "seed:Q", "loss:Q .3f"))
    return chart(
        base.mark_point(filled=True, size=50, opacity=0.75, color=BLUE).encode(
            x=x_axis("loss:Q", words["loss"], scale)
        ),
        base.mark_tick(thickness=2.5, size=18, color=VIOLET).encode(x=x_axis("mean:Q", scale=scale)),
        description=words["loss_description"],
        height=ROW * len(losses) + AXIS,
    )


def lengths_chart(curves: Losses, trained: int, words: Words) -> Chart:
    """The loss of every model over the number of sentences (N), with a rule after the `trained` one."""
    names = list(curves)
    rows = [
        {"model": model, "sentences": n, "loss": round(float(loss), 4)}
        for model, each in curves.items()
        for n, loss in enumerate(each, 1)
    ]
    base = marks(
        rows,
        x=x_axis("sentences:Q", words["sentences"], tickMinStep=1, grid=False, format="d"),
        y=y_axis("loss:Q", words["loss"], tickCount=5),
        tooltip=tips(words, "model:N", "sentences:Q", "loss:Q .3f"),
        **series("model:N", names, legend(columns=2, labelLimit=220), color=SERIES),
    )
    return chart(
        *named_rule("at", trained + 0.5, words["trained"].format(sentences=trained)),
        *lines(base, **series("model:N", names, shape=SHAPES)),
        description=words["lengths_description"],
        height=HEIGHT + LEGEND_ROW * ((len(names) + 1) // 2),
        rows=rows,
    )
