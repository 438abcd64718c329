"""Interventions as figures: words that became likelier or not, candidates before and after, heads and what they do.

Plain numbers and labels in. T tokens, L layers, H heads, S tokens of the sentence.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...vega import finished, inline, layered, with_percents

# Mid tones, to be read on a light and on a dark card: signs as in the matrices, the original a grey.
LESS, MORE, BEFORE, AFTER = "#3a78c9", "#c4573d", "#8a9099", "#c8551b"
MUTED = "#868d96"
EXPORTED = 640  # px wide as a file; on the page a chart fills its card
ROW = 26  # px
_AXES = {"strength": "strength", "effect": "size"}
Words = Mapping[str, str]
Figure = alt.Chart | alt.LayerChart


class Likely(NamedTuple):
    """A candidate with its probability and rank before and after."""

    word: str
    before: float
    after: float
    rank_before: int
    rank_after: int


class Numbers(NamedTuple):
    """A number of each token, before and after, (T) each."""

    before: np.ndarray
    after: np.ndarray

    @property
    def change(self) -> np.ndarray:
        return self.after - self.before


def change_chart(tokens: Sequence[str], numbers: Numbers, words: Words, chosen: int) -> Chart:
    """A bar for each token (T), from 0: by how much its number changed.

    `words` has a name for each of the three, `token`, and the `description`; the chosen token has a frame.
    """
    change = numbers.change
    rows = [
        {**row, "line": f"{row['place']}  {row['token']}", "colour": LESS if change[i] < 0 else MORE}
        for i, row in enumerate(change_rows(tokens, numbers))
    ]
    y = alt.Y("line:N", sort=None, title=None, axis=_words_axis())
    most = max(float(np.abs(change).max(initial=0)) * 1.15, 0.01)
    x = alt.X("change:Q", title=words["change"], scale=alt.Scale(domain=[-most, most]))
    tips = [_tip("token:N", words["token"]), *(_tip(f"{n}:Q", words[n]) for n in ("before", "after", "change"))]
    base = alt.Chart(inline(rows)).encode(y=y, tooltip=tips)
    figure = layered(
        base.mark_bar(cornerRadiusEnd=3, height=14).encode(x=x, color=alt.Color("colour:N", scale=None)),
        base.transform_filter(f"datum.place === {chosen}")
        .mark_bar(filled=False, stroke=MUTED, strokeWidth=2, height=20)
        .encode(x=x),
        alt.Chart(inline([{"zero": 0}])).mark_rule(color=MUTED).encode(x=alt.X("zero:Q")),
    )
    return Chart(
        finished(figure, words["description"], ROW * len(rows) + 50, EXPORTED), lambda: change_rows(tokens, numbers)
    )


def change_rows(tokens: Sequence[str], numbers: Numbers) -> list[dict[str, object]]:
    """Every token with its numbers."""
    columns = (numbers.before.tolist(), numbers.after.tolist(), numbers.change.tolist())
    return [
        {"place": i, "token": token, "before": _round(b), "after": _round(a), "change": _round(c)}
        for i, (token, b, a, c) in enumerate(zip(tokens, *columns, strict=True))
    ]


def candidates_chart(candidates: Sequence[Likely], words: Words) -> Chart:
    """Two bars for each candidate: its probability before and after."""
    both = {"before": words["before"], "after": words["after"]}
    rows = [
        {"line": f"{i}  {one.word}", "word": one.word, "pass": title, "probability": _round(getattr(one, name)),
         "rank": getattr(one, f"rank_{name}")}
        for i, one in enumerate(candidates, 1)
        for name, title in both.items()
    ]  # fmt: skip
    rows = with_percents(rows, "probability", decimals=3)
    colours = alt.Scale(domain=list(both.values()), range=[BEFORE, AFTER])
    figure = (
        alt.Chart(inline(rows))
        .mark_bar(cornerRadiusEnd=3)
        .encode(
            y=alt.Y("line:N", sort=None, title=None, axis=_words_axis()),
            yOffset=alt.YOffset("pass:N", sort=list(both.values())),
            x=alt.X(
                "probability:Q",
                title=words["probability"],
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(format=".0%", tickCount=5),
            ),
            color=alt.Color("pass:N", scale=colours, legend=alt.Legend(title=None, orient="top")),
            tooltip=[
                _tip("word:N", words["word"]),
                _tip("pass:N", words["pass"]),
                _tip("probability_said:N", words["probability"]),
                _tip("rank:Q", words["rank"]),
            ],
        )
    )
    return Chart(
        finished(figure, words["candidates_description"], 40 * len(candidates) + 60, EXPORTED),
        lambda: candidates_rows(candidates),
    )


def candidates_rows(candidates: Sequence[Likely]) -> list[dict[str, object]]:
    """Every candidate with its numbers, in full precision."""
    return [dict(candidate._asdict()) for candidate in candidates]


def ranks_chart(
    strength: Sequence[float], effect: Sequence[float], kinds: Sequence[str], heads: Sequence[str], words: Words,
    colours: Mapping[str, str],
) -> Chart:  # fmt: skip
    """A dot for each head: attention along, effect up; `kinds` are titles with a colour each."""
    rows = [
        {"head": head, "kind": kind, "strength": _round(s), "effect": _round(e)}
        for head, kind, s, e in zip(heads, kinds, strength, effect, strict=True)
    ]
    legend = alt.Legend(title=None, orient="top")
    figure = (
        alt.Chart(inline(rows))
        .mark_point(filled=True, size=70, opacity=0.8)
        .encode(
            x=alt.X("strength:Q", title=words["strength"], scale=alt.Scale(domain=[0, 1])),
            y=alt.Y("effect:Q", title=words["size"]),
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=list(colours), range=list(colours.values())),
                legend=legend,
            ),
            shape=alt.Shape("kind:N", scale=alt.Scale(domain=list(colours)), legend=legend),
            tooltip=[
                _tip("head:N", words["head"]),
                _tip("strength:Q", words["strength"]),
                _tip("effect:Q", words["size"]),
            ],
        )
    )
    return Chart(finished(figure, words["dots_description"], 260, EXPORTED))


def _words_axis() -> alt.Axis:
    """An axis of tokens. Their data have the position in front, so that equal tokens stay apart; it is not shown."""
    return alt.Axis(labelLimit=170, labelOverlap=False, ticks=False, domain=False)


def _tip(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(field, title=title)


def _round(value: float) -> float:
    return round(float(value), 6)
