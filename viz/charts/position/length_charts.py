"""Scores of a model by the number of letters of a word, as altair charts. Plain numbers in, charts out."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...figures.chart import Chart
from ...vega import layered, with_percents
from ..marks import chart, lines, marks, named_rule
from ..style import LEGEND_ROW, SERIES, SHAPES, Row, Words, legend, series, tip, tips, x_axis, y_axis

HEIGHT = 250  # px, axes included, legend not
Shares = Mapping[str, np.ndarray]


def longer_rows(letters: Sequence[int], exact: Shares, right: Shares) -> list[Row]:
    """A line per model and number of letters (N); None where the model cannot read so many."""
    return [
        {"model": model, "letters": size, "exact": _known(exact[model][n]), "letters_right": _known(right[model][n])}
        for model in exact
        for n, size in enumerate(letters)
    ]


def longer_chart(letters: Sequence[int], shares: Shares, title: str, trained: int, chosen: int, words: Words) -> Chart:
    """Shares (N) of every model over the number of letters, a rule after the `trained` one, and one at the chosen."""
    rows = [
        {"model": model, "letters": size, "share": value}
        for model, values in shares.items()
        for size, value in zip(letters, map(_known, values), strict=True)
        if value is not None
    ]
    base = marks(
        with_percents(rows, "share", decimals=0),
        x=x_axis("letters:Q", words["letters"], {"nice": False}, grid=False),
        y=y_axis("share:Q", title, {"domain": [0, 1]}, format="%", tickCount=5),
        tooltip=[*tips(words, "model:N", "letters:Q"), tip("share_said:N", title)],
        **series("model:N", shares, legend(columns=2, labelLimit=200), color=SERIES),
    )
    return chart(
        layered(*named_rule("letters", trained + 0.5, words["trained"].format(letters=trained))),
        layered(*named_rule("letters", chosen, "", dash=[1, 0])),
        *lines(base, **series("model:N", shares, shape=SHAPES)),
        description=words["description"],
        height=HEIGHT + LEGEND_ROW * ((len(shares) + 1) // 2),
    )


def _known(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4)
