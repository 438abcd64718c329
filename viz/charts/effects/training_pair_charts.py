"""What training pairs did for a word: how far each method can be trusted, and the word without them."""

from collections.abc import Mapping, Sequence

import altair as alt

from ...figures.chart import Chart
from ...palette import BLUE, GOLD, MUTED
from ...vega import with_percents
from ..marks import chart, dots, intervals, marks, named_rule
from ..style import BARE, LABEL, PERCENT, Interval, Row, Words, series, tips, x_axis, y_names

ROW, AXIS = 34, 70  # px of a row, of the axis with its title
COLOURS = (MUTED, BLUE, GOLD)  # before, without the pairs, without random ones


def scores_chart(scores: Sequence[tuple[str, Interval]], ceiling: float, words: Words) -> Chart:
    """The linear datamodelling score (−1 to 1) of each method by its title, and a line where perfect ones would be.

    `words`: method, score, low, high, ceiling, scores_description.
    """
    rows: list[Row] = [
        {"method": name, "score": round(mean, 4), "low": round(low, 4), "high": round(high, 4)}
        for name, (mean, low, high) in scores
    ]
    names = [row["method"] for row in rows]
    base = marks(
        rows,
        y=y_names("method:N", names, LABEL, **BARE, labelPadding=8),
        tooltip=tips(words, "method:N", "score:Q .2f", "low:Q .2f", "high:Q .2f"),
    )
    ends = [min(0.0, *(row["low"] for row in rows)), 1.0]
    x = x_axis("low:Q", words["score"], {"domain": ends}, grid=False, tickCount=6)
    return chart(
        *named_rule("ceiling", round(ceiling, 4), words["ceiling"]),
        intervals(base, x, strokeWidth=3, opacity=0.55, color=BLUE),
        dots(base, tone=BLUE, x=alt.X("score:Q")),
        description=words["scores_description"],
        height=ROW * len(rows) + AXIS,
        rows=[*rows, {"method": words["ceiling"], "score": round(ceiling, 4), "low": "", "high": ""}],
    )


def retrained_chart(probabilities: Mapping[str, Sequence[float]], words: Words) -> Chart:
    """The probability of a word (0 to 1) in each training before, without pairs, and without random ones, by title.

    `words`: what, training, probability, retrained_description.
    """
    rows: list[Row] = [
        {"what": what, "training": str(number), "probability": round(value, 5)}
        for what, values in probabilities.items()
        for number, value in enumerate(values, 1)
    ]
    names, numbers = list(probabilities), list(dict.fromkeys(row["training"] for row in rows))
    base = marks(
        with_percents(rows, "probability"),
        y=y_names("what:N", names, LABEL, **BARE, labelPadding=8),
        tooltip=tips(words, "what:N", "training:N", "probability_said:N"),
        **series("what:N", names, None, color=COLOURS),
    )
    x = x_axis("probability:Q", words["probability"], {"domain": [0, 1]}, **PERCENT)
    return chart(
        dots(base, x=x, yOffset=alt.YOffset("training:N", sort=numbers, scale=alt.Scale(paddingOuter=0.6))),
        description=words["retrained_description"],
        height=ROW * len(names) + AXIS,
        rows=rows,
    )
