"""The share of the source in each written token as a curve: below it the source, above it what was written before."""

from collections.abc import Sequence

import altair as alt

from ...figures.chart import Chart
from ...palette import ORANGE, TEAL, WRITTEN
from ...vega import inline, with_percents
from ..marks import chart, dots
from ..style import SHARE, Row, Words, tips, y_axis

HEIGHT = 300  # px
GROUND = 0.28  # opacity of the two areas


def share_chart(tokens: Sequence[str], shares: Sequence[float], chosen: int, words: Words) -> Chart:
    """The curve over the tokens in the order in which they are written; `chosen` is the place of the marked one.

    NaN leaves a gap. The table has both shares: of the source, and of what was written.
    """
    rows = [
        {"place": place, "token": token, "source": _rounded(share), "written": _rounded(1 - share)}
        for place, (token, share) in enumerate(zip(tokens, shares, strict=True))
    ]
    labelled: list[Row] = [
        {**row, "at": f"{row['place']}  {row['token']}", "all": 1} for row in rows if row["source"] is not None
    ]
    order = [row["at"] for row in labelled]
    point, slant = alt.Scale(type="point", padding=0.3), alt.Axis(labelAngle=-40, labelLimit=110, labelOverlap="parity")
    base = alt.Chart().encode(
        x=alt.X("at:N", sort=order, scale=point, title=words["tokens"], axis=slant),
        tooltip=tips(words, "token:N", "source_said:N", "written_said:N"),
    )
    share = y_axis("source:Q", words["share"], **SHARE)
    above = y_axis("all:Q", words["share"], {"domain": [0, 1]})
    mark = alt.Chart().transform_filter(f"datum.place == {chosen}").encode(x=alt.X("at:N", sort=order))
    return chart(
        base.mark_area(color=TEAL, opacity=GROUND).encode(y=share),
        base.mark_area(color=WRITTEN, opacity=GROUND).encode(y=above, y2=alt.Y2("source:Q")),
        base.mark_line(color=TEAL, strokeWidth=2.5).encode(y=share),
        dots(base, 60, TEAL, y=share),
        mark.mark_point(color=ORANGE, size=190, strokeWidth=2.5).encode(y=share),
        description=words["description"],
        height=HEIGHT,
        rows=rows,
        data=inline(with_percents(labelled, "source", "written", decimals=1)),
    )


def _rounded(share: float) -> float | None:
    return None if share != share else round(float(share), 6)
