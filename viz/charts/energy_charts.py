"""Energies of embeddings and positions, as altair charts. Plain numbers in, charts out."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from ..figures.chart import Chart
from ..numbers import significant
from ..palette import ASH, FAILS, GOLD, HOLDS, MAGENTA, OLIVE, STONE
from .marks import chart, dots, marks, rule
from .style import BARE, WHOLE, Words, legend, series, tip, tips, x_axis, y_axis

# none is the colour of a kind of attention; the shapes of the marks are apart even where they coincide
DIAMOND, PLUS = "M0,-1.3L1.3,0L0,1.3L-1.3,0Z", "M-0.8,0L0.8,0M0,-0.8L0,0.8"
MARKS = {"claimed": DIAMOND, "computed": "circle", "measured": PLUS}
COLOURS, SHAPES = [OLIVE, OLIVE, MAGENTA], ["circle", "triangle-right", "square"]  # before, after, position
DOMAIN = (5e-5, 2e4)  # of all ratios, scaled and unscaled, so that scaling is seen to move the marks
LINE = 22  # pixels of a row
AROUND = 130  # pixels that axis and legend take from a height
LINES = {"scaled": HOLDS, "xavier": FAILS, "normal": GOLD, "small": ASH}
DASHES = {"scaled": [1, 0], "xavier": [8, 3], "normal": [2, 3], "small": [10, 3, 2, 3]}
DECADES: dict[str, Any] = {"format": ",~r", "labelOverlap": "greedy", "grid": True, "gridOpacity": 0.25, "tickCount": 6}
LEGEND = {"columns": 1, "labelLimit": 260, "symbolSize": 110, "symbolStrokeWidth": 2}
VERDICT = alt.Color("holds:N", scale=alt.Scale(domain=[True, False], range=[HOLDS, FAILS]), legend=None)


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


def claim_chart(cases: Sequence[Case], scaled: bool, words: Words) -> Chart:
    """A line per case under the name of its init, three marks of different shapes on it, 1 marked.

    A bar from the claimed to the computed ratio shows the error of the claim; a text states it.
    """
    lines: dict[str, str] = {}  # the names of the rows in the data: each init, then its cases
    for case in cases:
        lines.setdefault(case.init, words[case.init])
        lines[case.line] = words["case"].format(vocabulary=f"{case.vocabulary:,}", d_model=case.d_model)
    y = alt.Y("line:O", sort=None, scale=alt.Scale(domain=list(lines)), axis=_names(lines))
    title = words["ratio_sides"]
    # the line of ratio 1: left of it the position is stronger, right of it the word. It spares the verdicts
    one = marks(
        [{"line": case.line, "ratio": 1} for case in cases],
        x=x_axis("ratio:Q", title, {"type": "log", "domain": DOMAIN, "nice": False}, **DECADES),
        y=y,
    )
    misses = marks(
        [{"line": c.line, "claimed": c.claimed, "computed": c.computed, "holds": c.holds} for c in cases],
        y=y,
        x=x_axis("claimed:Q", title),
        x2=alt.X2("computed:Q"),
        color=VERDICT,
    )
    return chart(
        one.mark_tick(color=STONE, orient="vertical", size=14, thickness=1.5),
        _verdicts(cases, y, words),
        misses.mark_rule(strokeWidth=3, opacity=0.35),
        _marks(cases, lines, y, words),
        description=words["claim_description"],
        height=LINE * len(lines) + AROUND,
        rows=lambda: [
            {"init": c.init, "vocabulary": c.vocabulary, "d_model": c.d_model, "scaled": scaled, "claimed": c.claimed,
             "computed": c.computed, "measured": c.measured, "claim_holds": c.holds} for c in cases
        ],
    )  # fmt: skip


def tokens_chart(
    tokens: Sequence[str], before: np.ndarray, after: np.ndarray, position: np.ndarray, words: Words
) -> Chart:
    """A line per token: ‖e‖² before and after scaling, (T) each, beside ‖PE‖² (T), on a log axis.

    A token without a position, or one whose row is zero, has no mark of that kind.
    """
    kinds = {"before": before, "after": after, "position": position}
    names, labels = [words[kind] for kind in kinds], [f"{i}  {token}" for i, token in enumerate(tokens)]
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
    axis = alt.Axis(title=None, labelLimit=110, labelFontSize=13, **BARE, **WHOLE)
    y = alt.Y("token:N", sort=None, scale=alt.Scale(domain=labels), axis=axis)
    way = marks(ways, y=y, x=x_axis("from:Q", words["energy"]), x2=alt.X2("to:Q"))
    energies = marks(
        rows,
        x=x_axis("energy:Q", words["energy"], {"type": "log"}, **DECADES),
        y=y,
        tooltip=[*tips(words, "token:N"), tip("kind:N", words["what"]), *tips(words, "energy:Q")],
        **series("kind:N", names, legend(**LEGEND), color=COLOURS),
        **series("kind:N", names, shape=SHAPES),
    )
    return chart(
        way.mark_rule(color=OLIVE, strokeWidth=2, opacity=0.4),
        dots(energies),
        description=words["tokens_description"],
        height=(22 if len(labels) <= 30 else 15) * len(labels) + AROUND,
        rows=lambda: [
            {"place": i, "token": token, "embedding": row, "embedding_scaled": scaled, "position": place}
            for i, (token, row, scaled, place) in enumerate(
                zip(tokens, before.tolist(), after.tolist(), position.tolist(), strict=True)
            )
        ],
    )


def vocabulary_chart(
    sizes: Sequence[int], curves: Mapping[str, Sequence[float]], d_model: int, crossing: float | None, words: Words
) -> Chart:
    """Ratio over vocabulary size, both logarithmic, a line per init; at `crossing` words Xavier's is 1."""
    points = [(init, size, value) for init, values in curves.items() for size, value in zip(sizes, values, strict=True)]
    names = [words[init] for init in curves]
    x = x_axis("vocabulary:Q", words["vocabulary"], {"type": "log", "nice": False}, **DECADES)
    y = y_axis("ratio:Q", words["ratio"], {"type": "log", "domain": [5e-4, 5e3]}, **DECADES)
    lines = marks(
        [{"vocabulary": size, "ratio": _rounded(value), "init": words[init]} for init, size, value in points],
        x=x,
        y=y,
        tooltip=tips(words, "init:N", "vocabulary:Q", "ratio:Q"),
        **series("init:N", names, legend(**LEGEND), color=[LINES[init] for init in curves]),
        **series("init:N", names, strokeDash=[DASHES[init] for init in curves]),
    )
    one = rule("y", "ratio", 1, strokeDash=[4, 3], strokeWidth=1.5)
    layers = [one.encode(y=y), lines.mark_line(strokeWidth=2.5)]
    if crossing is not None:
        text = words["crossing"].format(size=f"{crossing:,.0f}")
        spot = marks([{"vocabulary": crossing, "ratio": 1, "text": text}], x=x, y=y)
        name = spot.mark_text(align="center", dy=-22, color=LINES["xavier"], fontSize=12)
        layers += [dots(spot, tone=LINES["xavier"]), name.encode(text=alt.Text("text:N"))]
    return chart(
        *layers,
        description=words["vocabulary_description"],
        height=380,
        rows=lambda: [
            {"init": init, "vocabulary": size, "d_model": d_model, "ratio": value} for init, size, value in points
        ],
    )


def drift_chart(
    steps: Sequence[int], before: Sequence[float], after: Sequence[float], position: Sequence[float], words: Words
) -> Chart:
    """The three energies over the steps of a training run: square-root axis for steps, log axis for energies.

    An energy of 0, as the position's in a model without, has no mark.
    """
    kinds = {"before": before, "after": after, "position": position}
    names = [words[kind] for kind in kinds]
    rows = [
        {"step": step, "kind": words[kind], "energy": _rounded(value)}
        for kind, values in kinds.items()
        for step, value in zip(steps, values, strict=True)
        if value > 0
    ]
    scale = {"type": "sqrt", "nice": False}
    base = marks(
        rows,
        x=x_axis("step:Q", words["step"], scale, format=",d", tickCount=5, labelOverlap="greedy", grid=False),
        y=y_axis("energy:Q", words["energy"], {"type": "log"}, **DECADES),
        **series("kind:N", names, legend(**LEGEND), color=COLOURS),
    )
    tooltip = [tip("kind:N", words["what"]), *tips(words, "step:Q", "energy:Q")]
    return chart(
        base.mark_line(strokeWidth=2, opacity=0.6),
        dots(base, **series("kind:N", names, shape=SHAPES), tooltip=tooltip),
        description=words["drift_description"],
        height=340,
        rows=lambda: [
            {"step": step, "embedding": row, "embedding_scaled": scaled, "position": place}
            for step, row, scaled, place in zip(steps, before, after, position, strict=True)
        ],
    )


def _names(lines: Mapping[str, str]) -> alt.Axis:
    """The names of the rows, those of inits bold."""
    is_init = alt.FieldOneOfPredicate("value", list(LINES))
    return alt.Axis(
        title=None,
        grid=False,
        labelLimit=170,
        labelFontSize=13,
        labelFontWeight={"condition": {"test": is_init, "value": "bold"}, "value": "normal"},
        labelExpr=f"{json.dumps(lines, ensure_ascii=False)}[datum.value]",
        **BARE,
        **WHOLE,
    )


def _verdicts(cases: Sequence[Case], y: alt.Y, words: Words) -> alt.Chart:
    """Beside the name of each init, whether the claim holds."""
    rows = []
    for init in dict.fromkeys(case.init for case in cases):
        own = [case for case in cases if case.init == init]
        factor = max(max(case.computed / case.claimed, case.claimed / case.computed) for case in own)
        holds = all(case.holds for case in own)
        text = words["holds"] if holds else words["fails"].format(factor=f"{factor:.3g}")
        rows.append({"line": init, "text": text, "holds": holds})
    base = marks(rows, x=alt.XValue(4), y=y, text=alt.Text("text:N"), color=VERDICT)
    return base.mark_text(align="left", fontSize=12, fontWeight="bold")


def _marks(cases: Sequence[Case], lines: Mapping[str, str], y: alt.Y, words: Words) -> alt.Chart:
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
    base = marks(
        rows,
        x=x_axis("ratio:Q", words["ratio_sides"]),
        y=y,
        color=VERDICT,
        tooltip=[*tips(words, "init:N", "table:N"), tip("kind:N", words["what"]), *tips(words, "ratio:Q")],
        **series("kind:N", [words[kind] for kind in MARKS], legend(**LEGEND), shape=MARKS.values()),
    )
    return base.mark_point(filled=False, strokeWidth=2, opacity=1, size=90)


def _rounded(value: float) -> float:
    return significant(value, 4)
