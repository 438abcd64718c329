"""Energies of embeddings and positions, as altair charts. Plain numbers in, charts out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import numpy as np

from ..figures.chart import Chart
from ..vega import inline, layered

# Mid tones, to be read on a light and on a dark card; none is the colour of a kind of attention.
EMBEDDING, POSITION = "#8a9a1f", "#b0478c"
HOLDS, FAILS = "#3f8cc9", "#d9534a"
MUTED = "#7b828b"
DIAMOND, PLUS = "M0,-1.3L1.3,0L0,1.3L-1.3,0Z", "M-0.8,0L0.8,0M0,-0.8L0,0.8"  # apart even where they coincide
MARKS = {"claimed": DIAMOND, "computed": "circle", "measured": PLUS}
DOMAIN = (5e-5, 2e4)  # of all ratios, scaled and unscaled, so that scaling is seen to move the marks
LINE = 22  # pixels of a row
AROUND = 130  # pixels that axis and legend take from a height
LINES = {"scaled": "#3f8cc9", "xavier": "#d9534a", "normal": "#b08618", "small": "#7a7a82"}
DASHES = {"scaled": [1, 0], "xavier": [8, 3], "normal": [2, 3], "small": [10, 3, 2, 3]}


@dataclass(frozen=True)
class Case:
    """One init × vocabulary × d_model: three ratios E‖e‖² / ‖PE‖², the last None until it is measured."""

    init: str
    vocabulary: int
    d_model: int
    claimed: float
    computed: float
    measured: float | None
    holds: bool

    @property
    def line(self) -> str:
        """Its row in the chart."""
        return f"{self.init} {self.vocabulary} {self.d_model}"


def claim_chart(cases: Sequence[Case], scaled: bool, words: Mapping[str, str]) -> Chart:
    """A line per case under the name of its init, three marks of different shapes on it, 1 marked.

    A bar from the claimed to the computed ratio shows the error of the claim; a text states it.
    """
    lines = _lines(cases, words)
    y = alt.Y("line:O", sort=None, scale=alt.Scale(domain=list(lines)), axis=_names(lines))
    scale = alt.Scale(type="log", domain=DOMAIN, nice=False)
    x = alt.X("ratio:Q", title=words["ratio_sides"], scale=scale, axis=_decades())
    return Chart(
        layered(
            _equal(cases, x, y),
            _verdicts(cases, y, words),
            _misses(cases, y, words),
            _marks(cases, lines, y, words),
            description=words["claim_description"],
            height=LINE * len(lines) + AROUND,
            width="container",
            background="transparent",
        ),
        lambda: claim_rows(cases, scaled),
    )


def claim_rows(cases: Sequence[Case], scaled: bool) -> list[dict[str, object]]:
    """The table behind the chart."""
    return [
        {"init": c.init, "vocabulary": c.vocabulary, "d_model": c.d_model, "scaled": scaled, "claimed": c.claimed,
         "computed": c.computed, "measured": c.measured, "claim_holds": c.holds} for c in cases
    ]  # fmt: skip


def tokens_chart(
    tokens: Sequence[str], before: np.ndarray, after: np.ndarray, position: np.ndarray, words: Mapping[str, str]
) -> Chart:
    """A line per token: ‖e‖² before and after scaling, (T) each, beside ‖PE‖² (T), on a log axis.

    A token without a position, or one whose row is zero, has no mark of that kind.
    """
    kinds = {"before": before, "after": after, "position": position}
    labels = [f"{i}  {token}" for i, token in enumerate(tokens)]
    rows = [
        {"token": label, "kind": words[kind], "energy": _rounded(values[i])}
        for i, label in enumerate(labels)
        for kind, values in kinds.items()
        if values[i] > 0
    ]
    ways = [
        {"token": label, "from": _rounded(before[i]), "to": _rounded(after[i])}
        for i, label in enumerate(labels)
        if before[i] > 0
    ]
    names = alt.Axis(
        title=None, domain=False, ticks=False, labelLimit=110, labelFontSize=13, labelOverlap=False, labelFlush=False
    )
    y = alt.Y("token:N", sort=None, scale=alt.Scale(domain=labels), axis=names)
    way = alt.Chart(inline(ways)).mark_rule(color=EMBEDDING, strokeWidth=2, opacity=0.4)
    step = 22 if len(labels) <= 30 else 15
    return Chart(
        layered(
            way.encode(y=y, x=alt.X("from:Q", title=words["energy"]), x2=alt.X2("to:Q")),
            _energies(rows, [words[kind] for kind in kinds], y, words),
            description=words["tokens_description"],
            height=step * len(labels) + AROUND,
            width="container",
            background="transparent",
        ),
        lambda: tokens_rows(tokens, before, after, position),
    )


def _energies(
    rows: Sequence[Mapping[str, object]], kinds: Sequence[str], y: alt.Y, words: Mapping[str, str]
) -> alt.Chart:
    colours = alt.Scale(domain=kinds, range=[EMBEDDING, EMBEDDING, POSITION])
    shapes = alt.Scale(domain=kinds, range=["circle", "triangle-right", "square"])
    return (
        alt.Chart(inline(rows))
        .mark_point(filled=True, opacity=1, size=90)
        .encode(
            x=alt.X("energy:Q", title=words["energy"], scale=alt.Scale(type="log"), axis=_decades()),
            y=y,
            color=alt.Color("kind:N", scale=colours, legend=_legend()),
            shape=alt.Shape("kind:N", scale=shapes),
            tooltip=[_tip("token:N", words["token"]), _tip("kind:N", words["what"]), _tip("energy:Q", words["energy"])],
        )
    )


def tokens_rows(
    tokens: Sequence[str], before: np.ndarray, after: np.ndarray, position: np.ndarray
) -> list[dict[str, object]]:
    """The table behind the chart."""
    columns = zip(tokens, before.tolist(), after.tolist(), position.tolist(), strict=True)
    return [
        {"place": i, "token": token, "embedding": row, "embedding_scaled": scaled, "position": place}
        for i, (token, row, scaled, place) in enumerate(columns)
    ]


def vocabulary_chart(
    sizes: Sequence[int],
    curves: Mapping[str, Sequence[float]],
    d_model: int,
    crossing: float | None,
    words: Mapping[str, str],
) -> Chart:
    """Ratio over vocabulary size, both logarithmic, a line per init; at `crossing` words Xavier's is 1."""
    rows = [
        {"vocabulary": size, "ratio": _rounded(value), "init": words[init]}
        for init, values in curves.items()
        for size, value in zip(sizes, values, strict=True)
    ]
    names = [words[init] for init in curves]
    x = alt.X("vocabulary:Q", title=words["vocabulary"], scale=alt.Scale(type="log", nice=False), axis=_decades())
    y = alt.Y("ratio:Q", title=words["ratio"], scale=alt.Scale(type="log", domain=[5e-4, 5e3]), axis=_decades())
    colours = alt.Scale(domain=names, range=[LINES[init] for init in curves])
    dashes = alt.Scale(domain=names, range=[DASHES[init] for init in curves])
    tips = [("init:N", "init"), ("vocabulary:Q", "vocabulary"), ("ratio:Q", "ratio")]
    lines = (
        alt.Chart(inline(rows))
        .mark_line(strokeWidth=2.5)
        .encode(
            x=x,
            y=y,
            color=alt.Color("init:N", scale=colours, legend=_legend()),
            strokeDash=alt.StrokeDash("init:N", scale=dashes),
            tooltip=[_tip(field, words[name]) for field, name in tips],
        )
    )
    one = alt.Chart(inline([{"ratio": 1}])).mark_rule(color=MUTED, strokeDash=[4, 3], strokeWidth=1.5).encode(y=y)
    layers = [one, lines]
    if crossing is not None:
        text = words["crossing"].format(size=f"{crossing:,.0f}")
        spot = alt.Chart(inline([{"vocabulary": crossing, "ratio": 1, "text": text}]))
        layers += [
            spot.mark_point(filled=True, size=90, color=LINES["xavier"], opacity=1).encode(x=x, y=y),
            spot.mark_text(align="center", dy=-22, color=LINES["xavier"], fontSize=12).encode(
                x=x, y=y, text=alt.Text("text:N")
            ),
        ]
    return Chart(
        layered(
            *layers,
            description=words["vocabulary_description"],
            height=380,
            width="container",
            background="transparent",
        ),
        lambda: vocabulary_rows(sizes, curves, d_model),
    )


def vocabulary_rows(
    sizes: Sequence[int], curves: Mapping[str, Sequence[float]], d_model: int
) -> list[dict[str, object]]:
    """The table behind the chart."""
    return [
        {"init": init, "vocabulary": size, "d_model": d_model, "ratio": value}
        for init, values in curves.items()
        for size, value in zip(sizes, values, strict=True)
    ]


def drift_chart(
    steps: Sequence[int],
    before: Sequence[float],
    after: Sequence[float],
    position: Sequence[float],
    words: Mapping[str, str],
) -> Chart:
    """The three energies over the steps of a training run: square-root axis for steps, log axis for energies.

    An energy of 0, as the position's in a model without, has no mark.
    """
    kinds = {"before": before, "after": after, "position": position}
    rows = [
        {"step": step, "kind": words[kind], "energy": _rounded(value)}
        for kind, values in kinds.items()
        for step, value in zip(steps, values, strict=True)
        if value > 0
    ]
    names = [words[kind] for kind in kinds]
    colours = alt.Scale(domain=names, range=[EMBEDDING, EMBEDDING, POSITION])
    shapes = alt.Scale(domain=names, range=["circle", "triangle-right", "square"])
    axis = alt.Axis(format=",d", tickCount=5, labelOverlap="greedy", grid=False)
    x = alt.X("step:Q", title=words["step"], scale=alt.Scale(type="sqrt", nice=False), axis=axis)
    y = alt.Y("energy:Q", title=words["energy"], scale=alt.Scale(type="log"), axis=_decades())
    base = alt.Chart(inline(rows)).encode(x=x, y=y, color=alt.Color("kind:N", scale=colours, legend=_legend()))
    tips = [("kind:N", "what"), ("step:Q", "step"), ("energy:Q", "energy")]
    return Chart(
        layered(
            base.mark_line(strokeWidth=2, opacity=0.6),
            base.mark_point(filled=True, opacity=1, size=90).encode(
                shape=alt.Shape("kind:N", scale=shapes),
                tooltip=[_tip(field, words[name]) for field, name in tips],
            ),
            description=words["drift_description"],
            height=340,
            width="container",
            background="transparent",
        ),
        lambda: drift_rows(steps, before, after, position),
    )


def drift_rows(
    steps: Sequence[int], before: Sequence[float], after: Sequence[float], position: Sequence[float]
) -> list[dict[str, object]]:
    """The table behind the chart."""
    columns = zip(steps, before, after, position, strict=True)
    return [
        {"step": step, "embedding": row, "embedding_scaled": scaled, "position": place}
        for step, row, scaled, place in columns
    ]


def _lines(cases: Sequence[Case], words: Mapping[str, str]) -> dict[str, str]:
    """The names of the rows in the data: each init, then its cases."""
    lines: dict[str, str] = {}
    for case in cases:
        lines.setdefault(case.init, words[case.init])
        lines[case.line] = words["case"].format(vocabulary=f"{case.vocabulary:,}", d_model=case.d_model)
    return lines


def _names(lines: Mapping[str, str]) -> alt.Axis:
    """The names of the rows, those of inits bold."""
    is_init = alt.FieldOneOfPredicate("value", list(LINES))
    bold = {"condition": {"test": is_init, "value": "bold"}, "value": "normal"}
    titles = f"{json.dumps(lines, ensure_ascii=False)}[datum.value]"
    return alt.Axis(
        title=None,
        domain=False,
        ticks=False,
        grid=False,
        labelLimit=170,
        labelOverlap=False,
        labelFlush=False,
        labelFontSize=13,
        labelFontWeight=bold,
        labelExpr=titles,
    )


def _equal(cases: Sequence[Case], x: alt.X, y: alt.Y) -> alt.Chart:
    """The line of ratio 1: left of it the position is stronger, right of it the word. It spares the verdicts."""
    rows = [{"line": case.line, "ratio": 1} for case in cases]
    return alt.Chart(inline(rows)).mark_tick(color=MUTED, orient="vertical", size=14, thickness=1.5).encode(x=x, y=y)


def _verdicts(cases: Sequence[Case], y: alt.Y, words: Mapping[str, str]) -> alt.Chart:
    """Beside the name of each init, whether the claim holds."""
    rows = []
    for init in dict.fromkeys(case.init for case in cases):
        own = [case for case in cases if case.init == init]
        factor = max(max(case.computed / case.claimed, case.claimed / case.computed) for case in own)
        holds = all(case.holds for case in own)
        text = words["holds"] if holds else words["fails"].format(factor=f"{factor:.3g}")
        rows.append({"line": init, "text": text, "holds": holds})
    return (
        alt.Chart(inline(rows))
        .mark_text(align="left", fontSize=12, fontWeight="bold")
        .encode(x=alt.XValue(4), y=y, text=alt.Text("text:N"), color=_verdict())
    )


def _misses(cases: Sequence[Case], y: alt.Y, words: Mapping[str, str]) -> alt.Chart:
    rows = [
        {"line": case.line, "claimed": case.claimed, "computed": case.computed, "holds": case.holds} for case in cases
    ]
    return (
        alt.Chart(inline(rows))
        .mark_rule(strokeWidth=3, opacity=0.35)
        .encode(y=y, x=alt.X("claimed:Q", title=words["ratio_sides"]), x2=alt.X2("computed:Q"), color=_verdict())
    )


def _marks(cases: Sequence[Case], lines: Mapping[str, str], y: alt.Y, words: Mapping[str, str]) -> alt.Chart:
    rows = [
        {
            "line": case.line,
            "init": words[case.init],
            "table": lines[case.line],
            "kind": words[kind],
            "ratio": _rounded(value),
            "holds": case.holds,
        }
        for case in cases
        for kind in MARKS
        if (value := getattr(case, kind)) is not None
    ]
    kinds = [words[kind] for kind in MARKS]
    shapes = alt.Scale(domain=kinds, range=list(MARKS.values()))
    tips = [("init:N", "init"), ("table:N", "table"), ("kind:N", "what"), ("ratio:Q", "ratio")]
    return (
        alt.Chart(inline(rows))
        .mark_point(filled=False, strokeWidth=2, opacity=1, size=90)
        .encode(
            x=alt.X("ratio:Q", title=words["ratio_sides"]),
            y=y,
            color=_verdict(),
            shape=alt.Shape("kind:N", scale=shapes, legend=_legend()),
            tooltip=[_tip(field, words[name]) for field, name in tips],
        )
    )


def _verdict() -> alt.Color:
    return alt.Color("holds:N", scale=alt.Scale(domain=[True, False], range=[HOLDS, FAILS]), legend=None)


def _decades() -> alt.Axis:
    return alt.Axis(format=",~r", labelOverlap="greedy", grid=True, gridOpacity=0.25, tickCount=6)


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", columns=1, labelLimit=260, symbolSize=110, symbolStrokeWidth=2)


def _tip(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(field, title=title)


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
