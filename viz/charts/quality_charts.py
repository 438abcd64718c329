"""Outputs of many sentences by their probability, and how often right ones are likelier, as charts."""

from collections.abc import Mapping, Sequence

import altair as alt

from ..figures.chart import Chart
from ..palette import BLUE, MUTED
from ..vega import with_percents
from .marks import chart, dots, intervals, marks
from .style import (
    BARE,
    HEIGHT,
    PERCENT,
    SERIES,
    SHAPES,
    Interval,
    Row,
    Words,
    legend,
    series,
    tip,
    tips,
    x_axis,
    y_axis,
    y_names,
)

ROW, AXIS, NAME = 24, 120, 145  # px of a phenomenon, of axis and legend, and for its name


def lines_chart(points: Sequence[Mapping[str, object]], y: str, words: Words) -> Chart:
    """Outputs over their probability (0 to 1): `source`, `output`, `probability`, `y`, `mark` of each; None: no marks.

    `y` is the title of the other axis. `words`: source, output, probability, which, marked, unmarked, description.
    """
    names = [words["unmarked"], words["marked"]]
    has_marks = any(point["mark"] is not None for point in points)
    rows = [{**point, "which": names[bool(point["mark"])], "mark": bool(point["mark"])} for point in points]
    base = marks(
        with_percents(rows, "probability"),
        x=x_axis("probability:Q", words["probability"], scale={"domain": [0, 1]}, grid=False, **PERCENT),
        y=y_axis("y:Q", y, tickCount=6),
        tooltip=[
            tip("source:N", words["source"]),
            tip("output:N", words["output"]),
            tip("probability_said:N", words["probability"]),
            tip("y:Q", y, ".2f"),
            *([tip("which:N", words["which"])] if has_marks else []),
        ],
        **series("which:N", names, legend(symbolType="circle") if has_marks else None, color=SERIES, shape=SHAPES),
    )
    return chart(dots(base, 70), description=words["description"], height=HEIGHT, rows=rows)


def rules_chart(phenomena: Sequence[tuple[str, Interval, Interval]], words: Words) -> Chart:
    """Of each phenomenon the share (0 to 1) of the model and of its random twin, each with its interval.

    `words`: phenomenon, model, own, twin, share, low, high, description.
    """
    kinds = [words["own"], words["twin"]]
    rows: list[Row] = [
        {"phenomenon": name, "model": kind, "share": round(share, 4), "low": round(low, 4), "high": round(high, 4)}
        for name, *both in phenomena
        for kind, (share, low, high) in zip(kinds, both, strict=True)
    ]
    above = legend(direction="vertical", labelLimit=260)
    base = marks(
        with_percents(rows, "share", "low", "high", decimals=0),
        y=y_names("phenomenon:N", [name for name, *_ in phenomena], NAME, **BARE, labelPadding=8),
        yOffset=alt.YOffset("model:N", sort=kinds, scale=alt.Scale(domain=kinds, paddingOuter=0.6)),
        tooltip=tips(words, "phenomenon:N", "model:N", "share_said:N", "low_said:N", "high_said:N"),
        **series("model:N", kinds, above, color=[BLUE, MUTED]),
    )
    x = x_axis("low:Q", words["share"], {"domain": [0, 1]}, **PERCENT, gridOpacity=0.25)
    return chart(
        intervals(base, x, strokeWidth=2.5, opacity=0.55),
        dots(base, 50, x=alt.X("share:Q"), **series("model:N", kinds, above, shape=["circle", "diamond"])),
        description=words["description"],
        height=ROW * len(phenomena) + AXIS,
        rows=rows,
    )
