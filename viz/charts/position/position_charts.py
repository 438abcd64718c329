"""Waves, spectra, distances and turns of a table of positions, as altair charts.

Plain numbers in, charts out. A pair of columns keeps its colour from chart to chart, whichever are chosen.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...palette import QUANTITY
from ...vega import inline, layered

# Mid tones, to be read on a light and on a dark card; none is the colour of a kind of attention.
SERIES = ("#2f7fb8", "#b0478c", "#8a9a1f", "#b08618", "#7a7a82", "#5b9bd5", "#a8714a", "#d97bb8")
MUTED = "#868d96"
INK = "currentColor"  # of words in a figure: the page's own, on either ground
BAND_COLOURS = {"word": "#2f7fb8", "paragraph": "#8a9a1f", "document": "#b08618", "beyond": "#7a7a82"}
# Each quantity in one tone for both grounds.
EMBEDDING, POSITION = QUANTITY["embedding"]["light"], "#b0478c"
HEIGHT = 320  # px, axes and legend included
CLEAR = "transparent"  # the card shows through
DECADES = [10**power for power in range(1, 8)]
SPACING = 2.6  # from the centre of one clock to the next


def curves_chart(table: np.ndarray, columns: Sequence[int], colours: Sequence[int], words: Mapping[str, str]) -> Chart:
    """The chosen columns of a table (T, d_model) over the positions; `colours` are places in SERIES."""
    dots = alt.OverlayMarkDef(size=14, aria=False)  # hundreds, of which none need be read out: the table has them
    lines = (
        alt.Chart()
        .mark_line(strokeWidth=2, point=dots)
        .encode(
            x=alt.X("position:Q", title=words["position"], axis=_across()),
            y=alt.Y("value:Q", title=words["value"], scale=alt.Scale(domain=[-1, 1])),
            color=_series("column:N", [str(column) for column in columns], colours, words["column"]),
            tooltip=[_tip("column:N", words["column"]), _tip("position:Q", words["position"]), _tip("value:Q", "PE")],
        )
    )
    zero = alt.Chart(inline([{"value": 0}])).mark_rule(color=MUTED, opacity=0.5).encode(y=alt.Y("value:Q"))
    rows = inline(curves_rows(table, columns))
    return Chart(
        layered(lines, zero, data=rows, description=words["curves_description"], height=HEIGHT, background=CLEAR),
        lambda: curves_rows(table, columns),
    )


def curves_rows(table: np.ndarray, columns: Sequence[int]) -> list[dict[str, object]]:
    """The columns as a long table."""
    return [
        {"position": m, "value": round(float(table[m, column]), 4), "column": str(column)}
        for column in columns
        for m in range(len(table))
    ]


def waves_chart(
    waves: np.ndarray,
    bands: Sequence[str],
    edges: Mapping[str, tuple[float, float]],
    length: int,
    words: Mapping[str, str],
    reference: np.ndarray | None = None,
) -> Chart:
    """Wavelength of each pair (P) on a log axis, with its band; `reference` (P) are those of another base.

    `edges` are the bands to draw, from and to; the rule stands at `length` positions.
    """
    highest = float(max(waves[-1], edges["document"][1], 0 if reference is None else reference[-1])) * 1.4
    across = alt.X("pair:Q", title=words["pair"], axis=_across(), scale=alt.Scale(nice=False))
    scale = alt.Scale(type="log", domain=[3, highest], nice=False)
    up = alt.Y("wavelength:Q", title=words["wavelength"], scale=scale, axis=alt.Axis(values=DECADES, format=","))
    names = {name: words[f"band_{name}"] for name in (*edges, "beyond")}
    points = waves_rows(waves, [names[band] for band in bands])
    colour = alt.Color(
        "band:N",
        scale=alt.Scale(domain=list(names.values()), range=[BAND_COLOURS[name] for name in names]),
        legend=None,
    )
    dots = (
        alt.Chart(inline(points))
        .mark_circle(size=46, opacity=1)
        .encode(
            x=across,
            y=up,
            color=colour,
            tooltip=[
                _tip("pair:Q", words["pair"]),
                _tip("column:N", words["column"]),
                _tip("wavelength:Q", words["wavelength"]),
                _tip("band:N", words["band"]),
            ],
        )
    )
    layers = [*_bands(edges, names, words, scale), _rule(length, words), dots]
    if reference is not None:
        layers.insert(-1, _reference(reference, across, words))
    return Chart(
        layered(*layers, description=words["waves_description"], height=HEIGHT + 60, background=CLEAR),
        lambda: waves_rows(waves, bands),
    )


def waves_rows(waves: np.ndarray, bands: Sequence[str]) -> list[dict[str, object]]:
    """The wavelengths as a table."""
    return [
        {"pair": i, "column": f"{2 * i}, {2 * i + 1}", "wavelength": round(float(wave), 3), "band": band}
        for i, (wave, band) in enumerate(zip(waves, bands, strict=True))
    ]


def _bands(
    edges: Mapping[str, tuple[float, float]], names: Mapping[str, str], words: Mapping[str, str], scale: alt.Scale
) -> list[alt.Chart]:
    """The bands as coloured backgrounds, each with its name."""
    rows = [{"low": low, "high": high, "band": names[name]} for name, (low, high) in edges.items()]
    rows[0]["low"] = max(float(edges["word"][0]), 3.0)
    ground = (
        alt.Chart(inline(rows))
        .mark_rect(opacity=0.13)
        .encode(
            y=alt.Y("low:Q", title=words["wavelength"], scale=scale),
            y2=alt.Y2("high:Q"),
            color=alt.Color(
                "band:N",
                scale=alt.Scale(domain=list(names.values()), range=[BAND_COLOURS[name] for name in names]),
                legend=None,
            ),
        )
    )
    label = (
        alt.Chart(inline(rows))
        .mark_text(align="left", baseline="top", dx=6, dy=5, fontSize=12, color=INK)
        .encode(x=alt.XValue(0), y=alt.Y("high:Q", scale=scale), text=alt.Text("band:N"))
    )
    return [ground, label]


def _rule(length: int, words: Mapping[str, str]) -> alt.LayerChart:
    """The rule at the length of the text: a longer wave turns less than once in it."""
    data = inline([{"length": length, "text": words["length_rule"].format(length=length)}])
    rule = alt.Chart().mark_rule(strokeDash=[6, 4], strokeWidth=1.5, color=MUTED).encode(y=alt.Y("length:Q"))
    text = (
        alt.Chart()
        .mark_text(align="right", baseline="bottom", dx=-6, dy=-4, fontSize=12, color=INK)
        .encode(x=alt.XValue("width"), y=alt.Y("length:Q"), text=alt.Text("text:N"))
    )
    return layered(rule, text, data=data)


def _reference(waves: np.ndarray, across: alt.X, words: Mapping[str, str]) -> alt.Chart:
    rows = [{"pair": i, "wavelength": round(float(wave), 3)} for i, wave in enumerate(waves)]
    return alt.Chart(inline(rows)).mark_line(strokeDash=[2, 3], color=MUTED).encode(x=across, y=alt.Y("wavelength:Q"))


def spectrum_chart(
    frequencies: np.ndarray,
    amplitudes: np.ndarray,
    theory: Sequence[float],
    columns: Sequence[int | str],
    colours: Sequence[int],
    words: Mapping[str, str],
    scale: Literal["log", "linear"] = "log",
) -> Chart:
    """Amplitudes (F, C) over frequencies (F), without frequency 0 that has no place on a log axis.

    A dashed rule stands at each column's frequency in `theory` (C), in turns per position, unless that is empty;
    a dot at its peak.
    """
    rows = spectrum_rows(frequencies, amplitudes, columns)
    rows_but_zero = [row for row in rows if row["frequency"]]
    slowest = float(frequencies[1]) / 1.5
    domain = alt.Scale(type=scale, domain=[slowest, 0.5], nice=False)
    across = alt.X("frequency:Q", title=words["frequency"], scale=domain, axis=alt.Axis(format="~g", tickCount=5))
    colour = _series("column:N", [str(column) for column in columns], colours, words["column"])
    peaks = [
        {"column": str(column), "frequency": float(frequencies[k]), "amplitude": round(float(amplitudes[k, c]), 4)}
        for c, column in enumerate(columns)
        if (k := int(amplitudes[:, c].argmax()))
    ]
    marks = [
        {"column": str(column), "frequency": float(place)}
        for column, place in zip(columns if theory else (), theory, strict=True)
        if place >= slowest
    ]
    tips = [
        _tip("column:N", words["column"]),
        _tip("frequency:Q", words["frequency"]),
        _tip("amplitude:Q", words["amplitude"]),
    ]
    up = alt.Y("amplitude:Q", title=words["amplitude"])
    lines = alt.Chart(inline(rows_but_zero)).mark_line(strokeWidth=2).encode(x=across, y=up, color=colour)
    rules = (
        alt.Chart(inline(marks))
        .mark_rule(strokeDash=[5, 4], strokeWidth=1.5)
        .encode(x=alt.X("frequency:Q"), color=colour)
    )
    dots = alt.Chart(inline(peaks)).mark_circle(size=80, opacity=1).encode(x=across, y=up, color=colour, tooltip=tips)
    return Chart(
        layered(rules, lines, dots, description=words["spectrum_description"], height=HEIGHT, background=CLEAR),
        lambda: spectrum_rows(frequencies, amplitudes, columns),
    )


def spectrum_rows(
    frequencies: np.ndarray, amplitudes: np.ndarray, columns: Sequence[int | str]
) -> list[dict[str, float | str]]:
    """The spectrum as a long table."""
    return [
        {"column": str(column), "frequency": round(float(frequency), 6), "amplitude": round(float(value), 4)}
        for c, column in enumerate(columns)
        for frequency, value in zip(frequencies, amplitudes[:, c], strict=True)
    ]


def distance_chart(
    distances: np.ndarray,
    curves: Mapping[float, np.ndarray],
    measured: np.ndarray,
    base: int,
    colours: Sequence[int],
    words: Mapping[str, str],
) -> Chart:
    """Σ cos over the distances (N) as a line for each base, and products of the table (N) of `base` as dots."""
    names = [f"{each:,}" for each in curves]
    rows = distance_rows(distances, curves)
    dots = [
        {"distance": int(distance), "product": round(float(value), 4), "base": f"{base:,}"}
        for distance, value in zip(distances, measured, strict=True)
    ]
    across = alt.X("distance:Q", title=words["distance"], axis=_across())
    up = alt.Y("product:Q", title=words["product"])
    colour = _series("base:N", names, colours, words["base"])
    tips = [
        _tip("base:N", words["base"]),
        _tip("distance:Q", words["distance"]),
        _tip("product:Q", words["product"]),
    ]
    lines = alt.Chart(inline(rows)).mark_line(strokeWidth=2).encode(x=across, y=up, color=colour)
    points = alt.Chart(inline(dots)).mark_point(size=22, filled=False, strokeWidth=1)
    points = points.encode(x=across, y=up, color=colour, tooltip=tips)
    return Chart(
        layered(lines, points, description=words["distance_description"], height=HEIGHT, background=CLEAR),
        lambda: distance_rows(distances, curves),
    )


def distance_rows(distances: np.ndarray, curves: Mapping[float, np.ndarray]) -> list[dict[str, object]]:
    """The curves as a long table."""
    return [
        {"distance": int(distance), "product": round(float(value), 4), "base": f"{base:,}"}
        for base, curve in curves.items()
        for distance, value in zip(distances, curve, strict=True)
    ]


def clocks_chart(angles: np.ndarray, columns: Sequence[int], words: Mapping[str, str]) -> Chart:
    """(sin, cos) of four pairs before and after the shift (2, 4, 2), as hands of four clocks in two rows."""
    centres = [(SPACING * (c % 2), -SPACING * (c // 2)) for c in range(len(columns))]
    names = [words["hand_before"], words["hand_after"]]
    hands = [
        {
            "x": x,
            "y": y,
            "end_x": round(x + float(pair[1]), 4),
            "end_y": round(y + float(pair[0]), 4),
            "hand": name,
            "column": f"{column}, {column + 1}",
        }
        for name, pairs in zip(names, angles, strict=True)
        for (x, y), pair, column in zip(centres, pairs, columns, strict=True)
    ]
    across = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[-1.3, SPACING + 1.3], nice=False))
    up = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[-SPACING - 1.5, 1.5], nice=False))
    colour = alt.Color(
        "hand:N",
        scale=alt.Scale(domain=names, range=[MUTED, POSITION]),
        legend=alt.Legend(title=None, orient="bottom", symbolType="stroke"),
    )
    tips = [_tip("column:N", words["column"]), _tip("hand:N", words["hand"])]
    circle = alt.Chart(inline(_circles(centres))).mark_line(strokeWidth=1, color=MUTED, opacity=0.6)
    circle = circle.encode(x=across, y=up, detail=alt.Detail("clock:N"), order=alt.Order("step:Q"))
    lines = alt.Chart(inline(hands)).mark_rule(strokeWidth=3, strokeCap="round")
    lines = lines.encode(x=across, y=up, x2=alt.X2("end_x:Q"), y2=alt.Y2("end_y:Q"), color=colour, tooltip=tips)
    labels = [
        {"x": x, "y": y - 1.12, "text": words["clock"].format(column=f"{column}, {column + 1}")}
        for (x, y), column in zip(centres, columns, strict=True)
    ]
    text = alt.Chart(inline(labels)).mark_text(baseline="top", fontSize=12, color=INK)
    text = text.encode(x=across, y=up, text=alt.Text("text:N"))
    return Chart(
        layered(
            circle,
            lines,
            text,
            description=words["clocks_description"],
            width=52 * 5,
            height=56 * 5,
            autosize=alt.AutoSizeParams(type="pad"),  # or the legend would flatten the circles
            background=CLEAR,
        ),
        lambda: clock_rows(angles, columns),
    )


def clock_rows(angles: np.ndarray, columns: Sequence[int]) -> list[dict[str, object]]:
    """The hands of (2, 4, 2) as a table."""
    return [
        {"hand": hand, "column": column, "sin": float(sin), "cos": float(cos)}
        for hand, pairs in zip(("before", "after"), angles, strict=True)
        for column, (sin, cos) in zip(columns, pairs, strict=True)
    ]


def _circles(centres: Sequence[tuple[float, float]]) -> list[dict[str, float]]:
    return [
        {"clock": clock, "step": step, "x": round(x + np.cos(angle), 3), "y": round(y + np.sin(angle), 3)}
        for clock, (x, y) in enumerate(centres)
        for step, angle in enumerate(np.linspace(0, 2 * np.pi, 49))
    ]


def single_chart(single: np.ndarray, every: np.ndarray, words: Mapping[str, str]) -> Chart:
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
    across = alt.X("distance:Q", title=words["distance"], axis=_across())
    up = alt.Y("similarity:Q", title=words["similarity"], scale=alt.Scale(domain=[-1, 1.08], nice=False))
    colour = alt.Color(
        "table:N",
        scale=alt.Scale(domain=names, range=[SERIES[3], POSITION]),
        legend=alt.Legend(title=None, orient="top", symbolType="stroke"),
    )
    tips = [
        _tip("table:N", words["table"]),
        _tip("distance:Q", words["distance"]),
        _tip("similarity:Q", words["similarity"]),
    ]
    lines = alt.Chart(inline(rows)).mark_line(strokeWidth=2).encode(x=across, y=up, color=colour)
    dots = alt.Chart(inline(again)).mark_circle(size=90, opacity=1)
    dots = dots.encode(x=across, y=up, color=colour, tooltip=tips)
    return Chart(
        layered(lines, dots, description=words["single_description"], height=HEIGHT, background=CLEAR),
        lambda: single_rows(single, every),
    )


def single_rows(single: np.ndarray, every: np.ndarray) -> list[dict[str, object]]:
    """Both similarities as a table."""
    pairs = zip(single.tolist(), every.tolist(), strict=True)
    return [{"distance": k, "one_wavelength": one, "all_wavelengths": all_} for k, (one, all_) in enumerate(pairs)]


def widths_chart(d_model: int, extra: int, words: Mapping[str, str]) -> Chart:
    """The vector of one token, added and concatenated, as bars as long as it is wide."""
    add, concatenate = words["add"], words["concatenate"]
    names = [words["embedding"], words["position_part"], words["both"]]
    parts = widths_rows(d_model, extra)
    titles = {"both": names[2], "embedding": names[0], "position": names[1], "add": add, "concatenate": concatenate}
    rows = [{**row, "way": titles[str(row["way"])], "part": titles[str(row["part"])]} for row in parts]
    y = alt.Y("way:N", title=None, sort=[add, concatenate], axis=alt.Axis(ticks=False, domain=False, labelFontSize=13))
    across = alt.X("start:Q", title=words["width"], scale=alt.Scale(domain=[0, d_model + extra], nice=False))
    colour = alt.Color(
        "part:N",
        scale=alt.Scale(domain=names, range=[EMBEDDING, POSITION, SERIES[0]]),
        legend=alt.Legend(title=None, orient="bottom", columns=1),
    )
    tips = [_tip("part:N", words["part"]), _tip("width:Q", words["width"])]
    bars = alt.Chart(inline(rows)).mark_bar(size=30, cornerRadius=3)
    bars = bars.encode(x=across, x2=alt.X2("end:Q"), y=y, color=colour, tooltip=tips)
    text = alt.Chart(inline(rows)).mark_text(color="#ffffff", fontSize=13, fontWeight=600)
    text = text.encode(x=alt.X("middle:Q", title=words["width"]), y=y, text=alt.Text("width:Q"))
    return Chart(
        layered(bars, text, description=words["widths_description"], height=220, background=CLEAR),
        lambda: widths_rows(d_model, extra),
    )


def widths_rows(d_model: int, extra: int) -> list[dict[str, object]]:
    """From which to which dimension each part of a token reaches."""
    parts = (
        ("add", "both", 0, d_model),
        ("concatenate", "embedding", 0, d_model),
        ("concatenate", "position", d_model, d_model + extra),
    )
    return [
        {"way": way, "part": part, "start": start, "end": end, "middle": (start + end) / 2, "width": end - start}
        for way, part, start, end in parts
    ]


def _tip(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(field, title=title)


def _across() -> alt.Axis:
    return alt.Axis(grid=False, tickMinStep=1)


def _series(field: str, names: Sequence[str], colours: Sequence[int], title: str) -> alt.Color:
    """Each name in its own colour of SERIES."""
    tones = [SERIES[place % len(SERIES)] for place in colours]
    legend = alt.Legend(title=title, orient="top", symbolType="stroke", columns=4)
    return alt.Color(field, scale=alt.Scale(domain=list(names), range=tones), legend=legend)
