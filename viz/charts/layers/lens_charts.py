"""How right lenses are, with intervals, and the words that source tokens are read as, as altair charts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import altair as alt

from ...figures.chart import Chart
from ...vega import inline, layered, with_percents
from .logit_lens_charts import CHIP, FEW, FINAL
from .stream_charts import MUTED, sized

COLOURS = ("#3a86c8", "#d9652a", "#1a938b")
ROW = 40  # px for a place, so that intervals keep apart
Words = Mapping[str, str]


class Estimate(NamedTuple):
    """A mean, and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


class Line(NamedTuple):
    """A measure at each of N places; dashed and grey where it is that of random weights."""

    name: str
    estimates: Sequence[Estimate]
    is_random: bool = False


class SourceWord(NamedTuple):
    """The likeliest words that a source token is read as, and whether the first is in the output."""

    words: Sequence[str]
    in_output: bool


def estimates_chart(places: Sequence[str], lines: Sequence[Line], words: Words, measure: str) -> Chart:
    """Each line along the depth, with intervals. The measure names the axis; `score` runs to 100, others to 100%."""
    is_share = measure != "score"
    rows = estimates_rows(places, lines)
    table = with_percents(rows, "value", "low", "high", decimals=1) if is_share else rows
    order = [{**row, "order": places.index(str(row["place"]))} for row in table]
    names = [line.name for line in lines]
    colours = [MUTED if line.is_random else colour for line, colour in zip(lines, (*COLOURS, MUTED), strict=False)]
    dashes = [[5, 4] if line.is_random else [1, 0] for line in lines]
    legend = alt.Legend(title=None, orient="top", columns=1, labelLimit=420, symbolOpacity=1, symbolStrokeWidth=0)
    scale = alt.Scale(domain=[0, 1 if is_share else 100])
    base = alt.Chart(inline(order)).encode(
        y=alt.Y("place:N", sort=list(places), title=None, axis=alt.Axis(labelLimit=200, labelOverlap=False)),
        color=alt.Color("kind:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
        tooltip=[alt.Tooltip("kind:N", title=words["kind"]), alt.Tooltip("place:N", title=words["place"])]
        + [_tip(name, words, is_share) for name in ("value", "low", "high")],
    )
    x = alt.X("value:Q", title=words[measure], scale=scale, axis=alt.Axis(tickCount=6, format="%" if is_share else "d"))
    dash = alt.StrokeDash("kind:N", scale=alt.Scale(domain=names, range=dashes), legend=legend)
    figure = layered(
        base.mark_line(strokeWidth=2.5).encode(x=x, order=alt.Order("order:Q"), strokeDash=dash),
        base.mark_rule(strokeWidth=6, opacity=0.35).encode(x=alt.X("low:Q", title=words[measure]), x2=alt.X2("high:Q")),
        base.mark_point(filled=True, size=60, opacity=1).encode(x=x),
    )
    around = 80 + 22 * len(lines)  # for the axis and the legend
    return Chart(sized(figure, words[f"{measure}_description"], ROW * len(places), around=around), lambda: rows)


def _tip(name: str, words: Words, is_share: bool) -> alt.Tooltip:
    if is_share:
        return alt.Tooltip(f"{name}_said:N", title=words[name])
    return alt.Tooltip(f"{name}:Q", title=words[name], format=".1f")


def estimates_rows(places: Sequence[str], lines: Sequence[Line]) -> list[dict[str, object]]:
    """A row for each line and place."""
    return [
        {"kind": line.name, "place": place, "value": estimate.mean, "low": estimate.low, "high": estimate.high}
        for line in lines
        for place, estimate in zip(places, line.estimates, strict=True)
    ]


def source_words_chart(
    places: Sequence[str], tokens: Sequence[str], cells: Sequence[Sequence[SourceWord]], words: Words
) -> Chart:
    """The word that each source token is read as at each place, cells (N, S): orange where the output has it."""
    rows = source_words_rows(places, tokens, cells)
    coloured = [{**row, "colour": FINAL if row["in_output"] else CHIP} for row in rows]
    slant = 0 if len(places) <= FEW else -50
    across = alt.Axis(orient="top", labelLimit=90, labelOverlap=False, labelFlush=False, labelAngle=slant)
    x = alt.X("place:N", sort=list(places), title=None, axis=across, scale=alt.Scale(paddingInner=0.04))
    y = alt.Y("token:N", sort=list(tokens), title=None, axis=alt.Axis(labelLimit=110, labelOverlap=False))
    tips = [alt.Tooltip(f"{name}:N", title=words[name]) for name in ("token", "place", "word", "next")]
    base = alt.Chart(inline(coloured)).encode(x=x, y=y, tooltip=tips)
    limit = {"expr": f"width / {len(places)} - 4"}  # type: ignore[var-annotated]
    figure = layered(
        base.mark_rect(cornerRadius=4, height=22).encode(color=alt.Color("colour:N", scale=None)),
        base.mark_text(color="white", fontSize=13, limit=limit).encode(text=alt.Text("word:N")),  # type: ignore[arg-type]
    )
    return Chart(sized(figure, words["source_description"], 28 * len(tokens)), lambda: rows)


def source_words_rows(
    places: Sequence[str], tokens: Sequence[str], cells: Sequence[Sequence[SourceWord]]
) -> list[dict[str, object]]:
    """A row for each source token and place."""
    return [
        {"token": token, "place": place, "word": cell.words[0], "next": ", ".join(cell.words[1:]),
         "in_output": cell.in_output}
        for place, each in zip(places, cells, strict=True)
        for token, cell in zip(tokens, each, strict=True)
    ]  # fmt: skip
