"""The alignment error rate of each head in two rows, with intervals and baselines, as an altair chart."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt

from ...figures.chart import Chart
from ...palette import MORE, MUTED, STEEL
from ..marks import chart, dots, intervals, marks
from ..style import Words, legend, series, tip, tips, x_axis, y_names

ROW, AXIS = 24, 90  # px of a head, of axis and legend


@dataclass(frozen=True)
class Rate:
    """AER of a head in one row, and the ends of its interval, from 0 to 1."""

    head: str
    row: str
    aer: float
    low: float
    high: float


def rates_chart(rates: Sequence[Rate], baselines: Sequence[tuple[str, float]], words: Words) -> Chart:
    """A point for each head and row; a dashed line for each baseline, by name."""
    rows = [asdict(rate) for rate in rates]
    heads, kinds = (list(dict.fromkeys(row[name] for row in rows)) for name in ("head", "row"))
    base = marks(
        rows,
        y=y_names("head:N", heads, 280),
        yOffset=alt.YOffset("row:N", sort=kinds, scale=alt.Scale(paddingOuter=0.6)),
        tooltip=tips(words, "head:N", "row:N", "aer:Q .3f", "low:Q .3f", "high:Q .3f"),
        **series("row:N", kinds, legend(direction="vertical", labelLimit=320), color=(MORE, STEEL)),
    )
    named = marks([{"name": name, "aer": value} for name, value in baselines], x=alt.X("aer:Q"))
    labels = named.mark_text(color=MUTED, baseline="bottom", fontSize=12)
    table = [*rows, *({"head": name, "row": "", "aer": value, "low": "", "high": ""} for name, value in baselines)]
    return chart(
        named.mark_rule(color=MUTED, strokeDash=[4, 4]).encode(tooltip=[tip("name:N", " ")]),
        labels.encode(text=alt.Text("name:N"), y=alt.YValue(-3)),
        intervals(base, alt.X("low:Q"), strokeWidth=1.5),
        dots(base, 60, x=x_axis("aer:Q", words["aer"], {"domain": [0, 1]}, tickCount=6)),
        description=words["description"],
        height=ROW * len(heads) + AXIS,
        rows=table,
    )
