"""The mean effect of removing each part of a model, with intervals, as an altair chart. Plain numbers in."""

from collections.abc import Mapping, Sequence

import altair as alt

from ...figures.chart import Chart
from ...palette import MORE, MUTED, UNCERTAIN
from ..marks import chart, intervals, marks, rule
from ..style import OWN_COLOUR, Row, Words, tip, tips, x_axis, y_names

ROW, AXIS = 24, 60  # px of a part, of the axis
Part = tuple[str, float, float, float]  # recorded name, mean, and the ends of the interval


def effects_chart(parts: Sequence[Part], words: Words, most: int, titles: Mapping[str, str]) -> Chart:
    """A bar for each of the first `most` parts with its interval, grey where that holds 0; the table has them all.

    `titles` say in words what each part is.
    """
    rows = [
        {**row, "title": titles[row["part"]], "colour": UNCERTAIN if low <= 0 <= high else MORE}
        for row, (_, _, low, high) in zip(_rows(parts[:most]), parts, strict=False)
    ]
    part, *numbers = tips(words, "part:N", "effect:Q +.3f", "low:Q +.3f", "high:Q +.3f")
    names = y_names("part:N", [row["part"] for row in rows], 280)
    base = marks(rows, y=names, tooltip=[part, tip("title:N", " "), *numbers])
    bars = base.mark_bar(height=12, cornerRadius=2)
    return chart(
        rule("x", "zero", 0),
        bars.encode(x=x_axis("effect:Q", words["effect"], tickCount=6), color=OWN_COLOUR),
        intervals(base, alt.X("low:Q"), strokeWidth=1.5, color=MUTED),
        description=words["description"],
        height=ROW * len(rows) + AXIS,
        rows=lambda: _rows(parts),
    )


def _rows(parts: Sequence[Part]) -> list[Row]:
    return [
        {"part": name, "effect": round(mean, 5), "low": round(low, 5), "high": round(high, 5)}
        for name, mean, low, high in parts
    ]
