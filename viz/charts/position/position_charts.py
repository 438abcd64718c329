"""Waves, spectra, distances and turns of a table of positions, as altair charts.

Plain numbers in, charts out. A pair of columns keeps its colour from chart to chart, whichever are chosen.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...palette import ASH, BLUE, GOLD, INK, MAGENTA, MUTED, OLIVE, QUANTITY, WHITE
from ...vega import inline, layered
from ..marks import chart, marks, rule
from ..style import BARE, FEWER, SERIES, Row, Words, legend, series, tip, tips, x_axis, y_axis, y_names

BANDS = {"word": BLUE, "paragraph": OLIVE, "document": GOLD, "beyond": ASH}
HEIGHT = 320  # px, axes and legend included
DECADES = [10**power for power in range(1, 8)]
SPACING = 2.6  # from the centre of one clock to the next
ACROSS: dict[str, Any] = {"grid": False, "tickMinStep": 1}  # of an axis


def curves_chart(table: np.ndarray, columns: Sequence[int], colours: Sequence[int], words: Words) -> Chart:
    """The chosen columns of a table (T, d_model) over the positions; `colours` are places in SERIES."""
    rows = [
        {"position": m, "value": round(float(table[m, column]), 4), "column": str(column)}
        for column in columns
        for m in range(len(table))
    ]
    dots = alt.OverlayMarkDef(size=14, aria=False)  # hundreds, of which none need be read out: the table has them
    base = alt.Chart().encode(
        x=x_axis("position:Q", words["position"], **ACROSS),
        y=y_axis("value:Q", words["value"], {"domain": [-1, 1]}),
        tooltip=[*tips(words, "column:N", "position:Q"), tip("value:Q", "PE")],
        **_series("column:N", columns, colours, words["column"]),
    )
    zero = rule("y", "value", 0, opacity=0.5)
    return chart(
        base.mark_line(strokeWidth=2, point=dots),
        zero,
        description=words["curves_description"],
        height=HEIGHT,
        width=None,
        data=inline(rows),
    )


def waves_chart(
    waves: np.ndarray,
    bands: Sequence[str],
    edges: Mapping[str, tuple[float, float]],
    length: int,
    words: Words,
    reference: np.ndarray | None = None,
) -> Chart:
    """Wavelength of each pair (P) on a log axis, with its band; `reference` (P) are those of another base.

    `edges` are the bands to draw, from and to; the rule stands at `length` positions.
    """
    highest = float(max(waves[-1], edges["document"][1], 0 if reference is None else reference[-1])) * 1.4
    names = {name: words[f"band_{name}"] for name in (*edges, "beyond")}
    colours = series("band:N", names.values(), None, color=[BANDS[name] for name in names])
    across = x_axis("pair:Q", words["pair"], {"nice": False}, **ACROSS)
    scale = {"type": "log", "domain": [3, highest], "nice": False}
    rows: list[Row] = [
        {"pair": i, "column": f"{2 * i}, {2 * i + 1}", "wavelength": round(float(wave), 3), "band": band}
        for i, (wave, band) in enumerate(zip(waves, bands, strict=True))
    ]
    dots = marks(
        [row | {"band": names[row["band"]]} for row in rows],
        x=across,
        y=y_axis("wavelength:Q", words["wavelength"], scale, values=DECADES, format=","),
        tooltip=tips(words, "pair:Q", "column:N", "wavelength:Q", "band:N"),
        **colours,
    )
    # the bands as coloured backgrounds, each with its name
    grounds = [{"low": low, "high": high, "band": names[name]} for name, (low, high) in edges.items()]
    grounds[0]["low"] = max(float(edges["word"][0]), 3.0)
    ground = marks(grounds, y=y_axis("low:Q", words["wavelength"], scale), y2=alt.Y2("high:Q"), **colours)
    labels = marks(grounds, x=alt.XValue(0), y=y_axis("high:Q", scale=scale), text=alt.Text("band:N"))
    layers = [
        ground.mark_rect(opacity=0.13),
        labels.mark_text(align="left", baseline="top", dx=6, dy=5, fontSize=12, color=INK),
        _length(length, words),
        dots.mark_circle(size=46, opacity=1),
    ]
    if reference is not None:
        others = [{"pair": i, "wavelength": round(float(wave), 3)} for i, wave in enumerate(reference)]
        line = marks(others, x=across, y=alt.Y("wavelength:Q")).mark_line(strokeDash=[2, 3], color=MUTED)
        layers.insert(-1, line)
    return chart(*layers, description=words["waves_description"], height=HEIGHT + 60, width=None, rows=rows)


def _length(length: int, words: Words) -> alt.LayerChart:
    """The rule at the length of the text: a longer wave turns less than once in it."""
    base = alt.Chart().encode(y=alt.Y("length:Q"))
    text = base.mark_text(align="right", baseline="bottom", dx=-6, dy=-4, fontSize=12, color=INK)
    return layered(
        base.mark_rule(strokeDash=[6, 4], strokeWidth=1.5, color=MUTED),
        text.encode(x=alt.XValue("width"), text=alt.Text("text:N")),
        data=inline([{"length": length, "text": words["length_rule"].format(length=length)}]),
    )


def spectrum_chart(
    frequencies: np.ndarray,
    amplitudes: np.ndarray,
    theory: Sequence[float],
    columns: Sequence[int | str],
    colours: Sequence[int],
    words: Words,
    scale: Literal["log", "linear"] = "log",
) -> Chart:
    """Amplitudes (F, C) over frequencies (F), without frequency 0 that has no place on a log axis.

    A dashed rule stands at each column's frequency in `theory` (C), in turns per position, unless that is empty;
    a dot at its peak.
    """
    rows = [
        {"column": str(column), "frequency": round(float(frequency), 6), "amplitude": round(float(value), 4)}
        for c, column in enumerate(columns)
        for frequency, value in zip(frequencies, amplitudes[:, c], strict=True)
    ]
    slowest = float(frequencies[1]) / 1.5
    peaks = [
        {"column": str(column), "frequency": float(frequencies[k]), "amplitude": round(float(amplitudes[k, c]), 4)}
        for c, column in enumerate(columns)
        if (k := int(amplitudes[:, c].argmax()))
    ]
    marked = [
        {"column": str(column), "frequency": float(place)}
        for column, place in zip(columns if theory else (), theory, strict=True)
        if place >= slowest
    ]
    domain = {"type": scale, "domain": [slowest, 0.5], "nice": False}
    colour = _series("column:N", columns, colours, words["column"])
    if len(columns) == 1 and not theory:
        colour["color"].legend = None  # of one curve, for which nothing else is to be chosen
    channels = {
        "x": x_axis("frequency:Q", words["frequency"], domain, format="~g", tickCount=5),
        "y": y_axis("amplitude:Q", words["amplitude"]),
        **colour,
    }
    tooltip = tips(words, "column:N", "frequency:Q", "amplitude:Q")
    return chart(
        marks(marked, x=alt.X("frequency:Q"), **colour).mark_rule(strokeDash=[5, 4], strokeWidth=1.5),
        marks([row for row in rows if row["frequency"]], **channels).mark_line(strokeWidth=2),
        marks(peaks, **channels, tooltip=tooltip).mark_circle(size=80, opacity=1),
        description=words["spectrum_description"],
        height=HEIGHT,
        width=None,
        rows=rows,
    )


def distance_chart(
    distances: np.ndarray,
    curves: Mapping[float, np.ndarray],
    measured: np.ndarray,
    base: int,
    colours: Sequence[int],
    words: Words,
) -> Chart:
    """Σ cos over the distances (N) as a line for each base, and products of the table (N) of `base` as dots."""
    rows, dots = (
        [
            {"distance": int(distance), "product": round(float(value), 4), "base": f"{each:,}"}
            for each, curve in lines.items()
            for distance, value in zip(distances, curve, strict=True)
        ]
        for lines in (curves, {base: measured})
    )
    channels = {
        "x": x_axis("distance:Q", words["distance"], **ACROSS, **FEWER),
        "y": y_axis("product:Q", words["product"]),
        **_series("base:N", [f"{each:,}" for each in curves], colours, words["base"]),
    }
    points = marks(dots, **channels, tooltip=tips(words, "base:N", "distance:Q", "product:Q"))
    return chart(
        marks(rows, **channels).mark_line(strokeWidth=2),
        points.mark_point(size=22, filled=False, strokeWidth=1),
        description=words["distance_description"],
        height=HEIGHT,
        width=None,
        rows=rows,
    )


def clocks_chart(angles: np.ndarray, columns: Sequence[int], words: Words) -> Chart:
    """(sin, cos) of four pairs before and after the shift (2, 4, 2), as hands of four clocks in two rows."""
    centres = [(SPACING * (c % 2), -SPACING * (c // 2)) for c in range(len(columns))]
    names = [words["hand_before"], words["hand_after"]]
    hands = [
        {"x": x, "y": y, "end_x": round(x + float(cos), 4), "end_y": round(y + float(sin), 4), "hand": name,
         "column": f"{column}, {column + 1}"}
        for name, pairs in zip(names, angles, strict=True)
        for (x, y), (sin, cos), column in zip(centres, pairs, columns, strict=True)
    ]  # fmt: skip
    circles = [
        {"clock": clock, "step": step, "x": round(x + np.cos(angle), 3), "y": round(y + np.sin(angle), 3)}
        for clock, (x, y) in enumerate(centres)
        for step, angle in enumerate(np.linspace(0, 2 * np.pi, 49))
    ]
    labels = [
        {"x": x, "y": y - 1.12, "text": words["clock"].format(column=f"{column}, {column + 1}")}
        for (x, y), column in zip(centres, columns, strict=True)
    ]
    places = {
        "x": alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-1.3, SPACING + 1.3], nice=False)),
        "y": alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-SPACING - 1.5, 1.5], nice=False)),
    }
    circle = marks(circles, **places, detail=alt.Detail("clock:N"), order=alt.Order("step:Q"))
    lines = marks(
        hands,
        **places,
        x2=alt.X2("end_x:Q"),
        y2=alt.Y2("end_y:Q"),
        tooltip=tips(words, "column:N", "hand:N"),
        **series("hand:N", names, legend(orient="bottom", symbolType="stroke"), color=[MUTED, MAGENTA]),
    )
    text = marks(labels, **places, text=alt.Text("text:N"))
    return chart(
        circle.mark_line(strokeWidth=1, color=MUTED, opacity=0.6),
        lines.mark_rule(strokeWidth=3, strokeCap="round"),
        text.mark_text(baseline="top", fontSize=12, color=INK),
        description=words["clocks_description"],
        height=56 * 5,
        width=52 * 5,
        rows=[
            {"hand": hand, "column": column, "sin": float(sin), "cos": float(cos)}
            for hand, pairs in zip(("before", "after"), angles, strict=True)
            for column, (sin, cos) in zip(columns, pairs, strict=True)
        ],
        autosize=alt.AutoSizeParams(type="pad"),  # or the legend would flatten the circles
    )


def single_chart(single: np.ndarray, every: np.ndarray, words: Words) -> Chart:
    """Similarity to position 0 by distance (N), with one wavelength and with all; dots where it is 1 again."""
    names = [words["one"], words["all"]]
    rows = [
        {"distance": k, "similarity": round(float(value), 4), "table": name}
        for name, values in zip(names, (single, every), strict=True)
        for k, value in enumerate(values)
    ]
    again = [
        {"distance": k, "similarity": 1.0, "table": names[0]}
        for k, value in enumerate(single)
        if k and value > 1 - 1e-9
    ]
    channels = {
        "x": x_axis("distance:Q", words["distance"], **ACROSS),
        "y": y_axis("similarity:Q", words["similarity"], {"domain": [-1, 1.08], "nice": False}),
        **series("table:N", names, legend(symbolType="stroke"), color=[SERIES[3], MAGENTA]),
    }
    tooltip = tips(words, "table:N", "distance:Q", "similarity:Q")
    return chart(
        marks(rows, **channels).mark_line(strokeWidth=2),
        marks(again, **channels, tooltip=tooltip).mark_circle(size=90, opacity=1),
        description=words["single_description"],
        height=HEIGHT,
        width=None,
        rows=[
            {"distance": k, "one_wavelength": one, "all_wavelengths": other}
            for k, (one, other) in enumerate(zip(single.tolist(), every.tolist(), strict=True))
        ],
    )


def widths_chart(d_model: int, extra: int, words: Words) -> Chart:
    """The vector of one token, added and concatenated, as bars as long as it is wide."""
    parts = (
        ("add", "both", 0, d_model),
        ("concatenate", "embedding", 0, d_model),
        ("concatenate", "position", d_model, d_model + extra),
    )
    table: list[Row] = [
        {"way": way, "part": part, "start": start, "end": end, "middle": (start + end) / 2, "width": end - start}
        for way, part, start, end in parts
    ]
    titles = {"embedding": words["embedding"], "position": words["position_part"], "both": words["both"]}
    rows = [row | {"way": words[row["way"]], "part": titles[row["part"]]} for row in table]
    y = y_names("way:N", [words["add"], words["concatenate"]], alt.Undefined, **BARE, labelFontSize=13)
    tones = [QUANTITY["embedding"]["light"], MAGENTA, SERIES[0]]
    bars = marks(
        rows,
        x=x_axis("start:Q", words["width"], {"domain": [0, d_model + extra], "nice": False}),
        x2=alt.X2("end:Q"),
        y=y,
        tooltip=tips(words, "part:N", "width:Q"),
        **series("part:N", titles.values(), legend(orient="bottom", columns=1), color=tones),
    )
    text = marks(rows, x=x_axis("middle:Q", words["width"]), y=y, text=alt.Text("width:Q"))
    return chart(
        bars.mark_bar(size=30, cornerRadius=3),
        text.mark_text(color=WHITE, fontSize=13, fontWeight=600),
        description=words["widths_description"],
        height=220,
        width=None,
        rows=table,
    )


def _series(field: str, names: Sequence[object], colours: Sequence[int], title: str) -> dict[str, Any]:
    """Each name in its own colour of SERIES."""
    above = legend(title=title, symbolType="stroke", columns=4)
    return series(field, map(str, names), above, color=[SERIES[place % len(SERIES)] for place in colours])
