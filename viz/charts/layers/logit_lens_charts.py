"""The predictions of the logit lens at each place along the depth, as altair charts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from ...figures.chart import Chart
from ...numbers import percent
from ...vega import inline, layered, with_percents
from .stream_charts import MUTED, TONES, sized

CHIP, NEAR, FINAL = "#5f6670", "#8a5a46", "#b84a13"  # grounds for white text, on either card
FEW = 5  # labels that fit beside each other on a phone
NEAR_RANK = 10  # up to here a word is near the front
OTHERS = ("#3a86c8", "#8b6fd8", "#1a938b", "#808791")
ROW = 58  # px for a place
Words = Mapping[str, str]


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
    rows = with_percents(candidates_rows(places, candidates), "probability")
    chips = [
        {**row, "colour": FINAL if row["id"] == final else CHIP, "below": _below(candidate, moves)}
        for row, candidate in zip(rows, (c for each in candidates for c in each), strict=True)
    ]
    ranks = list(range(1, len(candidates[0]) + 1))
    x = alt.X("rank:O", title=words["rank"], scale=alt.Scale(domain=ranks, paddingInner=0.08), axis=_upright())
    y = alt.Y(
        "place:N", sort=list(places), title=None, axis=alt.Axis(labelLimit=200, labelOverlap=False, labelFlush=False)
    )
    tips = [alt.Tooltip(f"{name}:N", title=words[name]) for name in ("word", "place", "rank", "before")]
    tips.append(alt.Tooltip("probability_said:N", title=words["probability"]))
    base = alt.Chart().encode(x=x, y=y, tooltip=tips)
    limit = {"expr": f"width / {len(ranks)} - 2"}  # type: ignore[var-annotated]
    text = base.mark_text(color="white", limit=limit)  # type: ignore[arg-type]
    chip = layered(
        base.mark_rect(cornerRadius=8, height=40).encode(color=alt.Color("colour:N", scale=None)),
        text.mark_text(color="white", limit=limit, dy=-7, fontSize=13, fontWeight=600).encode(text=alt.Text("word:N")),  # type: ignore[arg-type]
        text.mark_text(color="white", limit=limit, dy=10, fontSize=12).encode(text=alt.Text("below:N")),  # type: ignore[arg-type]
        data=inline(chips),
    )
    figure = layered(_lines(places, candidates, final).encode(x=x, y=y), chip)
    return Chart(
        sized(figure, words["candidates_description"], ROW * len(places)), lambda: candidates_rows(places, candidates)
    )


def candidates_rows(places: Sequence[str], candidates: Sequence[Sequence[Candidate]]) -> list[dict[str, object]]:
    """Every word at every place, with its rank and the one before."""
    return [
        {
            "place": place,
            "rank": candidate.rank,
            "word": candidate.word,
            "id": candidate.id,
            "before": candidate.before,
            "probability": float(f"{candidate.probability:.4g}"),
        }
        for place, each in zip(places, candidates, strict=True)
        for candidate in each
    ]


def ranks_chart(places: Sequence[str], names: Sequence[str], ranks: Sequence[Sequence[int]], words: Words) -> Chart:
    """Rank of each word at each place on a log axis, names[0] the one finally chosen; ranks is (N, K)."""
    colours = [TONES["cross"], *OTHERS][: len(names)]
    lines = (
        alt.Chart(inline(ranks_rows(places, names, ranks)))
        .mark_line(point=alt.OverlayMarkDef(size=60, filled=True), strokeWidth=2)
        .encode(
            y=alt.Y(
                "place:N",
                sort=list(places),
                title=None,
                axis=alt.Axis(labelLimit=200, labelOverlap=False, labelFlush=False),
            ),
            x=alt.X(
                "rank:Q", title=words["rank_log"], scale=alt.Scale(type="log", domainMin=1), axis=alt.Axis(tickCount=4)
            ),
            order=alt.Order("order:Q"),
            color=alt.Color(
                "word:N",
                scale=alt.Scale(domain=list(names), range=colours),
                legend=alt.Legend(title=None, orient="top", columns=3),
            ),
            strokeWidth=alt.StrokeWidthValue(1.5, condition={"test": "datum.finally", "value": 3.5}),
            tooltip=[alt.Tooltip(f"{name}:N", title=words[name]) for name in ("word", "place", "rank")],
        )
    )
    return Chart(sized(lines, words["ranks_description"], 30 * len(places), around=150))


def ranks_rows(places: Sequence[str], names: Sequence[str], ranks: Sequence[Sequence[int]]) -> list[dict[str, object]]:
    """Rank of every word at every place."""
    return [
        {"word": name, "place": place, "order": n, "rank": int(ranks[n][k]), "finally": k == 0}
        for n, place in enumerate(places)
        for k, name in enumerate(names)
    ]


def settled_chart(
    places: Sequence[str], steps: Sequence[str], ranks: Sequence[Sequence[int]], chosen: int, words: Words
) -> Chart:
    """Rank of each step's final word at each place, ranks (N, T): a row per step, dark where it is in front."""
    rows = settled_rows(places, steps, ranks)
    rows_with_colour = [{**row, "colour": _ground(int(str(row["rank"])))} for row in rows]
    x = alt.X("place:N", sort=list(places), title=None, axis=_upright() if len(places) <= FEW else _slanted())
    y = alt.Y(
        "step:N", sort=list(steps), title=None, axis=alt.Axis(labelLimit=110, labelOverlap=False, labelFlush=False)
    )
    tips = [alt.Tooltip(f"{name}:N", title=words[name]) for name in ("step", "place", "rank")]
    base = alt.Chart(inline(rows_with_colour)).encode(x=x, y=y, tooltip=tips)
    row = base.transform_filter(f"datum.row === {chosen}")
    figure = layered(
        base.mark_rect(cornerRadius=4, height=20).encode(color=alt.Color("colour:N", scale=None)),
        row.mark_rect(cornerRadius=4, height=24, filled=False, stroke=MUTED, strokeWidth=2),
        base.mark_text(color="white", fontSize=12).encode(text=alt.Text("rank:N")),
    )
    return Chart(
        sized(figure, words["settled_description"], 26 * len(steps)), lambda: settled_rows(places, steps, ranks)
    )


def settled_rows(
    places: Sequence[str], steps: Sequence[str], ranks: Sequence[Sequence[int]]
) -> list[dict[str, object]]:
    """Rank of each step's final word at every place."""
    return [
        {"row": t, "step": step, "place": place, "rank": int(ranks[n][t])}
        for t, step in enumerate(steps)
        for n, place in enumerate(places)
    ]


def _ground(rank: int) -> str:
    if rank == 1:
        return FINAL
    return NEAR if rank <= NEAR_RANK else CHIP


def _below(candidate: Candidate, moves: bool) -> str:
    return f"{percent(candidate.probability)} {candidate.move if moves else ''}".strip()


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
    return (
        alt.Chart(inline(ends))
        .mark_line(strokeWidth=3, opacity=0.7)
        .encode(detail=alt.Detail("line:N"), order=alt.Order("order:Q"), color=alt.Color("colour:N", scale=None))
    )


def _slanted() -> alt.Axis:
    return alt.Axis(orient="top", labelAngle=-50, labelLimit=90, labelOverlap=False, labelFlush=False)


def _upright() -> alt.Axis:
    return alt.Axis(orient="top", labelAngle=0, labelLimit=90, labelOverlap=False, labelFlush=False)
