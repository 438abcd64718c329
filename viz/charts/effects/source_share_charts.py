"""The share of the source in each written token as a curve: below it the source, above it what was written before."""

from collections.abc import Mapping, Sequence

import altair as alt

from ...figures.chart import Chart
from ...vega import finished, inline, layered, with_percents

# mid tones of the encoder's and the decoder's colour, to be read on a light and on a dark card
SOURCE, WRITTEN, CHOSEN = "#2b8f84", "#8467d6", "#c8551b"
HEIGHT = 300  # px
GROUND = 0.28  # opacity of the two areas


def share_rows(tokens: Sequence[str], shares: Sequence[float]) -> list[dict[str, object]]:
    """A line per written token: its place, its share of the source and of what was written; NaN leaves both empty."""
    return [
        {"place": place, "token": token, "source": _rounded(share), "written": _rounded(1 - share)}
        for place, (token, share) in enumerate(zip(tokens, shares, strict=True))
    ]


def _rounded(share: float) -> float | None:
    return None if share != share else round(float(share), 6)


def share_chart(tokens: Sequence[str], shares: Sequence[float], chosen: int, words: Mapping[str, str]) -> Chart:
    """The curve over the tokens in the order in which they are written; `chosen` is the place of the marked one."""
    rows = [row for row in share_rows(tokens, shares) if row["source"] is not None]
    labelled = [{**row, "at": f"{row['place']}  {row['token']}", "all": 1} for row in rows]
    order = [str(row["at"]) for row in labelled]
    base = alt.Chart().encode(
        x=alt.X("at:N", sort=order, scale=alt.Scale(type="point", padding=0.3), title=words["tokens"],
                axis=alt.Axis(labelAngle=-40, labelLimit=110, labelOverlap="parity")),
        tooltip=[alt.Tooltip("token:N", title=words["token"]), alt.Tooltip("source_said:N", title=words["source"]),
                 alt.Tooltip("written_said:N", title=words["written"])],
    )  # fmt: skip
    share = alt.Y(
        "source:Q", title=words["share"], scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=".0%", tickCount=5)
    )
    above = alt.Y("all:Q", title=words["share"], scale=alt.Scale(domain=[0, 1]))
    mark = alt.Chart().transform_filter(f"datum.place == {chosen}").encode(x=alt.X("at:N", sort=order))
    figure = layered(
        base.mark_area(color=SOURCE, opacity=GROUND).encode(y=share),
        base.mark_area(color=WRITTEN, opacity=GROUND).encode(y=above, y2=alt.Y2("source:Q")),
        base.mark_line(color=SOURCE, strokeWidth=2.5).encode(y=share),
        base.mark_point(color=SOURCE, filled=True, size=60, opacity=1).encode(y=share),
        mark.mark_point(color=CHOSEN, size=190, strokeWidth=2.5).encode(y=share),
        data=inline(with_percents(labelled, "source", "written", decimals=1)),
    )
    return Chart(finished(figure, words["description"], HEIGHT, "container"), lambda: share_rows(tokens, shares))
