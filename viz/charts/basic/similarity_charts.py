"""Cosine similarity of vectors, as an altair chart: one cell per pair, one diverging scale from -1 to 1."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...text_width import text_width

CELL, LETTERS = 34, 11  # px


def similarity_chart(cosines: np.ndarray, tokens: Sequence[str], words: Mapping[str, str]) -> Chart:
    """The heat map of (T, T) cosines, tokens on both axes."""
    rows = [
        {"row": i, "column": j, "pair": f"{tokens[i]} · {tokens[j]}", "cosine": round(float(cosines[i, j]), 3)}
        for i in range(len(tokens))
        for j in range(len(tokens))
    ]
    # positions are the axis and tokens only its labels: a word may occur twice
    labels = f"{[*tokens]!r}[datum.value]"
    axis = alt.Axis(labelExpr=labels, labelAngle=0, title=None, ticks=False, domain=False, labelOverlap=False)
    # vega turns all labels of an axis alike
    upright = all(text_width(token, LETTERS) <= CELL for token in tokens)
    across = axis.copy()
    across.labelAngle, across.orient = 0 if upright else -90, "top"
    return Chart(
        alt.Chart(alt.Data(values=rows), description=words["description"])
        .mark_rect(cornerRadius=3)
        .encode(
            x=alt.X("column:O", axis=across),
            y=alt.Y("row:O", axis=axis),
            color=alt.Color(
                "cosine:Q", scale=alt.Scale(scheme="redblue", domain=[-1, 1]), legend=alt.Legend(title=words["cosine"])
            ),
            tooltip=[alt.Tooltip("pair:N", title=words["pair"]), alt.Tooltip("cosine:Q", title=words["cosine"])],
        )
        .properties(
            width=alt.Step(CELL), height=alt.Step(CELL), padding={"left": 8, "right": 8, "top": 8, "bottom": 16}
        )
    )
