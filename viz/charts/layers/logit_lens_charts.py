"""The predictions of the logit lens at each depth, as altair charts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from ...figures.chart import Chart
from ...numbers import percent, significant
from ...palette import CHIP, FINAL, MUTED, NEAR, PARTS, STEEL
from ...vega import inline, layered, with_percents
from ..marks import chart, marks
from ..style import OWN_COLOUR, WHOLE, Row, Words, legend, series, tips, x_axis, y_names
from .stream_charts import AXES, EXPORTED

FEW = 5  # labels that fit beside each other on a phone
NEAR_RANK = 10  # up to here a word is near the front
COLOURS = (PARTS["cross"], STEEL, PARTS["decoder"], PARTS["encoder"], PARTS["input"])
ROW = 58  # px for a place


@dataclass(frozen=True)
class Candidate:
    """A word at one place: its rank there, and one place earlier (0 at the first place)."""

    id: int
    word: str
    rank: int
    before: int
    probability: float

    @property
    def move(self) -> str:
        """▲3 gained three ranks, ▼2 lost two, = stayed; nothing at the first place."""
        ranks = self.before - self.rank
        if not self.before:
            return ""
        return "=" if not ranks else f"{'▲' if ranks > 0 else '▼'}{abs(ranks)}"


def candidates_chart(
    places: Sequence[str], candidates: Sequence[Sequence[Candidate]], final: int, words: Words, *, moves: bool = True
) -> Chart:
    """The likeliest words at each place, likeliest left; lines follow a word, `final` is the id finally chosen.

    `moves`: with the ranks that each word gained or lost.
    """
    shown = [(place, one) for place, each in zip(places, candidates, strict=True) for one in each]
    rows = [
        {"place": place, "rank": one.rank, "word": one.word, "id": one.id, "before": one.before,
         "probability": significant(one.probability, 4)}
        for place, one in shown
    ]  # fmt: skip
    chips = [
        {
            **row,
            "colour": FINAL if row["id"] == final else CHIP,
            "below": f"{percent(one.probability)} {one.move if moves else ''}".strip(),
        }
        for row, (_, one) in zip(with_percents(rows, "probability"), shown, strict=True)
    ]
    ranks = list(range(1, len(candidates[0]) + 1))
    grid: dict[str, Any] = {
        "x": alt.X("rank:O", title=words["rank"], scale=alt.Scale(domain=ranks, paddingInner=0.08), axis=top_axis(0)),
        "y": y_names("place:N", places, 200, **WHOLE),
    }
    base = alt.Chart().encode(
        **grid, tooltip=tips(words, "word:N", "place:N", "rank:N", "before:N", "probability_said:N")
    )
    text: dict[str, Any] = {"color": "white", "limit": alt.ExprRef(f"width / {len(ranks)} - 2")}
    chip = layered(
        base.mark_rect(cornerRadius=8, height=40).encode(color=OWN_COLOUR),
        base.mark_text(**text, dy=-7, fontSize=13, fontWeight=600).encode(text=alt.Text("word:N")),
        base.mark_text(**text, dy=10, fontSize=12).encode(text=alt.Text("below:N")),
        data=inline(chips),
    )
    return chart(
        _lines(places, candidates, final).encode(**grid),
        chip,
        description=words["candidates_description"],
        height=ROW * len(places) + AXES,
        width=EXPORTED,
        rows=rows,
    )


def ranks_chart(places: Sequence[str], names: Sequence[str], ranks: Sequence[Sequence[int]], words: Words) -> Chart:
    """Rank of each word at each place on a log axis, names[0] the one finally chosen; ranks is (N, K)."""
    rows = [
        {"word": name, "place": place, "order": n, "rank": int(ranks[n][k]), "finally": k == 0}
        for n, place in enumerate(places)
        for k, name in enumerate(names)
    ]
    base = marks(
        rows,
        y=y_names("place:N", places, 200, **WHOLE),
        x=x_axis("rank:Q", words["rank_log"], {"type": "log", "domainMin": 1}, tickCount=4),
        order=alt.Order("order:Q"),
        strokeWidth=alt.StrokeWidthValue(1.5, condition={"test": "datum.finally", "value": 3.5}),
        tooltip=tips(words, "word:N", "place:N", "rank:N"),
        **series("word:N", names, legend(columns=3), color=COLOURS),
    )
    points = alt.OverlayMarkDef(size=60, filled=True)
    return chart(
        base.mark_line(point=points, strokeWidth=2),
        description=words["ranks_description"],
        height=30 * len(places) + 150,
        width=EXPORTED,
    )


def settled_chart(
    places: Sequence[str], steps: Sequence[str], ranks: Sequence[Sequence[int]], chosen: int, words: Words
) -> Chart:
    """Rank of each step's final word at each place, ranks (N, T): a row per step, dark where it is in front."""
    rows: list[Row] = [
        {"row": t, "step": step, "place": place, "rank": int(ranks[n][t])}
        for t, step in enumerate(steps)
        for n, place in enumerate(places)
    ]
    base = marks(
        [{**row, "colour": _ground(row["rank"])} for row in rows],
        x=alt.X("place:N", sort=list(places), title=None, axis=top_axis(slanted(places))),
        y=y_names("step:N", steps, 110, **WHOLE),
        tooltip=tips(words, "step:N", "place:N", "rank:N"),
    )
    row = base.transform_filter(f"datum.row === {chosen}")
    return chart(
        base.mark_rect(cornerRadius=4, height=20).encode(color=OWN_COLOUR),
        row.mark_rect(cornerRadius=4, height=24, filled=False, stroke=MUTED, strokeWidth=2),
        base.mark_text(color="white", fontSize=12).encode(text=alt.Text("rank:N")),
        description=words["settled_description"],
        height=26 * len(steps) + AXES,
        width=EXPORTED,
        rows=rows,
    )


def _ground(rank: int) -> str:
    if rank == 1:
        return FINAL
    return NEAR if rank <= NEAR_RANK else CHIP


def _lines(places: Sequence[str], candidates: Sequence[Sequence[Candidate]], final: int) -> alt.Chart:
    """From a word's chip to its chip one place below, where both are shown."""
    ends = []
    for n in range(len(places) - 1):
        rank_of = {candidate.id: candidate.rank for candidate in candidates[n]}
        for candidate in candidates[n + 1]:
            if candidate.id in rank_of:
                own = {"line": f"{n}-{candidate.id}", "colour": FINAL if candidate.id == final else MUTED}
                ends.append({**own, "place": places[n], "rank": rank_of[candidate.id], "order": 0})
                ends.append({**own, "place": places[n + 1], "rank": candidate.rank, "order": 1})
    base = marks(ends, detail=alt.Detail("line:N"), order=alt.Order("order:Q"), color=OWN_COLOUR)
    return base.mark_line(strokeWidth=3, opacity=0.7)


def slanted(places: Sequence[str]) -> int:
    """The angle of the places' names above a chart: upright where they fit on a phone."""
    return 0 if len(places) <= FEW else -50


def top_axis(angle: int) -> alt.Axis:
    """An axis of places above a chart."""
    return alt.Axis(orient="top", labelAngle=angle, labelLimit=90, **WHOLE)
