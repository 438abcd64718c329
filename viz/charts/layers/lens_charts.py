"""How right lenses are, with intervals, and the words that source tokens are read as, as altair charts."""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import NamedTuple

import altair as alt

from ...figures.chart import Chart
from ...palette import CHIP, FINAL, MUTED, PARTS, STEEL
from ...vega import with_percents
from ..marks import chart, dots, intervals, marks
from ..style import OWN_COLOUR, Words, legend, series, tips, x_axis, y_names
from .logit_lens_charts import slanted, top_axis
from .stream_charts import AXES, EXPORTED

ROW = 40  # px for a place, so that intervals keep apart


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
    rows = [
        {"kind": line.name, "place": place, "value": estimate.mean, "low": estimate.low, "high": estimate.high}
        for line in lines
        for place, estimate in zip(places, line.estimates, strict=True)
    ]
    drawn = with_percents(rows, "value", "low", "high", decimals=1) if is_share else rows
    names = [line.name for line in lines]
    plain = chain((STEEL, PARTS["cross"], PARTS["encoder"]), repeat(MUTED))
    tones = [MUTED if line.is_random else tone for line, tone in zip(lines, plain, strict=False)]
    dashes = [[5, 4] if line.is_random else [1, 0] for line in lines]
    above = legend(columns=1, labelLimit=420, symbolOpacity=1, symbolStrokeWidth=0)
    numbers = [f"{name}{'_said:N' if is_share else ':Q .1f'}" for name in ("value", "low", "high")]
    base = marks(
        [{**row, "order": places.index(row["place"])} for row in drawn],
        y=y_names("place:N", places, 200, labelOverlap=False),
        tooltip=tips(words, "kind:N", "place:N", *numbers),
        **series("kind:N", names, above, color=tones),
    )
    scale, title = {"domain": [0, 1 if is_share else 100]}, words[measure]
    x = x_axis("value:Q", title, scale, tickCount=6, format="%" if is_share else "d")
    dashed = series("kind:N", names, above, strokeDash=dashes)
    return chart(
        base.mark_line(strokeWidth=2.5).encode(x=x, order=alt.Order("order:Q"), **dashed),
        intervals(base, alt.X("low:Q", title=title), strokeWidth=6, opacity=0.35),
        dots(base, 60, x=x),
        description=words[f"{measure}_description"],
        height=ROW * len(places) + 80 + 22 * len(lines),  # for the axis and the legend
        width=EXPORTED,
        rows=rows,
    )


def source_words_chart(
    places: Sequence[str], tokens: Sequence[str], cells: Sequence[Sequence[SourceWord]], words: Words
) -> Chart:
    """The word that each source token is read as at each place, cells (N, S): orange where the output has it."""
    rows = [
        {"token": token, "place": place, "word": cell.words[0], "next": ", ".join(cell.words[1:]),
         "in_output": cell.in_output}
        for place, each in zip(places, cells, strict=True)
        for token, cell in zip(tokens, each, strict=True)
    ]  # fmt: skip
    base = marks(
        [{**row, "colour": FINAL if row["in_output"] else CHIP} for row in rows],
        x=alt.X(
            "place:N",
            sort=list(places),
            title=None,
            axis=top_axis(slanted(places)),
            scale=alt.Scale(paddingInner=0.04),
        ),
        y=y_names("token:N", tokens, 110, labelOverlap=False),
        tooltip=tips(words, "token:N", "place:N", "word:N", "next:N"),
    )
    text = base.mark_text(color="white", fontSize=13, limit=alt.ExprRef(f"width / {len(places)} - 4"))
    return chart(
        base.mark_rect(cornerRadius=4, height=22).encode(color=OWN_COLOUR),
        text.encode(text=alt.Text("word:N")),
        description=words["source_description"],
        height=28 * len(tokens) + AXES,
        width=EXPORTED,
        rows=rows,
    )
