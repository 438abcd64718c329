"""The score of a model as its heads are removed one after another, as an altair chart. Plain numbers in."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import altair as alt

from ...figures.chart import Chart
from ...vega import finished, inline, layered

COLOURS = ("#3a78c9", "#868d96")  # of the orders
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


def scores_chart(scores: Sequence[Score], kinds: Sequence[Without], words: Mapping[str, str]) -> Chart:
    """A line with its interval for each order; a dashed line for the score without each kind of attention.

    The legend names all of them, for on a narrow screen names beside the lines would lie on the curves.
    """
    rows, orders = [asdict(score) for score in scores], list(dict.fromkeys(score.order for score in scores))
    last = max(score.removed for score in scores)
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("removed:Q", title=words["removed"], scale=alt.Scale(domain=[0, last], nice=False)),
        color=alt.Color(
            "order:N",
            scale=alt.Scale(
                domain=[*orders, *(kind.name for kind in kinds)],
                range=[*COLOURS[: len(orders)], *(kind.colour for kind in kinds)],
            ),
            legend=alt.Legend(title=None, orient="top", direction="vertical", labelLimit=320, symbolOpacity=1),
        ),
        tooltip=[
            alt.Tooltip("order:N", title=words["order"]),
            alt.Tooltip("removed:Q", title=words["removed"]),
            *(alt.Tooltip(f"{name}:Q", title=words[name], format=".1f") for name in ("score", "low", "high")),
        ],
    )  # fmt: skip
    y = alt.Y("score:Q", title=words["score"], scale=alt.Scale(domain=[0, 100]))
    bands = base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", title=words["score"]), y2=alt.Y2("high:Q"))
    lines = base.mark_line(point=True).encode(y=y)
    without = [{"order": kind.name, "score": kind.score} for kind in kinds]
    rules = (
        alt.Chart(inline(without))
        .mark_rule(strokeDash=[4, 4], strokeWidth=2)
        .encode(
            y=alt.Y("score:Q"),
            color=alt.Color("order:N"),
            tooltip=[
                alt.Tooltip("order:N", title=words["order"]),
                alt.Tooltip("score:Q", title=words["score"], format=".1f"),
            ],
        )
    )
    table = [*rows, *(each | {"removed": "", "low": "", "high": ""} for each in without)]
    return Chart(finished(layered(rules, bands, lines), words["description"], HEIGHT, "container"), lambda: table)
