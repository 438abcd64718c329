"""Decoding as altair charts: candidates, trees of outputs, what the cache saves, how surprised the model was."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import e
from typing import Any

import altair as alt

from ..figures.chart import Chart
from ..numbers import significant
from ..palette import CHIP, FINAL, KIND, MIST, MUTED, ORANGE, OWN, VIOLET
from ..vega import layered, with_percents
from .marks import bars, chart, marks
from .style import BARE, OWN_COLOUR, SHARE, Row, Words, legend, series, tip, tips, x_axis, y_names

FINISHED = KIND["encoder"]["light"]
GROUNDS = {
    "kept": CHIP, "view": VIOLET, "forced": FINAL, "forced_view": FINAL,  # outputs branched
    "best": FINAL, "live": VIOLET, "finished": FINISHED, "dropped": CHIP,  # a beam
}  # fmt: skip
# a state is never colour alone: under a forced word stands that it is
MARKS = {
    "kept": "", "view": "★ ", "forced": "", "forced_view": "★ ", "best": "★ ", "live": "", "finished": "■ ",
    "dropped": "✕ ",
}  # fmt: skip
CELL = (96, 40)  # px of a place in a tree: a step, a row
AXIS = 84  # px above a tree for its steps
FONT = 12


@dataclass(frozen=True)
class Bar:
    """A candidate: its token, its probability, and that after temperature, top-k and top-p (None if greedy)."""

    word: str
    probability: float
    drawn: float | None
    chosen: bool


@dataclass(frozen=True)
class TreeNode:
    """A token in a tree: its position, the text under it, and the index of its parent in the list of nodes."""

    step: int
    row: int
    word: str
    below: str
    state: str  # of GROUNDS
    parent: int | None


@dataclass(frozen=True)
class Surprise:
    """A given token: its log-probabilities in nats after the given words, and after the model's own
    (None past its end).

    best, best_log_probability are the model's own choice after the given words.
    """

    token: str
    rank: int
    forced: float
    own: float | None
    best: str
    best_log_probability: float


def candidates_chart(candidates: Sequence[Bar], words: Words) -> Chart:
    """A bar for each candidate, likeliest first; a frame for the probability that it is drawn with."""
    rows = [
        {**row, "line": _named(n, bar) if n < len(candidates) else bar.word, "colour": OWN if bar.chosen else MIST}
        for n, (row, bar) in enumerate(zip(candidates_rows(candidates), candidates, strict=True), 1)
    ]
    drawn = ["drawn_said:N"] if any(bar.drawn is not None for bar in candidates) else []
    base = marks(
        with_percents(rows, "probability", "drawn"),
        y=_names("line:N"),
        tooltip=tips(words, "word:N", "probability_said:N", *drawn),
    )
    layers = [bars(base, x=x_axis("probability:Q", words["probability"], **SHARE), color=OWN_COLOUR)]
    if drawn:
        frame = base.mark_bar(filled=False, stroke=ORANGE, strokeWidth=2, height=20, cornerRadiusEnd=3)
        layers.append(frame.encode(x=x_axis("drawn:Q", words["probability"])))
    return chart(
        layered(*layers),
        description=words["candidates_description"],
        height=26 * len(rows) + 80,
        rows=lambda: candidates_rows(candidates),
    )


def _named(number: int, bar: Bar) -> str:
    return f"{number}  {bar.word}{' ✓' * bar.chosen}"


def candidates_rows(candidates: Sequence[Bar]) -> list[Row]:
    """Every candidate with its probabilities; the last is all others together."""
    return [
        {"word": bar.word, "probability": _round(bar.probability), "chosen": bar.chosen}
        | ({} if bar.drawn is None else {"drawn": _round(bar.drawn)})
        for bar in candidates
    ]


def tree_chart(nodes: Sequence[TreeNode], words: Words, description: str) -> Chart:
    """The tree: tokens as boxes, steps to the right, each joined to its parent. The chart has a fixed width."""
    rows = [
        {"node": n, "step": node.step, "row": node.row, "word": node.word, "shown": MARKS[node.state] + node.word,
         "below": node.below, "state": words[node.state], "parent": node.parent, "ground": GROUNDS[node.state]}
        for n, node in enumerate(nodes)
    ]  # fmt: skip
    steps, lines = max(node.step for node in nodes) + 1, max(node.row for node in nodes) + 1
    along = alt.Axis(orient="top", labelAngle=0, **BARE)
    grid: dict[str, Any] = {
        "x": alt.X("step:O", title=words["step"], scale=alt.Scale(domain=list(range(steps))), axis=along),
        "y": alt.Y("row:O", title=None, scale=alt.Scale(domain=list(range(lines))), axis=None),
    }
    base = marks(rows, **grid, tooltip=tips(words, "word:N", "below:N", "step:N", "state:N"))
    text: dict[str, Any] = {"color": "white", "limit": CELL[0] - 20}
    boxes = base.mark_rect(cornerRadius=7, width=CELL[0] - 14, height=CELL[1] - 6)
    figure = layered(
        _joins(nodes).encode(**grid),
        boxes.encode(color=alt.Color("ground:N", scale=None)),
        base.mark_text(**text, dy=-7, fontSize=FONT + 1, fontWeight=600).encode(text=alt.Text("shown:N")),
        base.mark_text(**text, dy=9, fontSize=FONT).encode(text=alt.Text("below:N")),
    ).configure_view(stroke=None)
    height = CELL[1] * lines + AXIS
    return chart(figure, description=description, height=height, width=CELL[0] * steps, rows=rows)


def _joins(nodes: Sequence[TreeNode]) -> alt.Chart:
    ends = [
        {"line": n, "order": order, "step": end.step, "row": end.row, "faint": node.state == "dropped"}
        for n, node in enumerate(nodes)
        if node.parent is not None
        for order, end in enumerate((nodes[node.parent], node))
    ]
    opacity = alt.OpacityValue(0.9, condition={"test": "datum.faint", "value": 0.35})
    base = marks(ends, detail=alt.Detail("line:N"), order=alt.Order("order:Q"), opacity=opacity)
    return base.mark_line(color=MUTED, strokeWidth=2)


def work_chart(
    names: Sequence[str], with_cache: Sequence[int], without: Sequence[int], step: int, words: Words
) -> Chart:
    """Multiplications of each step, computed anew and with the cache; the chosen step framed."""
    rows = [
        {"step": name, "cached": one, "without": other}
        for name, one, other in zip(names, with_cache, without, strict=True)
    ]
    y, kinds = _names("step:N", names), [words["without"], words["cached"]]
    base = marks(
        [
            {"step": row["step"], "kind": words[kind], "count": row[kind]}
            for row in rows
            for kind in ("without", "cached")
        ],
        y=y,
        yOffset=alt.YOffset("kind:N", sort=kinds),
        x=x_axis("count:Q", words["count"], format="~s", tickCount=4),
        tooltip=tips(words, "step:N", "kind:N", "count:Q ,"),
        **series("kind:N", kinds, legend(columns=1, labelLimit=300), color=[MIST, OWN]),
    )
    frame = marks([{"step": names[step]}], y=y)
    return chart(
        base.mark_bar(height=8, cornerRadiusEnd=2),
        frame.mark_rect(filled=False, stroke=MUTED, strokeWidth=1.5, cornerRadius=4),
        description=words["work_description"],
        height=28 * len(rows) + 140,
        rows=rows,
    )


def surprise_chart(tokens: Sequence[Surprise], words: Words) -> Chart:
    """−log p of each given token: a bar after the given words, a diamond after the model's own."""
    rows = [
        {
            "token": token.token,
            "log_probability": _round(token.forced),
            "probability": _round(e**token.forced),
            "rank": token.rank,
            "best": token.best,
            "best_probability": _round(e**token.best_log_probability),
            "log_probability_own_words": None if token.own is None else _round(token.own),
        }
        for token in tokens
    ]
    # a word the model would have written otherwise is named beside its bar: not by colour alone
    drawn: list[Row] = [
        {**row, "line": f"{n}  {row['token']}", "surprise": _round(-token.forced),
         "colour": OWN if token.rank == 1 else ORANGE, "note": "" if token.rank == 1 else f"#{token.rank}"}
        for n, (row, token) in enumerate(zip(rows, tokens, strict=True))
    ]  # fmt: skip
    own = [
        {"line": f"{n}  {token.token}", "token": token.token, "surprise_own": _round(-token.own)}
        for n, token in enumerate(tokens)
        if token.own is not None
    ]
    y = _names("line:N", [row["line"] for row in drawn])
    chances = tips(words, "probability_said:N", "best_probability_said:N")
    base = marks(
        with_percents(drawn, "probability", "best_probability"),
        y=y,
        x=x_axis("surprise:Q", words["surprise"], {"domainMin": 0}),
        tooltip=[*tips(words, "token:N", "rank:N"), tip("best:N", words["model_choice"]), *chances],
    )
    notes = base.mark_text(align="left", dx=5, color=ORANGE, fontSize=FONT, fontWeight=600)
    diamonds = marks(own, y=y, x=alt.X("surprise_own:Q"), tooltip=tips(words, "token:N", "surprise_own:Q"))
    return chart(
        bars(base, color=OWN_COLOUR),
        notes.encode(text=alt.Text("note:N")),
        diamonds.mark_point(shape="diamond", size=80, filled=False, color=MUTED, opacity=1, strokeWidth=2),
        description=words["surprise_description"],
        height=26 * len(rows) + 80,
        rows=rows,
    )


def _names(field: str, names: Sequence[str] | None = None) -> alt.Y:
    """The names of the bars, in the order given or as the rows come."""
    scale = None if names is None else {"domain": list(names)}
    return y_names(field, None, 130, scale, labelOverlap=False, **BARE)


def _round(value: float) -> float:
    """Seven significant digits: a probability of nearly 1 does not become 1."""
    return significant(value, 7)
