"""Where a frequency puts numbers on a plane, as an altair chart. Plain numbers in."""

from collections.abc import Sequence

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...numbers import significant
from ...palette import BLUE, MAGENTA, MUTED, ORANGE
from ..marks import chart, marks
from ..style import Row, Words, legend, series, tips, x_axis, y_axis

SIZE = 320  # px, both ways, so that a circle is one
Losses = Sequence[tuple[int, float]]


def circle_chart(
    places: np.ndarray, angles: np.ndarray, numbers: Sequence[int], words: Words, opacity: float = 0.4
) -> Chart:
    """The numbers at their places (N, 2); those of `numbers` large, with a line of that opacity from the centre."""
    rows = [
        {"number": n, "x": round(float(x), 4), "y": round(float(y), 4), "angle": round(float(angle), 1)}
        for n, ((x, y), angle) in enumerate(zip(places, angles, strict=True))
    ]
    reach = 1.12 * float(np.abs(places).max() or 1)
    scale = {"domain": [-reach, reach], "nice": False}
    shared = {
        "x": x_axis("x:Q", words["cosine"], scale),
        "y": y_axis("y:Q", words["sine"], scale),
        "text": alt.Text("number:Q"),
        "tooltip": tips(words, "number:Q", "angle:Q"),
    }
    large = [rows[n] for n in numbers]
    spokes = [{**row, "x0": 0.0, "y0": 0.0} for row in large]
    lines = marks(spokes, x=alt.X("x0:Q"), y=alt.Y("y0:Q"), x2=alt.X2("x:Q"), y2=alt.Y2("y:Q"))
    others = marks([row for row in rows if row["number"] not in numbers], **shared)
    return chart(
        lines.mark_rule(color=MAGENTA, opacity=opacity, strokeWidth=1 + opacity),
        others.mark_text(fontSize=12, color=MUTED),
        marks(large, **shared).mark_text(fontSize=17, fontWeight="bold", color=MAGENTA),
        description=words["circle_description"],
        height=SIZE,
        width=SIZE,
        rows=rows,
    )


def learning_chart(training: Losses, held_out: Losses, step: int | None, words: Words) -> Chart:
    """Both losses over the steps, on a log axis; a rule at the step in view."""
    rows: list[Row] = [
        {"kind": words[kind], "step": step, "loss": significant(loss, 6)}
        for kind, points in (("training", training), ("held_out", held_out))
        for step, loss in points
    ]
    names, above = [words["training"], words["held_out"]], legend(symbolType="stroke")
    base = marks(
        [row for row in rows if row["loss"] > 0],
        x=x_axis("step:Q", words["step"]),
        y=y_axis("loss:Q", words["loss"], {"type": "log"}, tickCount=5),
        tooltip=tips(words, "kind:N", "step:Q", "loss:Q .3~g"),
        **series("kind:N", names, above, color=[BLUE, ORANGE], strokeDash=[[1, 0], [7, 3]]),
    )
    at = marks([] if step is None else [{"step": step}], x=alt.X("step:Q"))
    return chart(
        at.mark_rule(color=MUTED, strokeWidth=1.5),
        base.mark_line(strokeWidth=2),
        description=words["learning_description"],
        height=220,
        width=None,
        rows=rows,
    )
