"""With residual connections and without, as altair charts: one number at each place, the depth running downwards."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...numbers import significant
from ...palette import BAD, GOOD
from ..marks import chart, lines, marks
from ..style import WHOLE, Row, Words, legend, series, tip, x_axis
from .stream_charts import EXPORTED, ROW

LEAST = 1e-15  # on the log axis: below it there is only the rounding of 64 bits
Kinds = Mapping[str, np.ndarray]  # a number at each of N places by kind


def alike_chart(places: Sequence[str], kinds: Kinds, words: Words, down: str | None = None, low: float = 0.0) -> Chart:
    """Cosines at each of N places, at most two lines; `down` names the places, the axis begins at `low` or below."""
    low = min(low, *(float(values.min()) for values in kinds.values()))
    x = x_axis("value:Q", words["alike"], {"domain": [low, 1]}, tickCount=6)
    return _lines(_rows(places, kinds), places, kinds, x, down, words["alike_description"])


def gradient_chart(places: Sequence[str], kinds: Kinds, words: Words, down: str) -> Chart:
    """Length of the gradient that reaches the input from each of N places, on a log axis that ends at `LEAST`."""
    scale = {"type": "log", "domainMin": LEAST, "nice": False}
    x = x_axis("value:Q", words["gradient"], scale, format=".0e", values=[1e-15, 1e-10, 1e-5, 1, 1e5])
    rows = [{**row, "value": max(row["value"], LEAST)} for row in _rows(places, kinds)]
    return _lines(rows, places, kinds, x, down, words["gradient_description"])


def _rows(places: Sequence[str], kinds: Kinds) -> list[Row]:
    return [
        {"place": place, "kind": kind, "value": significant(value, 5)}
        for kind, values in kinds.items()
        for place, value in zip(places, values.tolist(), strict=True)
    ]


def _lines(
    rows: Sequence[Row], places: Sequence[str], kinds: Kinds, x: alt.X, down: str | None, description: str
) -> Chart:
    above = legend(columns=1, labelLimit=400)
    base = marks(
        [{**row, "order": places.index(row["place"])} for row in rows],
        y=alt.Y("place:N", sort=list(places), title=down, axis=alt.Axis(labelLimit=200, **WHOLE)),
        x=x,
        tooltip=[tip("kind:N", " "), tip("place:N", down or " "), tip("value:Q", x["title"], ".3g")],
        **series("kind:N", kinds, above, color=[GOOD, BAD]),
    )
    shapes = series("kind:N", kinds, above, shape=["circle", "triangle-up"])
    return chart(
        *lines(base, 2.5, 70, order=alt.Order("order:Q"), **shapes),
        description=description,
        height=ROW * len(places) + 110,
        width=EXPORTED,
        rows=lambda: _rows(places, kinds),
    )
