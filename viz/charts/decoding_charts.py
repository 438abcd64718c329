"""Decoding as altair charts: candidates, trees of outputs, what the cache saves, how surprised the model was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from ..figures.chart import Chart
from ..vega import finished, inline, layered, with_percents

# Mid tones, to be read on a light and on a dark card.
OWN, OTHER, SECOND = "#7a5bd0", "#8a9099", "#c8551b"
MUTED = "#868d96"
GROUNDS = {
    "kept": "#5f6670", "view": "#6d4bc3", "forced": "#b84a13", "forced_view": "#b84a13",  # outputs forked
    "best": "#b84a13", "live": "#6d4bc3", "finished": "#0b7a75", "dropped": "#5f6670",  # a beam
}  # fmt: skip
# a state is never colour alone: under a forced word stands that it is
MARKS = {
    "kept": "", "view": "★ ", "forced": "", "forced_view": "★ ", "best": "★ ", "live": "", "finished": "■ ",
    "dropped": "✕ ",
}  # fmt: skip
CELL = (96, 40)  # px of a place in a tree: a step, a row
AXIS = 84  # px above a tree for its steps
FONT = 12
Words = Mapping[str, str]
Figure = alt.Chart | alt.LayerChart


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


def candidates_chart(bars: Sequence[Bar], words: Words) -> Chart:
    """A bar for each candidate, likeliest first; a frame for the probability that it is drawn with."""
    rows = [
        {**row, "line": _named(n, bar) if n < len(bars) else bar.word, "colour": OWN if bar.chosen else OTHER}
        for n, (row, bar) in enumerate(zip(candidates_rows(bars), bars, strict=True), 1)
    ]
    y = alt.Y("line:N", sort=None, title=None, axis=_words_axis())
    x = alt.X("probability:Q", title=words["probability"], scale=alt.Scale(domain=[0, 1]), axis=_percent())
    tips = [_tip("word:N", words["word"]), _tip("probability_said:N", words["probability"])]
    is_sampled = any(bar.drawn is not None for bar in bars)
    if is_sampled:
        tips.append(_tip("drawn_said:N", words["drawn"]))
    base = alt.Chart(inline(with_percents(rows, "probability", "drawn"))).encode(y=y, tooltip=tips)
    layers = [
        base.mark_bar(cornerRadiusEnd=3, height=14).encode(x=x, color=alt.Color("colour:N", scale=None)),
    ]
    if is_sampled:
        frame = base.mark_bar(filled=False, stroke=SECOND, strokeWidth=2, height=20, cornerRadiusEnd=3)
        layers.append(frame.encode(x=alt.X("drawn:Q", title=words["probability"])))
    return Chart(
        finished(layered(*layers), words["candidates_description"], 26 * len(rows) + 80, "container"),
        lambda: candidates_rows(bars),
    )


def _named(number: int, bar: Bar) -> str:
    return f"{number}  {bar.word}{' ✓' * bar.chosen}"


def candidates_rows(bars: Sequence[Bar]) -> list[dict[str, object]]:
    """Every candidate with its probabilities; the last is all others together."""
    return [
        {"word": bar.word, "probability": _round(bar.probability), "chosen": bar.chosen}
        | ({} if bar.drawn is None else {"drawn": _round(bar.drawn)})
        for bar in bars
    ]


def tree_chart(nodes: Sequence[TreeNode], words: Words, description: str) -> Chart:
    """The tree: tokens as boxes, steps to the right, each joined to its parent. The chart has a fixed width."""
    rows = [{**row, "ground": GROUNDS[str(row["state"])]} for row in tree_rows(nodes)]
    steps, lines = max(node.step for node in nodes) + 1, max(node.row for node in nodes) + 1
    step, line = list(range(steps)), list(range(lines))
    x = alt.X("step:O", title=words["step"], scale=alt.Scale(domain=step), axis=_steps())
    y = alt.Y("row:O", title=None, scale=alt.Scale(domain=line), axis=None)
    tips = [_tip(f"{name}:N", words[name]) for name in ("word", "below", "step", "state")]
    rows_with_state = [{**row, "state": words[str(row["state"])]} for row in rows]
    chips = alt.Chart(inline(rows_with_state)).encode(x=x, y=y, tooltip=tips)
    figure = layered(
        _joins(nodes).encode(x=x, y=y),
        chips.mark_rect(cornerRadius=7, width=CELL[0] - 14, height=CELL[1] - 6).encode(
            color=alt.Color("ground:N", scale=None)
        ),
        chips.mark_text(color="white", dy=-7, fontSize=FONT + 1, fontWeight=600, limit=CELL[0] - 20).encode(
            text=alt.Text("shown:N")
        ),
        chips.mark_text(color="white", dy=9, fontSize=FONT, limit=CELL[0] - 20).encode(text=alt.Text("below:N")),
    )
    return Chart(
        figure.properties(
            description=description, width=CELL[0] * steps, height=CELL[1] * lines + AXIS, background="transparent"
        ).configure_view(stroke=None),
        lambda: rows_with_state,
    )


def tree_rows(nodes: Sequence[TreeNode]) -> list[dict[str, object]]:
    """Every token of the tree, with the number of the one before it."""
    return [
        {"node": n, "step": node.step, "row": node.row, "word": node.word, "shown": MARKS[node.state] + node.word,
         "below": node.below, "state": node.state, "parent": node.parent}
        for n, node in enumerate(nodes)
    ]  # fmt: skip


def _joins(nodes: Sequence[TreeNode]) -> alt.Chart:
    ends = []
    for n, node in enumerate(nodes):
        if node.parent is None:
            continue
        before = nodes[node.parent]
        faint = node.state == "dropped"
        for order, end in enumerate((before, node)):
            ends.append({"line": n, "order": order, "step": end.step, "row": end.row, "faint": faint})
    return (
        alt.Chart(inline(ends))
        .mark_line(color=MUTED, strokeWidth=2)
        .encode(
            detail=alt.Detail("line:N"),
            order=alt.Order("order:Q"),
            opacity=alt.OpacityValue(0.9, condition={"test": "datum.faint", "value": 0.35}),
        )
    )


def work_chart(
    names: Sequence[str], with_cache: Sequence[int], without: Sequence[int], step: int, words: Words
) -> Chart:
    """Multiplications of each step, computed anew and with the cache; the chosen step framed."""
    rows = work_rows(names, with_cache, without)
    steps = [
        {"step": row["step"], "kind": words[kind], "count": row[kind]} for row in rows for kind in ("without", "cached")
    ]
    domain = [str(row["step"]) for row in rows]
    y = alt.Y("step:N", sort=None, scale=alt.Scale(domain=domain), title=None, axis=_words_axis())
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=[words["without"], words["cached"]], range=[OTHER, OWN]),
        legend=alt.Legend(title=None, orient="top", columns=1, labelLimit=300),
    )
    bars = (
        alt.Chart(inline(steps))
        .mark_bar(height=8, cornerRadiusEnd=2)
        .encode(
            y=y,
            yOffset=alt.YOffset("kind:N", sort=[words["without"], words["cached"]]),
            x=alt.X("count:Q", title=words["count"], axis=alt.Axis(format="~s", tickCount=4)),
            color=colour,
            tooltip=[
                _tip("step:N", words["step"]),
                _tip("kind:N", words["kind"]),
                alt.Tooltip("count:Q", title=words["count"], format=","),
            ],
        )
    )
    frame = (
        alt.Chart(inline([{"step": domain[step]}]))
        .mark_rect(filled=False, stroke=MUTED, strokeWidth=1.5, cornerRadius=4)
        .encode(y=y)
    )
    return Chart(
        finished(layered(bars, frame), words["work_description"], 28 * len(rows) + 140, "container"),
        lambda: work_rows(names, with_cache, without),
    )


def work_rows(names: Sequence[str], with_cache: Sequence[int], without: Sequence[int]) -> list[dict[str, object]]:
    """Multiplications of every step."""
    return [
        {"step": name, "cached": one, "without": other}
        for name, one, other in zip(names, with_cache, without, strict=True)
    ]


def surprise_chart(tokens: Sequence[Surprise], words: Words) -> Chart:
    """−log p of each given token: a bar after the given words, a diamond after the model's own."""
    rows = [
        {**row, "line": f"{n}  {token.token}", "surprise": _round(-token.forced),
         "colour": OWN if token.rank == 1 else SECOND}
        for n, (row, token) in enumerate(zip(surprise_rows(tokens), tokens, strict=True))
    ]  # fmt: skip
    own = [
        {"line": f"{n}  {token.token}", "token": token.token, "surprise_own": _round(-token.own)}
        for n, token in enumerate(tokens)
        if token.own is not None
    ]
    # a word the model would have written otherwise is named beside its bar: not by colour alone
    for row, token in zip(rows, tokens, strict=True):
        row["note"] = "" if token.rank == 1 else f"#{token.rank}"
    y = alt.Y(
        "line:N", sort=None, scale=alt.Scale(domain=[str(row["line"]) for row in rows]), title=None, axis=_words_axis()
    )
    x = alt.X("surprise:Q", title=words["surprise"], scale=alt.Scale(domainMin=0))
    tips = [_tip("token:N", words["token"]), _tip("rank:N", words["rank"]), _tip("best:N", words["model_choice"])]
    tips += [
        _tip("probability_said:N", words["probability"]),
        _tip("best_probability_said:N", words["best_probability"]),
    ]
    base = alt.Chart(inline(with_percents(rows, "probability", "best_probability"))).encode(y=y, x=x, tooltip=tips)
    layers = [
        base.mark_bar(height=14, cornerRadiusEnd=3).encode(color=alt.Color("colour:N", scale=None)),
        base.mark_text(align="left", dx=5, color=SECOND, fontSize=FONT, fontWeight=600).encode(text=alt.Text("note:N")),
        alt.Chart(inline(own))
        .mark_point(shape="diamond", size=80, filled=False, color=MUTED, opacity=1, strokeWidth=2)
        .encode(
            y=y,
            x=alt.X("surprise_own:Q"),
            tooltip=[_tip("token:N", words["token"]), _tip("surprise_own:Q", words["surprise_own"])],
        ),
    ]
    return Chart(
        finished(layered(*layers), words["surprise_description"], 26 * len(rows) + 80, "container"),
        lambda: surprise_rows(tokens),
    )


def surprise_rows(tokens: Sequence[Surprise]) -> list[dict[str, object]]:
    """Every given token with its numbers; log-probabilities in nats."""
    return [
        {
            "token": token.token,
            "log_probability": _round(token.forced),
            "probability": _round(2.718281828459045**token.forced),
            "rank": token.rank,
            "best": token.best,
            "best_probability": _round(2.718281828459045**token.best_log_probability),
            "log_probability_own_words": None if token.own is None else _round(token.own),
        }
        for token in tokens
    ]


def _words_axis() -> alt.Axis:
    return alt.Axis(labelLimit=130, labelOverlap=False, ticks=False, domain=False)


def _steps() -> alt.Axis:
    return alt.Axis(orient="top", labelAngle=0, ticks=False, domain=False)


def _percent() -> alt.Axis:
    return alt.Axis(format=".0%", tickCount=5)


def _tip(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(field, title=title)


def _round(value: float) -> float:
    """Seven significant digits: a probability of nearly 1 does not become 1."""
    return float(f"{value:.7g}")
