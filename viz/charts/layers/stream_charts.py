"""A token's way through the layers, as altair charts: the stream, its norms, the feed-forward's hidden units.

Plain numbers and labels in, charts out. The depth runs downwards, as the layers are read, so that the
charts stay readable on a phone.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...numbers import significant
from ...palette import BRICK, MUTED, PARTS, STEEL
from ...vega import inline
from ..marks import bars, chart, dots, intervals, marks
from ..style import FEWER, WHOLE, Row, Words, legend, series, tip, tips, x_axis, y_axis, y_names

EXPORTED = 720  # px wide as a file; on the page a chart fills its card
AXES = 74  # px of axes
ROW = 26  # px for a depth
DIMENSIONS = 14  # shown one by one
UNITS = 12
COLOUR = alt.Color("colour:N", scale=None, legend=None)  # each row's own


def tone(part: str, side: str) -> str:
    """The colour of what writes into the stream: self-attention has its side's, cross-attention its own."""
    return PARTS[{"self_attention": side, "cross_attention": "cross"}.get(part, part)]


def stream_chart(
    places: Sequence[str],
    colours: Sequence[str],
    lengths: np.ndarray,
    sums: np.ndarray | None,
    tokens: Sequence[str],
    token: int,
    words: Words,
) -> Chart:
    """‖x‖ at each of N places: lengths (N, T) of all tokens, one of them in front.

    `sums` (N) are the chosen token's lengths just before a norm that comes after the sum, NaN elsewhere.
    """
    rows = [
        {"position": t, "token": tokens[t], "place": place, "length": _round(lengths[n, t])}
        for t in range(len(tokens))
        for n, place in enumerate(places)
    ]
    totals = [None] * len(places) if sums is None else [_round(v) if np.isfinite(v) else None for v in sums.tolist()]
    table = [
        {**row, "order": n, "colour": colours[n], "chosen": row["position"] == token, "sum": totals[n]}
        for row, n in zip(rows, cycle(range(len(places))))
    ]
    base = alt.Chart().encode(y=_down(places), tooltip=tips(words, "token:N", "place:N", "length:Q"))
    along: dict[str, Any] = {"x": x_axis("length:Q", words["length"], {"zero": True}), "order": alt.Order("order:Q")}
    others, line = base.transform_filter("!datum.chosen"), base.transform_filter("datum.chosen").encode(**along)
    layers = [
        others.mark_line(color=MUTED, opacity=0.35, strokeWidth=1).encode(detail=alt.Detail("position:N"), **along),
        line.mark_line(color=MUTED, strokeWidth=2.5),
        dots(line, color=COLOUR),
    ]
    if sums is not None:
        total = base.transform_filter("datum.chosen && datum.sum !== null")
        total = total.mark_point(shape="diamond", filled=False, size=80, color=MUTED, opacity=1)
        layers.append(total.encode(x=alt.X("sum:Q"), tooltip=tips(words, "place:N", "sum:Q")))
    return _chart(*layers, words=words, name="stream", height=ROW * len(places), rows=rows, data=inline(table))


def writes_chart(places: Sequence[str], colours: Sequence[str], lengths: np.ndarray, words: Words) -> Chart:
    """‖output‖ of each sublayer, (N)."""
    title = words["output_length"]
    base = marks(
        [{"place": place, "length": _round(lengths[n]), "colour": colours[n]} for n, place in enumerate(places)],
        y=_down(places),
        x=x_axis("length:Q", title),
        tooltip=[*tips(words, "place:N"), tip("length:Q", title)],
    )
    return _chart(bars(base, 12, color=COLOUR), words=words, name="writes", height=ROW * len(places))


def cosine_chart(places: Sequence[str], colours: Sequence[str], cosines: np.ndarray, words: Words) -> Chart:
    """Cosine of each sublayer's output with the stream that came in, (N)."""
    rows = [{"place": place, "cosine": _round(cosines[n])} for n, place in enumerate(places)]
    base = alt.Chart().encode(
        y=_down(places),
        x=x_axis("cosine:Q", words["cosine"], {"domain": [-1, 1]}, **FEWER),
        color=COLOUR,
        tooltip=tips(words, "place:N", "cosine:Q"),
    )
    stems = base.mark_rule(strokeWidth=2).encode(x2=alt.X2Datum(0))
    data = inline([{**row, "colour": colours[n]} for n, row in enumerate(rows)])
    height = ROW * len(places)
    return _chart(stems, dots(base), _zero(), words=words, name="cosine", height=height, rows=rows, data=data)


def sum_chart(before: np.ndarray, output: np.ndarray, after: np.ndarray, colour: str, words: Words) -> Chart:
    """From x to x + output in the dimensions (d_model) where the sublayer writes most; the table has all, and what
    went on.
    """
    numbers = zip(before.tolist(), output.tolist(), (before + output).tolist(), after.tolist(), strict=True)
    rows = [
        {"dimension": i, "before": _round(b), "output": _round(o), "sum": _round(s), "after": _round(a)}
        for i, (b, o, s, a) in enumerate(numbers)
    ]
    largest = np.argsort(-np.abs(output), kind="stable")[:DIMENSIONS]
    drawn = [row | {"after": row["sum"]} for row in rows if row["dimension"] in largest]
    base = marks(
        sorted(drawn, key=lambda row: -abs(row["output"])),
        y=alt.Y("dimension:O", title=words["dimension"], sort=None, axis=alt.Axis(**WHOLE)),
        x=x_axis("before:Q", words["value"], {"zero": False}),
        tooltip=tips(words, "dimension:Q", "before:Q", "output:Q", "sum:Q"),
    )
    return _chart(
        base.mark_rule(strokeWidth=3, color=colour).encode(x2=alt.X2("sum:Q")),
        base.mark_point(filled=False, size=70, color=MUTED, opacity=1, strokeWidth=2),
        dots(base, tone=colour, x=alt.X("sum:Q")),
        words=words,
        name="sum",
        height=20 * len(largest),
        rows=rows,
    )


def norm_chart(steps: Mapping[str, np.ndarray], words: Words) -> Chart:
    """Each step of a LayerNorm, name -> (d_model): a tick per dimension, with mean and mean ± std.

    A name is a key of `words`.
    """
    titles = {name: words[f"step_{name}"] for name in steps}
    moments = [
        {
            "step": titles[name],
            "mean": _round(v.mean()),
            "low": _round(v.mean() - v.std()),
            "high": _round(v.mean() + v.std()),
        }
        for name, v in steps.items()
    ]
    rows = norm_rows(steps)
    y = y_names("step:N", titles.values(), 200, **WHOLE)
    # folded in the browser: a quarter of the rows to send
    ticks = (
        alt.Chart(inline(rows))
        .transform_fold(list(steps), as_=["key", "value"])
        .transform_calculate(step=f"{json.dumps(titles)}[datum.key]")
        .mark_tick(color=STEEL, opacity=0.4, thickness=1.5, height=18)
    )
    tooltip = tips(words, "step:N", "dimension:Q", "value:Q")
    spread = alt.Chart().encode(y=y, tooltip=tips(words, "step:N", "mean:Q", "low:Q", "high:Q"))
    mean = spread.mark_point(filled=True, size=60, color=MUTED, opacity=1, yOffset=15)
    return _chart(
        ticks.encode(y=y, x=x_axis("value:Q", words["value"]), tooltip=tooltip),
        _zero(),
        intervals(spread, alt.X("low:Q"), strokeWidth=3, color=MUTED, yOffset=15),
        mean.encode(x=alt.X("mean:Q")),
        words=words,
        name="norm",
        height=52 * len(steps),
        rows=rows,
        data=inline(moments),
    )


def norm_rows(steps: Mapping[str, np.ndarray]) -> list[Row]:
    """Every step side by side, a line per dimension."""
    columns = zip(*(values.tolist() for values in steps.values()), strict=True)
    return [{"dimension": i, **dict(zip(steps, map(_round, values), strict=True))} for i, values in enumerate(columns)]


def neighbours_chart(pairs: Mapping[str, tuple[np.ndarray, np.ndarray]], words: Words) -> Chart:
    """A token's normalised values with all its neighbours against those without one: kind -> two of (d_model)."""
    rows: list[Row] = [
        {"kind": kind, "dimension": i, "all": _round(one), "fewer": _round(other)}
        for kind, (full, fewer) in pairs.items()
        for i, (one, other) in enumerate(zip(full.tolist(), fewer.tolist(), strict=True))
    ]
    ends = [pick(row[key] for row in rows for key in ("all", "fewer")) for pick in (min, max)]
    scale = {"domain": ends, "nice": True}
    points = marks(
        rows,
        x=x_axis("all:Q", words["all"], scale),
        y=y_axis("fewer:Q", words["fewer"], scale),
        tooltip=tips(words, "kind:N", "dimension:Q", "all:Q", "fewer:Q"),
        **series("kind:N", pairs, legend(), color=[STEEL, BRICK]),
        **series("kind:N", pairs, shape=["circle", "triangle-up"]),
    )
    diagonal = marks([{"all": end, "fewer": end} for end in ends], x=alt.X("all:Q"), y=alt.Y("fewer:Q"))
    return _chart(
        diagonal.mark_line(color=MUTED, strokeDash=[4, 4], strokeWidth=1),
        points.mark_point(filled=True, size=45, opacity=0.75),
        words=words,
        name="neighbours",
        height=340,
        rows=rows,
    )


def units_chart(activations: np.ndarray, strongest: Sequence[int], colour: str, words: Words) -> Chart:
    """Hidden activations (d_ff) of one token over the units, the strongest in colour and named."""
    rows = [{"unit": i, "activation": _round(value)} for i, value in enumerate(activations.tolist())]
    top = [rows[int(i)] for i in strongest if activations[i] > 0]
    channels = {
        "x": x_axis("unit:Q", words["unit"], {"domain": [0, len(activations)], "nice": False}),
        "y": y_axis("activation:Q", words["activation"]),
        "tooltip": tips(words, "unit:Q", "activation:Q"),
    }
    units, best = marks([row for row in rows if row["activation"]], **channels), marks(top, **channels)
    named = best.transform_filter(f"indexof({[row['unit'] for row in top[:3]]}, datum.unit) >= 0")
    return _chart(
        units.mark_rule(color=MUTED).encode(y2=alt.Y2Datum(0)),
        best.mark_rule(color=colour, strokeWidth=2).encode(y2=alt.Y2Datum(0)),
        dots(best, 40, colour),
        named.mark_text(color=colour, dy=-10, fontWeight=600).encode(text=alt.Text("unit:Q")),
        words=words,
        name="units",
        height=240,
        rows=rows,
    )


def _chart(*layers: alt.Chart, words: Words, name: str, height: int, **options: Any) -> Chart:
    about = words[f"{name}_description"]
    return chart(*layers, description=about, height=height + AXES, width=EXPORTED, **options)


def _down(places: Sequence[str]) -> alt.Y:
    return y_names("place:N", places, 200, **WHOLE)


def _zero() -> alt.Chart:
    return alt.Chart().mark_rule(color=MUTED, strokeWidth=1, aria=False).encode(x=alt.XDatum(0))


def _round(value: float) -> float:
    """Five significant digits: a user checks sums with them, and the page stays small."""
    return significant(value, 5)
