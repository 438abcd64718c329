"""Where a frequency puts numbers on a plane, as an altair chart. Plain numbers in."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...vega import inline, layered
from ..position.position_charts import CLEAR, MUTED, SERIES

TRAINING, HELD_OUT = SERIES[0], "#c8551b"
SIZE = 320  # px, both ways, so that a circle is one
MARKED = SERIES[1]


def circle_rows(places: np.ndarray, angles: np.ndarray) -> list[dict[str, object]]:
    """A line per number: where it stands, and at which angle."""
    return [
        {"number": n, "x": round(float(x), 4), "y": round(float(y), 4), "angle": round(float(angle), 1)}
        for n, ((x, y), angle) in enumerate(zip(places, angles, strict=True))
    ]


def circle_chart(
    places: np.ndarray, angles: np.ndarray, numbers: Sequence[int], words: Mapping[str, str], opacity: float = 0.4
) -> Chart:
    """The numbers at their places (N, 2); those of `numbers` large, with a line of that opacity from the centre."""
    rows = circle_rows(places, angles)
    reach = 1.12 * float(np.abs(places).max() or 1)
    scale = alt.Scale(domain=[-reach, reach], nice=False)
    x, y = alt.X("x:Q", scale=scale, title=words["cosine"]), alt.Y("y:Q", scale=scale, title=words["sine"])
    tips = [alt.Tooltip("number:Q", title=words["number"]), alt.Tooltip("angle:Q", title=words["angle"])]
    large_rows = [rows[n] for n in numbers]
    others = [row for row in rows if row["number"] not in numbers]
    small = (
        alt.Chart(inline(others))
        .mark_text(fontSize=12, color=MUTED)
        .encode(x=x, y=y, text=alt.Text("number:Q"), tooltip=tips)
    )
    large = (
        alt.Chart(inline(large_rows))
        .mark_text(fontSize=17, fontWeight="bold", color=MARKED)
        .encode(x=x, y=y, text=alt.Text("number:Q"), tooltip=tips)
    )
    spokes = [{**row, "x0": 0.0, "y0": 0.0} for row in large_rows]
    lines = alt.Chart(inline(spokes)).mark_rule(color=MARKED, opacity=opacity, strokeWidth=1 + opacity)
    lines = lines.encode(x=alt.X("x0:Q"), y=alt.Y("y0:Q"), x2=alt.X2("x:Q"), y2=alt.Y2("y:Q"))
    return Chart(layered(lines, small, large, description=words["circle_description"], width=SIZE, height=SIZE,
                   background=CLEAR), lambda: circle_rows(places, angles))  # fmt: skip


def learning_chart(
    training: Sequence[tuple[int, float]],
    held_out: Sequence[tuple[int, float]],
    step: int | None,
    words: Mapping[str, str],
) -> Chart:
    """Both losses over the steps, on a log axis; a rule at the step in view."""
    titles = [words["training"], words["held_out"]]
    rows = [row for row in learning_rows(training, held_out, words) if float(str(row["loss"])) > 0]
    scale = alt.Scale(domain=titles, range=[TRAINING, HELD_OUT])
    dashes = alt.Scale(domain=titles, range=[[1, 0], [7, 3]])
    legend = alt.Legend(title=None, orient="top", symbolType="stroke")
    lines = (
        alt.Chart(inline(rows))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("step:Q", title=words["step"]),
            y=alt.Y("loss:Q", title=words["loss"], scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=5)),
            color=alt.Color("kind:N", scale=scale, legend=legend),
            strokeDash=alt.StrokeDash("kind:N", scale=dashes, legend=legend),
            tooltip=[
                alt.Tooltip("kind:N", title=words["kind"]),
                alt.Tooltip("step:Q", title=words["step"]),
                alt.Tooltip("loss:Q", title=words["loss"], format=".3~g"),
            ],
        )
    )
    at = alt.Chart(inline([] if step is None else [{"step": step}])).mark_rule(color=MUTED, strokeWidth=1.5)
    rule = at.encode(x=alt.X("step:Q"))
    return Chart(
        layered(rule, lines, description=words["learning_description"], height=220, background=CLEAR),
        lambda: learning_rows(training, held_out, words),
    )


def learning_rows(
    training: Sequence[tuple[int, float]], held_out: Sequence[tuple[int, float]], words: Mapping[str, str]
) -> list[dict[str, object]]:
    """Every measured loss."""
    return [
        {"kind": words[kind], "step": step, "loss": float(f"{loss:.6g}")}
        for kind, points in (("training", training), ("held_out", held_out))
        for step, loss in points
    ]
