"""The score of a model as its heads are removed one after another, as an altair chart. Plain numbers in."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import altair as alt

from ...figures.chart import Chart
from ...palette import LESS, MUTED
from ..marks import chart, marks
from ..style import Words, legend, series, tips, x_axis, y_axis

HEIGHT = 400  # px, of which the legend takes a third


@dataclass(frozen=True)
class Score:
    """Score with so many heads removed in some order, and the ends of its interval, 0 to 100."""

    order: str
    removed: int
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class Without:
    """Score without any attention of a kind, and the colour of that kind."""

    name: str
    score: float
    colour: str


def scores_chart(scores: Sequence[Score], kinds: Sequence[Without], words: Words) -> Chart:
    """A line with its interval for each order; a dashed line for the score without each kind of attention.

    The legend names all of them, for on a narrow screen names beside the lines would lie on the curves.
    """
    rows, orders = [asdict(score) for score in scores], list(dict.fromkeys(score.order for score in scores))
    last = max(score.removed for score in scores)
    names = [*orders, *(kind.name for kind in kinds)]
    tones = [*(LESS, MUTED)[: len(orders)], *(kind.colour for kind in kinds)]
    above = legend(direction="vertical", labelLimit=320, symbolOpacity=1)
    base = marks(
        rows,
        x=x_axis("removed:Q", words["removed"], {"domain": [0, last], "nice": False}),
        tooltip=tips(words, "order:N", "removed:Q", "score:Q .1f", "low:Q .1f", "high:Q .1f"),
        **series("order:N", names, above, color=tones),
    )
    without = [{"order": kind.name, "score": kind.score} for kind in kinds]
    kept = marks(without, y=alt.Y("score:Q"), color=alt.Color("order:N"), tooltip=tips(words, "order:N", "score:Q .1f"))
    table = [*rows, *(each | {"removed": "", "low": "", "high": ""} for each in without)]
    return chart(
        kept.mark_rule(strokeDash=[4, 4], strokeWidth=2),
        base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", title=words["score"]), y2=alt.Y2("high:Q")),
        base.mark_line(point=True).encode(y=y_axis("score:Q", words["score"], {"domain": [0, 100]})),
        description=words["description"],
        height=HEIGHT,
        rows=table,
    )
