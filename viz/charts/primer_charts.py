"""The figures of attention as a soft look-up: altair charts from plain numbers.

Marks have one colour for light and dark ground. Subscripts and symbols are those of the formulas beside them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

import altair as alt
import numpy as np

from ..vega import inline, layered

HARD, SOFT = "#8a929c", "#2f7fb8"
PER_KEY = ("#b08618", "#2f7fb8")  # of the two keys on the line
PER_SCORE = ("#c9503a", "#2f7fb8", "#8a929c")  # dot, scaled, additive: unscaled is red wherever it is compared
UNSCALED, SCALED = PER_SCORE[:2]
GUIDE = "#8a929c"
INK: dict[str, Any] = {"color": "currentColor", "fillOpacity": 0.85}  # of numbers: the page's own, on either ground
SUBSCRIPTS = "₁₂₃₄₅₆₇₈₉"
HEIGHT, LOWER = 240, 210  # px, of a chart alone and of one below another; so that two fit into a window
LINE = "line"  # the part of a figure's table that is the figure's own numbers

_SHAPES = ["square", "circle"]

Words = Mapping[str, str]


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
) -> alt.LayerChart:
    """weight × value of each entry under both look-ups, and their sums in the last row."""
    rows: list[dict[str, Any]] = []
    for kind, weights in (("hard", hard), ("soft", soft)):
        products = [weight * value for weight, value in zip(weights, values, strict=True)]
        for name, weight, value, product in zip(names, weights, values, products, strict=True):
            text = f"{short(weight)} × {short(value)} = {short(product)}"
            rows.append({"item": name, "look_up": words[kind], "product": product, "text": text})
        result = short(sum(products)) if any(weights) or kind == "soft" else words["missing"]
        rows.append({"item": words["sum"], "look_up": words[kind], "product": sum(products), "text": result})
    reach = max(1.0, *(row["product"] for row in rows))
    colours = alt.Scale(domain=[words["hard"], words["soft"]], range=[HARD, SOFT])
    base = alt.Chart().encode(
        y=alt.Y("item:N", sort=[*names, words["sum"]], title=None, axis=_quiet(labelFontSize=13)),
        yOffset=alt.YOffset("look_up:N", sort=[words["hard"], words["soft"]]),
        x=alt.X("product:Q", title=words["product"], scale=alt.Scale(domain=[0, reach * 1.45], nice=False)),
    )
    bars = base.mark_bar(cornerRadiusEnd=3, height={"band": 0.8}).encode(
        color=alt.Color("look_up:N", scale=colours, sort=[words["hard"], words["soft"]], legend=_legend())
    )
    return _layers(
        rows,
        bars,
        base.mark_text(**INK, fontWeight=600, align="left", dx=5, fontSize=12).encode(text=alt.Text("text:N")),
        height=HEIGHT,
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
) -> alt.LayerChart:
    """The output over the query: keys as triangles on the line, values as levels, the queries as points."""
    low, high = min(values), max(values)
    margin = 0.16 * (high - low)
    bottom = low - 2 * margin  # the keys' names stand below the curve
    rows: list[dict[str, object]] = [
        {"part": LINE, "q": float(q), "output": float(y)} for q, y in zip(line, outputs, strict=True)
    ]
    x = alt.X("q:Q", title=words["line"], scale=alt.Scale(domain=[float(line[0]), float(line[-1])], nice=False))
    y = alt.Y("output:Q", title=words["output"], scale=alt.Scale(domain=[bottom, high + margin], nice=False))
    colours = alt.Color("key:N", scale=alt.Scale(range=list(PER_KEY)), legend=_legend())
    rows += [
        {"part": "stored", "q": key, "output": bottom, "value": value, "key": _key(i, key, words),
         "name": f"k{SUBSCRIPTS[i]}", "level": f"v{SUBSCRIPTS[i]} = {short(value)}",
         "left": float(line[0]), "right": float(line[-1])}
        for i, (key, value) in enumerate(zip(keys, values, strict=True))
    ]  # fmt: skip
    rows += [
        {"part": "asked", "q": float(q), "output": float(y), "name": f"q{SUBSCRIPTS[i]}"}
        for i, (q, y) in enumerate(zip(queries, query_outputs, strict=True))
    ]

    def _level(align: Literal["left", "right"], value: float) -> alt.Chart:
        away = 6 if align == "left" else -6  # the curve runs along the other end of the level
        text = key_points.transform_filter(alt.datum.value == value).mark_text(
            **INK, fontWeight=600, align=align, dx=away, dy=-8, fontSize=12
        )
        return text.encode(y=alt.Y("value:Q"), text=alt.Text("level:N"))

    # one table for all parts: a chart whose numbers alone are new is drawn faster than another chart
    curve, key_points, query_points = (
        alt.Chart().transform_filter(alt.datum.part == part) for part in (LINE, "stored", "asked")
    )
    return _layers(
        rows,
        key_points.mark_rule(strokeDash=[4, 4], opacity=0.8).encode(y=alt.Y("value:Q"), color=colours),
        _level("left", high).encode(x=alt.X("left:Q")),
        _level("right", low).encode(x=alt.X("right:Q")),
        curve.mark_line(color=GUIDE, strokeWidth=2.5).encode(x=x, y=y),
        key_points.mark_point(shape="triangle-up", filled=True, size=150, opacity=1).encode(x=x, y=y, color=colours),
        key_points.mark_text(**INK, dy=-15, fontSize=12, fontWeight="bold").encode(x=x, y=y, text=alt.Text("name:N")),
        query_points.mark_rule(strokeDash=[2, 3], color=GUIDE).encode(x=x),
        query_points.mark_point(filled=True, size=130, color=UNSCALED, opacity=1).encode(
            x=x,
            y=y,
            tooltip=[
                alt.Tooltip("name:N", title=words["query"]),
                alt.Tooltip("output:Q", title=words["output"], format=".2f"),
            ],
        ),
        query_points.mark_text(**INK, dy=20, fontSize=13, fontWeight="bold").encode(x=x, y=y, text=alt.Text("name:N")),
        height=HEIGHT,
        description=words["description"],
    )


def query_weights_chart(
    queries: Sequence[float], keys: Sequence[float], scores: np.ndarray, weights: np.ndarray, words: Words
) -> alt.LayerChart:
    """The weight of each key under each query, with the score it comes from; scores and weights (Q, n)."""
    order = [_key(j, key, words) for j, key in enumerate(keys)]
    rows = [
        {"pair": f"q{SUBSCRIPTS[i]}, k{SUBSCRIPTS[j]}", "key": order[j], "score": float(scores[i, j]),
         "weight": float(weights[i, j]),
         "text": words["step"].format(score=short(scores[i, j]), weight=f"{weights[i, j]:.4f}")}
        for i in range(len(queries))
        for j in range(len(keys))
    ]  # fmt: skip
    base = alt.Chart().encode(
        y=alt.Y("pair:N", sort=None, title=None, axis=_quiet(labelFontSize=13)), x=_weight_axis(words, margin=0.8)
    )
    bars = base.mark_bar(cornerRadiusEnd=3, height={"band": 0.5}).encode(
        color=alt.Color("key:N", scale=alt.Scale(domain=order, range=list(PER_KEY)), legend=_legend())
    )
    text = base.mark_text(**INK, fontWeight=600, align="left", dx=5, fontSize=12).encode(text=alt.Text("text:N"))
    return _layers(rows, bars, text, height=LOWER, description=words["weights_description"])


def vectors_chart(query: np.ndarray, keys: np.ndarray, words: Words) -> alt.Chart:
    """The query (D) above its keys (n, D), one cell for each entry."""
    vectors = {"q": query} | {f"k{SUBSCRIPTS[i]}": key for i, key in enumerate(keys)}
    rows = [
        {"vector": name, "entry": j, "value": round(float(value), 4)}
        for name, vector in vectors.items()
        for j, value in enumerate(vector)
    ]
    return (
        alt.Chart(inline(rows))
        .mark_rect()
        .encode(
            x=alt.X("entry:O", title=words["entry"], axis=_quiet(labelAngle=0, labelOverlap=True)),
            y=alt.Y("vector:N", sort=list(vectors), title=None, axis=_quiet(labelFontSize=13)),
            color=alt.Color(
                "value:Q",
                scale=alt.Scale(scheme="redblue", domain=[-3, 3], reverse=True, clamp=True),
                legend=alt.Legend(title=None, orient="right", gradientLength=110, values=[-3, 0, 3]),
            ),
            tooltip=[
                alt.Tooltip("vector:N", title=words["vector"]),
                alt.Tooltip("entry:O", title=words["entry"]),
                alt.Tooltip("value:Q", title=words["value"], format=".3f"),
            ],
        )
        .properties(height=26 * len(vectors) + 46, description=words["description"])
        .configure(background="transparent")
    )


def scores_chart(scores: Mapping[str, np.ndarray], words: Words) -> alt.LayerChart:
    """The score of each key under each function; `scores` by function, (n) each."""
    return _by_function(scores, "score", words)


def weights_chart(weights: Mapping[str, np.ndarray], words: Words) -> alt.LayerChart:
    """The weight of each key under each function; `weights` by function, (n) each."""
    return _by_function(weights, "weight", words)


def _by_function(scores: Mapping[str, np.ndarray], field: str, words: Words) -> alt.LayerChart:
    rows = [
        {"key": f"k{SUBSCRIPTS[i]}", "function": words[kind], field: float(value), "text": _two_digits(value),
         "end": max(0.0, float(value))}
        for kind, values in scores.items()
        for i, value in enumerate(values)
    ]  # fmt: skip
    kinds = [words[kind] for kind in scores]
    across = (
        _weight_axis(words) if field == "weight" else alt.X("score:Q", title=words["score"], scale=_padded_scale(rows))
    )
    base = alt.Chart().encode(
        y=alt.Y("key:N", title=None, axis=_quiet(labelFontSize=13)), yOffset=alt.YOffset("function:N", sort=kinds)
    )
    bars = base.mark_bar(height={"band": 0.82}).encode(
        x=across,
        color=alt.Color("function:N", scale=alt.Scale(domain=kinds, range=list(PER_SCORE)), legend=_legend()),
    )
    text = base.mark_text(**INK, fontWeight=600, align="left", dx=4, fontSize=12).encode(
        x=alt.X("end:Q"), text=alt.Text("text:N")
    )
    return _layers(rows, bars, text, height=400, description=words[f"{field}_description"])


def variance_chart(measurements: Sequence[Measured], size: int, words: Words) -> alt.LayerChart:
    """Var(q · k) over d_k: measured with twice its standard error, beside the theory d_k; both axes logarithmic."""
    rows = [
        {"d_k": row.d_k, "variance": row.variance, "low": row.variance - 2 * row.error,
         "high": row.variance + 2 * row.error, "theory": row.d_k}
        for row in measurements
    ]  # fmt: skip
    y = alt.Y("theory:Q", title=words["variance"], scale=_log(rows), axis=_powers(rows))
    kinds = [words["theory"], words["sampled"]]
    scale = alt.Scale(domain=kinds, range=[GUIDE, SCALED])
    colour = alt.Color("kind:N", scale=scale, legend=_legend())
    theory, experiment = (alt.Chart().transform_calculate(kind=json.dumps(kind)) for kind in kinds)
    return _layers(
        rows,
        _chosen(size),
        theory.mark_line(strokeDash=[6, 4], strokeWidth=2).encode(
            x=_size_axis(rows), y=y, color=colour
        ),
        experiment.mark_rule(strokeWidth=2).encode(
            x=_size_axis(rows), y=alt.Y("low:Q"), y2=alt.Y2("high:Q"), color=colour
        ),
        experiment.mark_point(filled=True, size=70, opacity=1).encode(
            x=_size_axis(rows), y=alt.Y("variance:Q"), color=colour,
            tooltip=[alt.Tooltip("d_k:Q"), _shown("variance", words)],
        ),
        height=HEIGHT,
        description=words["variance_description"],
    )  # fmt: skip


def sharpness_chart(measurements: Sequence[Any], measure: str, size: int, words: Words) -> alt.LayerChart:
    """`measure` ("largest", "entropy", "gradient") over d_k with and without ÷ √d_k: median and middle half."""
    rows = [
        {"d_k": row.d_k, "scores": words[kind], "median": spread.median, "low": spread.low, "high": spread.high}
        for row in measurements
        for kind, spread in getattr(row, measure).items()
    ]
    kinds = [words["unscaled"], words["scaled"]]
    colour = alt.Color("scores:N", scale=alt.Scale(domain=kinds, range=[UNSCALED, SCALED]), legend=_legend())
    axis = alt.Axis(format="~g") if measure != "gradient" else _tenths()
    y = alt.Y("median:Q", title=words[f"{measure}_axis"], scale=_measure_scale(rows, measure), axis=axis)
    base = alt.Chart().encode(x=_size_axis(rows), color=colour)
    return _layers(
        rows,
        _chosen(size),
        base.mark_area(opacity=0.16, clip=True).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=2.5, clip=True).encode(y=y),
        base.mark_point(filled=True, size=60, opacity=1, clip=True).encode(
            y=y, shape=alt.Shape("scores:N", scale=alt.Scale(domain=kinds, range=_SHAPES), legend=_legend()),
            tooltip=[alt.Tooltip("d_k:Q"), *(_shown(field, words) for field in ("median", "low", "high"))],
        ),
        height=HEIGHT,
        description=words[f"{measure}_description"],
    )  # fmt: skip


def _measure_scale(rows: Sequence[Mapping[str, Any]], measure: str) -> alt.Scale:
    if measure == "gradient":  # whatever is smaller has vanished for every purpose
        return alt.Scale(type="log", domain=[1e-6, 1], clamp=True, nice=False)
    return alt.Scale(domain=[0, 1 if measure == "largest" else max(row["high"] for row in rows)])


def _key(index: int, key: float, words: Words) -> str:
    return f"k{SUBSCRIPTS[index]} = {short(key)} ({words['sign']})"


def _weight_axis(words: Words, margin: float = 0.14) -> alt.X:
    """From 0 to 1, and a margin for the numbers at the ends of the bars."""
    scale = alt.Scale(domain=[0, 1 + margin], nice=False)
    return alt.X("weight:Q", title=words["weight"], scale=scale, axis=_fifths())


def _fifths() -> alt.Axis:
    return alt.Axis(values=[0, 0.2, 0.4, 0.6, 0.8, 1], format="~g")


def _padded_scale(rows: Sequence[Mapping[str, Any]]) -> alt.Scale:
    """A margin for the numbers at the ends of the bars."""
    low, high = min(row["score"] for row in rows), max(row["score"] for row in rows)
    return alt.Scale(domain=[min(low, 0), max(high, 0) + 0.16 * (max(high, 0) - min(low, 0))], nice=False)


def _tenths() -> alt.Axis:
    powers = ["1", "10⁻¹", "10⁻²", "10⁻³", "10⁻⁴", "10⁻⁵", "10⁻⁶"]
    expression = f"{powers!r}[round(-log(datum.value) / LN10)]"
    return alt.Axis(values=[10.0**-i for i in range(len(powers))], labelExpr=expression)


def _size_axis(rows: Sequence[Mapping[str, Any]]) -> alt.X:
    return alt.X("d_k:Q", title="d_k", scale=_log(rows), axis=_powers(rows))


def _log(rows: Sequence[Mapping[str, Any]]) -> alt.Scale:
    return alt.Scale(type="log", base=2, domain=[rows[0]["d_k"] / 1.3, rows[-1]["d_k"] * 1.3], nice=False)


def _powers(rows: Sequence[Mapping[str, Any]]) -> alt.Axis:
    return alt.Axis(values=sorted({row["d_k"] for row in rows}), format="d", labelOverlap=True)


def _chosen(size: int) -> alt.Chart:
    """The d_k that the words beside the chart speak of."""
    return alt.Chart(inline([{"d_k": size}])).mark_rule(color=GUIDE, strokeDash=[2, 3]).encode(x=alt.X("d_k:Q"))


def _shown(field: str, words: Words) -> alt.Tooltip:
    return alt.Tooltip(f"{field}:Q", title=words[field], format=".3~g")


def _two_digits(number: float) -> str:
    return f"{number:.2f}".replace("-", "−")


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", direction="horizontal", columns=2, labelLimit=260, symbolOpacity=1)


def _quiet(**settings: Any) -> alt.Axis:
    return alt.Axis(ticks=False, domain=False, labelPadding=8, **settings)


def _layers(rows: Sequence[Mapping[str, Any]], *layers: alt.Chart, height: int, description: str) -> alt.LayerChart:
    """`rows` are the numbers of the figure; a layer without data of its own draws them."""
    return layered(*layers, data=inline(rows), height=height, description=description, background="transparent")
