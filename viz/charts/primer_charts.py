"""The figures of attention as a soft look-up: altair charts from plain numbers.

Marks have one colour for light and dark ground. Subscripts and symbols are those of the formulas beside them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import altair as alt
import numpy as np

from ..figures.chart import Chart
from ..palette import BLUE, GOLD, GUIDE, RED
from ..vega import inline
from .marks import chart, dots, marks, rule
from .style import BARE, Row, Words, legend, series, tip, tips, x_axis, y_axis

PER_KEY = (GOLD, BLUE)  # of the two keys on the line
PER_SCORE = (RED, BLUE, GUIDE)  # dot, scaled, additive: unscaled is red wherever it is compared
INK: dict[str, Any] = {"color": "currentColor", "fillOpacity": 0.85}  # of numbers: the page's own, on either ground
NUMBER: dict[str, Any] = {**INK, "fontWeight": 600, "fontSize": 12}  # behind a bar
SUBSCRIPTS = "₁₂₃₄₅₆₇₈₉"
HEIGHT, LOWER = 240, 210  # px, of a chart alone and of one below another; so that two fit into a window
LINE = "line"  # the part of a figure's table that is the figure's own numbers
FIFTHS: dict[str, Any] = {"values": [0, 0.2, 0.4, 0.6, 0.8, 1], "format": "~g"}  # of an axis
QUIET: dict[str, Any] = {**BARE, "labelPadding": 8}  # of an axis
LEGEND = {"direction": "horizontal", "columns": 2, "labelLimit": 260, "symbolOpacity": 1}


class Measured(Protocol):
    """One d_k of the sampling; see `model.analysis.soft_lookup.Sharpness`."""

    d_k: int
    variance: float
    error: float


def short(number: float, digits: int = 4) -> str:
    """A number as it is written in a figure: at most `digits` significant digits, a true minus."""
    return f"{number + 0.0:.{digits}g}".replace("-", "−")


def dictionary_chart(
    names: Sequence[str], values: Sequence[float], hard: Sequence[float], soft: Sequence[float], words: Words
) -> Chart:
    """weight × value of each entry under both look-ups, and their sums in the last row."""
    rows: list[Row] = []
    for kind, weights in (("hard", hard), ("soft", soft)):
        products = [weight * value for weight, value in zip(weights, values, strict=True)]
        for name, weight, value, product in zip(names, weights, values, products, strict=True):
            text = f"{short(weight)} × {short(value)} = {short(product)}"
            rows.append({"item": name, "look_up": words[kind], "product": product, "text": text})
        result = short(sum(products)) if any(weights) or kind == "soft" else words["missing"]
        rows.append({"item": words["sum"], "look_up": words[kind], "product": sum(products), "text": result})
    reach, kinds = max(1.0, *(row["product"] for row in rows)), [words["hard"], words["soft"]]
    base = alt.Chart().encode(
        y=alt.Y("item:N", sort=[*names, words["sum"]], title=None, axis=alt.Axis(**QUIET, labelFontSize=13)),
        yOffset=alt.YOffset("look_up:N", sort=kinds),
        x=x_axis("product:Q", words["product"], {"domain": [0, reach * 1.45], "nice": False}),
    )
    colour = alt.Color(
        "look_up:N", scale=alt.Scale(domain=kinds, range=[GUIDE, BLUE]), sort=kinds, legend=legend(**LEGEND)
    )
    return _chart(
        rows,
        base.mark_bar(cornerRadiusEnd=3, height={"band": 0.8}).encode(color=colour),
        base.mark_text(**NUMBER, align="left", dx=5).encode(text=alt.Text("text:N")),
        description=words["description"],
    )


def query_chart(
    line: np.ndarray,
    outputs: np.ndarray,
    queries: Sequence[float],
    query_outputs: Sequence[float],
    keys: Sequence[float],
    values: Sequence[float],
    words: Words,
) -> Chart:
    """The output over the query: keys as triangles on the line, values as levels, the queries as points."""
    low, high = min(values), max(values)
    margin = 0.16 * (high - low)
    bottom = low - 2 * margin  # the keys' names stand below the curve
    ends = [float(line[0]), float(line[-1])]
    rows: list[Row] = [{"part": LINE, "q": float(q), "output": float(y)} for q, y in zip(line, outputs, strict=True)]
    rows += [
        {"part": "stored", "q": key, "output": bottom, "value": value, "key": _key(i, key, words),
         "name": f"k{SUBSCRIPTS[i]}", "level": f"v{SUBSCRIPTS[i]} = {short(value)}", "left": ends[0], "right": ends[1]}
        for i, (key, value) in enumerate(zip(keys, values, strict=True))
    ]  # fmt: skip
    rows += [
        {"part": "asked", "q": float(q), "output": float(y), "name": f"q{SUBSCRIPTS[i]}"}
        for i, (q, y) in enumerate(zip(queries, query_outputs, strict=True))
    ]
    x = x_axis("q:Q", words["line"], {"domain": ends, "nice": False})
    y = y_axis("output:Q", words["output"], {"domain": [bottom, high + margin], "nice": False})
    colours = alt.Color("key:N", scale=alt.Scale(range=list(PER_KEY)), legend=legend(**LEGEND))
    name = alt.Text("name:N")
    # one table for all parts: a chart whose numbers alone are new is drawn faster than another chart
    curve, stored, asked = (alt.Chart().transform_filter(alt.datum.part == part) for part in (LINE, "stored", "asked"))

    def _level(align: Literal["left", "right"], value: float) -> alt.Chart:
        away = 6 if align == "left" else -6  # the curve runs along the other end of the level
        text = stored.transform_filter(alt.datum.value == value).mark_text(**NUMBER, align=align, dx=away, dy=-8)
        return text.encode(x=alt.X(f"{align}:Q"), y=alt.Y("value:Q"), text=alt.Text("level:N"))

    return _chart(
        rows,
        stored.mark_rule(strokeDash=[4, 4], opacity=0.8).encode(y=alt.Y("value:Q"), color=colours),
        _level("left", high),
        _level("right", low),
        curve.mark_line(color=GUIDE, strokeWidth=2.5).encode(x=x, y=y),
        stored.mark_point(shape="triangle-up", filled=True, size=150, opacity=1).encode(x=x, y=y, color=colours),
        stored.mark_text(**INK, dy=-15, fontSize=12, fontWeight="bold").encode(x=x, y=y, text=name),
        asked.mark_rule(strokeDash=[2, 3], color=GUIDE).encode(x=x),
        dots(asked, 130, RED, x=x, y=y, tooltip=[tip("name:N", words["query"]), *tips(words, "output:Q .2f")]),
        asked.mark_text(**INK, dy=20, fontSize=13, fontWeight="bold").encode(x=x, y=y, text=name),
        description=words["description"],
    )


def query_weights_chart(
    queries: Sequence[float], keys: Sequence[float], scores: np.ndarray, weights: np.ndarray, words: Words
) -> Chart:
    """The weight of each key under each query, with the score it comes from; scores and weights (Q, n)."""
    order = [_key(j, key, words) for j, key in enumerate(keys)]
    rows = [
        {"pair": f"q{SUBSCRIPTS[i]}, k{SUBSCRIPTS[j]}", "key": order[j], "score": float(scores[i, j]),
         "weight": float(weights[i, j]),
         "text": words["step"].format(score=short(scores[i, j]), weight=f"{weights[i, j]:.4f}")}
        for i in range(len(queries))
        for j in range(len(keys))
    ]  # fmt: skip
    axis = alt.Axis(**QUIET, labelFontSize=13)
    base = alt.Chart().encode(y=alt.Y("pair:N", sort=None, title=None, axis=axis), x=_weights(words, margin=0.8))
    colour = series("key:N", order, legend(**LEGEND), color=PER_KEY)
    return _chart(
        rows,
        base.mark_bar(cornerRadiusEnd=3, height={"band": 0.5}).encode(**colour),
        base.mark_text(**NUMBER, align="left", dx=5).encode(text=alt.Text("text:N")),
        height=LOWER,
        description=words["weights_description"],
    )


def vectors_chart(query: np.ndarray, keys: np.ndarray, words: Words) -> Chart:
    """The query (D) above its keys (n, D), one cell for each entry."""
    vectors = {"q": query} | {f"k{SUBSCRIPTS[i]}": key for i, key in enumerate(keys)}
    rows = [
        {"vector": name, "entry": j, "value": round(float(value), 4)}
        for name, vector in vectors.items()
        for j, value in enumerate(vector)
    ]
    base = marks(
        rows,
        x=alt.X("entry:O", title=words["entry"], axis=alt.Axis(**QUIET, labelAngle=0, labelOverlap=True)),
        y=alt.Y("vector:N", sort=list(vectors), title=None, axis=alt.Axis(**QUIET, labelFontSize=13)),
        color=alt.Color(
            "value:Q",
            scale=alt.Scale(scheme="redblue", domain=[-3, 3], reverse=True, clamp=True),
            legend=legend(orient="right", gradientLength=110, values=[-3, 0, 3]),
        ),
        tooltip=tips(words, "vector:N", "entry:O", "value:Q .3f"),
    )
    height = 26 * len(vectors) + 46
    return chart(base.mark_rect(), description=words["description"], height=height, width=None)


def scores_chart(scores: Mapping[str, np.ndarray], words: Words) -> Chart:
    """The score of each key under each function; `scores` by function, (n) each."""
    least, most = (pick(0, *(float(pick(values)) for values in scores.values())) for pick in (min, max))
    ends = [least, most + 0.16 * (most - least)]  # a margin for the numbers at the ends of the bars
    return _by_function(scores, "score", x_axis("score:Q", words["score"], {"domain": ends, "nice": False}), words)


def weights_chart(weights: Mapping[str, np.ndarray], words: Words) -> Chart:
    """The weight of each key under each function; `weights` by function, (n) each."""
    return _by_function(weights, "weight", _weights(words), words)


def _by_function(scores: Mapping[str, np.ndarray], field: str, x: alt.X, words: Words) -> Chart:
    rows = [
        {"key": f"k{SUBSCRIPTS[i]}", "function": words[kind], field: float(value),
         "text": f"{value:.2f}".replace("-", "−"), "end": max(0.0, float(value))}
        for kind, values in scores.items()
        for i, value in enumerate(values)
    ]  # fmt: skip
    kinds = [words[kind] for kind in scores]
    axis = alt.Axis(**QUIET, labelFontSize=13)
    base = alt.Chart().encode(y=alt.Y("key:N", title=None, axis=axis), yOffset=alt.YOffset("function:N", sort=kinds))
    colour = series("function:N", kinds, legend(**LEGEND), color=PER_SCORE)
    return _chart(
        rows,
        base.mark_bar(height={"band": 0.82}).encode(x=x, **colour),
        base.mark_text(**NUMBER, align="left", dx=4).encode(x=alt.X("end:Q"), text=alt.Text("text:N")),
        height=400,
        description=words[f"{field}_description"],
    )


def variance_chart(measurements: Sequence[Measured], size: int, words: Words) -> Chart:
    """Var(q · k) over d_k: measured with twice its standard error, beside the theory d_k; both axes logarithmic."""
    rows = [
        {"d_k": row.d_k, "variance": row.variance, "low": row.variance - 2 * row.error,
         "high": row.variance + 2 * row.error, "theory": row.d_k}
        for row in measurements
    ]  # fmt: skip
    scale, powers = _powers(rows)
    kinds = [words["theory"], words["sampled"]]
    channels = {
        "x": x_axis("d_k:Q", "d_k", scale, **powers),
        **series("kind:N", kinds, legend(**LEGEND), color=[GUIDE, BLUE]),
    }
    theory, sampled = (alt.Chart().transform_calculate(kind=json.dumps(kind)).encode(**channels) for kind in kinds)
    bars = sampled.mark_rule(strokeWidth=2)
    return _chart(
        rows,
        _chosen(size),
        theory.mark_line(strokeDash=[6, 4], strokeWidth=2).encode(
            y=y_axis("theory:Q", words["variance"], scale, **powers)
        ),
        bars.encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        dots(sampled, 70, y=alt.Y("variance:Q"), tooltip=[alt.Tooltip("d_k:Q"), *tips(words, "variance:Q .3~g")]),
        description=words["variance_description"],
    )


def sharpness_chart(measurements: Sequence[Any], measure: str, size: int, words: Words) -> Chart:
    """`measure` ("largest", "entropy", "gradient") over d_k with and without ÷ √d_k: median and middle half."""
    rows = [
        {"d_k": row.d_k, "scores": words[kind], "median": spread.median, "low": spread.low, "high": spread.high}
        for row in measurements
        for kind, spread in getattr(row, measure).items()
    ]
    kinds, above = [words["unscaled"], words["scaled"]], legend(**LEGEND)
    along, powers = _powers(rows)
    scale, axis = _measure_axis(rows, measure)
    base = alt.Chart().encode(
        x=x_axis("d_k:Q", "d_k", along, **powers), **series("scores:N", kinds, above, color=[RED, BLUE])
    )
    y = y_axis("median:Q", words[f"{measure}_axis"], scale, **axis)
    return _chart(
        rows,
        _chosen(size),
        base.mark_area(opacity=0.16, clip=True).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=2.5, clip=True).encode(y=y),
        base.mark_point(filled=True, size=60, opacity=1, clip=True).encode(
            y=y,
            tooltip=[alt.Tooltip("d_k:Q"), *tips(words, "median:Q .3~g", "low:Q .3~g", "high:Q .3~g")],
            **series("scores:N", kinds, above, shape=["square", "circle"]),
        ),
        description=words[f"{measure}_description"],
    )


def _measure_axis(rows: Sequence[Row], measure: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scale and axis of a measure."""
    if measure == "gradient":  # whatever is smaller than 10⁻⁶ has vanished for every purpose
        powers = ["1", "10⁻¹", "10⁻²", "10⁻³", "10⁻⁴", "10⁻⁵", "10⁻⁶"]
        ticks = {
            "values": [10.0**-i for i in range(len(powers))],
            "labelExpr": f"{powers!r}[round(-log(datum.value) / LN10)]",
        }
        return {"type": "log", "domain": [1e-6, 1], "clamp": True, "nice": False}, ticks
    return {"domain": [0, 1 if measure == "largest" else max(row["high"] for row in rows)]}, {"format": "~g"}


def _key(index: int, key: float, words: Words) -> str:
    return f"k{SUBSCRIPTS[index]} = {short(key)} ({words['sign']})"


def _weights(words: Words, margin: float = 0.14) -> alt.X:
    """From 0 to 1, and a margin for the numbers at the ends of the bars."""
    return x_axis("weight:Q", words["weight"], {"domain": [0, 1 + margin], "nice": False}, **FIFTHS)


def _powers(rows: Sequence[Row]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scale and axis of d_k, in powers of two."""
    scale = {"type": "log", "base": 2, "domain": [rows[0]["d_k"] / 1.3, rows[-1]["d_k"] * 1.3], "nice": False}
    return scale, {"values": sorted({row["d_k"] for row in rows}), "format": "d", "labelOverlap": True}


def _chosen(size: int) -> alt.Chart:
    """The d_k that the words beside the chart speak of."""
    return rule("x", "d_k", size, color=GUIDE, strokeDash=[2, 3])


def _chart(rows: Sequence[Row], *layers: alt.Chart, description: str, height: int = HEIGHT) -> Chart:
    """`rows` are the numbers of the figure; a layer without data of its own draws them."""
    return chart(*layers, description=description, height=height, width=None, data=inline(rows))
