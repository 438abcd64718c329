"""Interventions as figures: words that became likelier or not, candidates before and after, heads and what they do.

Plain numbers and labels in. T tokens, L layers, H heads, S tokens of the sentence.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...palette import LESS, MIST, MORE, MUTED, ORANGE
from ...vega import with_percents
from ..marks import bars, chart, marks, rule
from ..style import BARE, EXPORTED, OWN_COLOUR, SHARE, Words, legend, series, tip, tips, x_axis, y_names

ROW = 26  # px


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
    columns = (numbers.before.tolist(), numbers.after.tolist(), change.tolist())
    rows = [
        {"place": i, "token": token, "before": round(b, 6), "after": round(a, 6), "change": round(c, 6)}
        for i, (token, b, a, c) in enumerate(zip(tokens, *columns, strict=True))
    ]
    most = max(float(np.abs(change).max(initial=0)) * 1.15, 0.01)
    base = marks(
        [
            {**row, "line": f"{i}  {row['token']}", "colour": LESS if change[i] < 0 else MORE}
            for i, row in enumerate(rows)
        ],
        y=_tokens(),
        x=x_axis("change:Q", words["change"], {"domain": [-most, most]}),
        tooltip=tips(words, "token:N", "before:Q", "after:Q", "change:Q"),
    )
    frame = base.transform_filter(f"datum.place === {chosen}")
    return chart(
        bars(base, color=OWN_COLOUR),
        frame.mark_bar(filled=False, stroke=MUTED, strokeWidth=2, height=20),
        rule("x", "zero", 0),
        description=words["description"],
        height=ROW * len(rows) + 50,
        width=EXPORTED,
        rows=rows,
    )


def candidates_chart(candidates: Sequence[Likely], words: Words) -> Chart:
    """Two bars for each candidate: its probability before and after."""
    both = {"before": words["before"], "after": words["after"]}
    rows = [
        {"line": f"{i}  {one.word}", "word": one.word, "pass": title, "probability": round(getattr(one, name), 6),
         "rank": getattr(one, f"rank_{name}")}
        for i, one in enumerate(candidates, 1)
        for name, title in both.items()
    ]  # fmt: skip
    base = marks(
        with_percents(rows, "probability", decimals=3),
        y=_tokens(),
        yOffset=alt.YOffset("pass:N", sort=list(both.values())),
        x=x_axis("probability:Q", words["probability"], **SHARE),
        tooltip=tips(words, "word:N", "pass:N", "probability_said:N", "rank:Q"),
        **series("pass:N", both.values(), legend(), color=[MIST, ORANGE]),
    )
    return chart(
        base.mark_bar(cornerRadiusEnd=3),
        description=words["candidates_description"],
        height=40 * len(candidates) + 60,
        width=EXPORTED,
        rows=lambda: [one._asdict() for one in candidates],
    )


def ranks_chart(
    strength: Sequence[float],
    effect: Sequence[float],
    kinds: Sequence[str],
    heads: Sequence[str],
    words: Words,
    colours: Mapping[str, str],
) -> Chart:
    """A dot for each head: attention along, effect up; `kinds` are titles with a colour each."""
    rows = [
        {"head": head, "kind": kind, "strength": round(s, 6), "effect": round(e, 6)}
        for head, kind, s, e in zip(heads, kinds, strength, effect, strict=True)
    ]
    above = legend()
    base = marks(
        rows,
        x=x_axis("strength:Q", words["strength"], {"domain": [0, 1]}),
        y=alt.Y("effect:Q", title=words["size"]),
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=list(colours)), legend=above),
        tooltip=[*tips(words, "head:N", "strength:Q"), tip("effect:Q", words["size"])],
        **series("kind:N", colours, above, color=colours.values()),
    )
    points = base.mark_point(filled=True, size=70, opacity=0.8)
    return chart(points, description=words["dots_description"], height=260, width=EXPORTED)


def _tokens() -> alt.Y:
    """An axis of tokens. Their data have the position in front, so that equal tokens stay apart; it is not shown."""
    return y_names("line:N", None, 170, labelOverlap=False, **BARE)
