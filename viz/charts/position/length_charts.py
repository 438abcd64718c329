"""Scores of a model by the number of letters of a word, as altair charts. Plain numbers in, charts out."""

from collections.abc import Mapping, Sequence

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...vega import finished, inline, layered, with_percents

SERIES = ("#2f7fb8", "#b0478c", "#8a9a1f", "#b08618", "#7a7a82", "#5b9bd5")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
MUTED = "#868d96"
HEIGHT = 250  # px, axes included, legend not
LEGEND_ROW = 30  # px of a row of two models
Shares = Mapping[str, np.ndarray]


def longer_rows(letters: Sequence[int], exact: Shares, right: Shares) -> list[dict[str, object]]:
    """A line per model and number of letters (N); None where the model cannot read so many."""
    return [
        {"model": model, "letters": size, "exact": _known(exact[model][n]), "letters_right": _known(right[model][n])}
        for model in exact
        for n, size in enumerate(letters)
    ]


def longer_chart(
    letters: Sequence[int], shares: Shares, title: str, trained: int, chosen: int, words: Mapping[str, str]
) -> Chart:
    """Shares (N) of every model over the number of letters, a rule after the `trained` one, and one at the chosen."""
    rows = [
        {"model": model, "letters": size, "share": value}
        for model, values in shares.items()
        for size, value in zip(letters, map(_known, values), strict=True)
        if value is not None
    ]
    names = list(shares)
    scale = alt.Scale(domain=names, range=list(SERIES[: len(names)]))
    base = alt.Chart(inline(with_percents(rows, "share", decimals=0))).encode(
        x=alt.X("letters:Q", title=words["letters"], scale=alt.Scale(nice=False), axis=alt.Axis(grid=False)),
        y=alt.Y("share:Q", title=title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5)),
        color=alt.Color("model:N", scale=scale, legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=200)),
        tooltip=[
            alt.Tooltip("model:N", title=words["model"]),
            alt.Tooltip("letters:Q", title=words["letters"]),
            alt.Tooltip("share_said:N", title=title),
        ],
    )
    shape = alt.Shape("model:N", scale=alt.Scale(domain=names, range=list(SHAPES[: len(names)])))
    figure = layered(
        _rule(trained + 0.5, [5, 4], words["trained"].format(letters=trained)),
        _rule(chosen, [1, 0], ""),
        base.mark_line(strokeWidth=2),
        base.mark_point(filled=True, size=36, opacity=1).encode(shape=shape),
    )
    legend = LEGEND_ROW * ((len(names) + 1) // 2)
    return Chart(finished(figure, words["description"], HEIGHT + legend, "container"))


def _rule(at: float, dash: list[int], text: str) -> alt.LayerChart:
    base = alt.Chart(inline([{"letters": at, "text": text}])).encode(x=alt.X("letters:Q"))
    rule = base.mark_rule(color=MUTED, strokeDash=dash, strokeWidth=1.5)
    label = base.mark_text(color=MUTED, align="left", dx=5, y=8, fontSize=11).encode(text=alt.Text("text:N"))
    return layered(rule, label)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)
