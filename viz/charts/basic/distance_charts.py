"""A number over the distance of two tokens, a line for each head, as an altair chart."""

from collections.abc import Sequence
from itertools import cycle

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...palette import HEADS
from ...vega import inline
from ..marks import chart, lines
from ..style import HEIGHT, Words, legend, series, tips, x_axis, y_axis


def distance_chart(distances: Sequence[int], values: np.ndarray, words: Words) -> Chart:
    """Values (H, N) over distances (N). `words`: head, distance, value, description."""
    rows = [
        {"head": head, "distance": int(distance), "value": round(float(value), 5)}
        for head, row in enumerate(values)
        for distance, value in zip(distances, row, strict=True)
    ]
    above = legend(title=words["head"], columns=8, symbolType="stroke")
    names = [str(head) for head in range(len(values))]
    tones = [tone for _, tone in zip(names, cycle(HEADS["light"]), strict=False)]
    base = alt.Chart().encode(
        x=x_axis("distance:Q", words["distance"], {"nice": False}, grid=False),
        y=y_axis("value:Q", words["value"], gridOpacity=0.25, tickCount=6),
        tooltip=tips(words, "head:N", "distance:Q", "value:Q"),
        **series("head:N", names, above, color=tones),
    )
    data = inline([row | {"head": str(row["head"])} for row in rows])
    return chart(*lines(base, size=26), description=words["description"], height=HEIGHT, rows=rows, data=data)
