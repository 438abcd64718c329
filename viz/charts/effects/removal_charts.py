"""The score of a model as its heads are removed one after another, as an altair chart. Plain numbers in."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import altair as alt

from ...figures.chart import Chart
from ...vega import finished, inline, layered

COLOURS, MUTED = ("#c4573d", "#868d96"), "#868d96"
HEIGHT = 340  # px


@dataclass(frozen=True)
class Score:
    """Score with so many heads removed in some order, and the ends of its interval, 0 to 100."""

    order: str
    removed: int
    score: float
    low: float
    high: float


def scores_chart(scores: Sequence[Score], kinds: Sequence[tuple[str, float]], words: Mapping[str, str]) -> Chart:
    """A line with its interval for each order; a dashed line for the score without each kind of attention."""
    rows, orders = [asdict(score) for score in scores], list(dict.fromkeys(score.order for score in scores))
    last = max(score.removed for score in scores)
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("removed:Q", title=words["removed"], scale=alt.Scale(domain=[0, last], nice=False)),
        color=alt.Color(
            "order:N", scale=alt.Scale(domain=orders, range=list(COLOURS)),
            legend=alt.Legend(title=None, orient="top", direction="vertical", labelLimit=320, symbolOpacity=1),
        ),
        tooltip=[
            alt.Tooltip("order:N", title=words["order"]),
            alt.Tooltip("removed:Q", title=words["removed"]),
            *(alt.Tooltip(f"{name}:Q", title=words[name], format=".1f") for name in ("score", "low", "high")),
        ],
    )  # fmt: skip
    y = alt.Y("score:Q", title=words["score"], scale=alt.Scale(domain=[0, 100]))
    bands = base.mark_area(opacity=0.2).encode(y=alt.Y("low:Q", title=words["score"]), y2="high:Q")
    lines = base.mark_line(point=True).encode(y=y)
    rules = _named(kinds).mark_rule(color=MUTED, strokeDash=[4, 4])
    # the first on the right and the others on the left, so that no two lie on each other where scores are alike
    names = {"color": MUTED, "baseline": "bottom", "dy": -3, "fontSize": 12}
    right = _named(kinds[:1]).mark_text(align="right", **names).encode(text="name:N", x=alt.value("width"))  # type: ignore[arg-type]
    left = _named(kinds[1:]).mark_text(align="left", **names).encode(text="name:N", x=alt.value(4))  # type: ignore[arg-type]
    table = [*rows, *({"order": name, "removed": "", "score": score, "low": "", "high": ""} for name, score in kinds)]
    return Chart(
        finished(layered(rules, right, left, bands, lines), words["description"], HEIGHT, "container"), lambda: table
    )


def _named(kinds: Sequence[tuple[str, float]]) -> alt.Chart:
    return alt.Chart(inline([{"name": name, "score": score} for name, score in kinds])).encode(y="score:Q")
