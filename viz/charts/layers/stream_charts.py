"""A token's way through the layers, as altair charts: the stream, its norms, the feed-forward's hidden units.

Plain numbers and labels in, charts out. The depth runs downwards, as the layers are read, so that the
charts stay readable on a phone.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import cycle

import altair as alt
import numpy as np

from ...figures.chart import Chart
from ...vega import F, finished, inline, layered

# Mid tones, to be read on a light and on a dark card: the kinds of attention keep their hue.
TONES = {"encoder": "#1a938b", "decoder": "#8b6fd8", "cross": "#d9652a", "feed_forward": "#808791", "input": "#808791"}
MUTED = "#868d96"
LAYER_NORM, BATCH_NORM = "#3a86c8", "#cc4a3b"
EXPORTED = 720  # px wide as a file; on the page a chart fills its card
ROW = 26  # px for a place along the depth
DIMENSIONS = 14  # shown one by one
UNITS = 12
Words = Mapping[str, str]
Figure = alt.Chart | alt.LayerChart


def tone(part: str, side: str) -> str:
    """The colour of what writes into the stream: self-attention has its side's, cross-attention its own."""
    return TONES[{"self_attention": side, "cross_attention": "cross"}.get(part, part)]


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
    rows = stream_rows(places, lengths, tokens)
    y, x = _down(places), alt.X("length:Q", title=words["length"], scale=alt.Scale(zero=True))
    tips = [_tip("token:N", words["token"]), _tip("place:N", words["place"]), _tip("length:Q", words["length"])]
    totals = [None] * len(places) if sums is None else [_round(v) if np.isfinite(v) else None for v in sums.tolist()]
    table = [
        {**row, "order": n, "colour": colours[n], "chosen": row["position"] == token, "sum": totals[n]}
        for row, n in zip(rows, cycle(range(len(places))))
    ]
    base = alt.Chart().encode(y=y, tooltip=tips)
    line = base.transform_filter("datum.chosen").encode(x=x, order=alt.Order("order:Q"))
    layers = [
        base.transform_filter("!datum.chosen")
        .mark_line(color=MUTED, opacity=0.35, strokeWidth=1)
        .encode(x=x, detail=alt.Detail("position:N"), order=alt.Order("order:Q")),
        line.mark_line(color=MUTED, strokeWidth=2.5),
        line.mark_point(filled=True, size=90, opacity=1).encode(color=_own_colour()),
    ]
    if sums is not None:
        layers.append(
            base.transform_filter("datum.chosen && datum.sum !== null")
            .mark_point(shape="diamond", filled=False, size=80, color=MUTED, opacity=1)
            .encode(x=alt.X("sum:Q"), tooltip=[_tip("place:N", words["place"]), _tip("sum:Q", words["sum"])])
        )
    return Chart(
        sized(layered(*layers, data=inline(table)), words["stream_description"], ROW * len(places)),
        lambda: stream_rows(places, lengths, tokens),
    )


def stream_rows(places: Sequence[str], lengths: np.ndarray, tokens: Sequence[str]) -> list[dict[str, object]]:
    """‖x‖ of every token at every place."""
    return [
        {"position": t, "token": tokens[t], "place": place, "length": _round(lengths[n, t])}
        for t in range(len(tokens))
        for n, place in enumerate(places)
    ]


def writes_chart(places: Sequence[str], colours: Sequence[str], lengths: np.ndarray, words: Words) -> Chart:
    """‖output‖ of each sublayer, (N)."""
    rows = [{"place": place, "length": _round(lengths[n]), "colour": colours[n]} for n, place in enumerate(places)]
    bars = (
        alt.Chart(inline(rows))
        .mark_bar(cornerRadiusEnd=3, height=12)
        .encode(
            y=_down(places),
            x=alt.X("length:Q", title=words["output_length"]),
            color=_own_colour(),
            tooltip=[_tip("place:N", words["place"]), _tip("length:Q", words["output_length"])],
        )
    )
    return Chart(sized(bars, words["writes_description"], ROW * len(places)))


def cosine_chart(places: Sequence[str], colours: Sequence[str], cosines: np.ndarray, words: Words) -> Chart:
    """Cosine of each sublayer's output with the stream that came in, (N)."""
    rows = [{**row, "colour": colours[n]} for n, row in enumerate(cosine_rows(places, cosines))]
    x = alt.X("cosine:Q", title=words["cosine"], scale=alt.Scale(domain=[-1, 1]))
    tips = [_tip("place:N", words["place"]), _tip("cosine:Q", words["cosine"])]
    base = alt.Chart().encode(y=_down(places), x=x, tooltip=tips)
    figure = layered(
        base.mark_rule(strokeWidth=2).encode(x2=alt.X2Datum(0), color=_own_colour()),
        base.mark_point(filled=True, size=90, opacity=1).encode(color=_own_colour()),
        _line_at(0),
        data=inline(rows),
    )
    return Chart(sized(figure, words["cosine_description"], ROW * len(places)), lambda: cosine_rows(places, cosines))


def cosine_rows(places: Sequence[str], cosines: np.ndarray) -> list[dict[str, object]]:
    """The cosine of every sublayer."""
    return [{"place": place, "cosine": _round(cosines[n])} for n, place in enumerate(places)]


def sum_chart(before: np.ndarray, output: np.ndarray, after: np.ndarray, colour: str, words: Words) -> Chart:
    """From x to x + output in the dimensions (d_model) where the sublayer writes most."""
    largest = np.argsort(-np.abs(output), kind="stable")[:DIMENSIONS]
    rows = [row for row in sum_rows(before, output, before + output) if row["dimension"] in largest]
    y = alt.Y("dimension:O", title=words["dimension"], sort=None, axis=alt.Axis(labelOverlap=False, labelFlush=False))
    x = alt.X("before:Q", title=words["value"], scale=alt.Scale(zero=False))
    tips = [_tip(f"{name}:Q", words[name]) for name in ("dimension", "before", "output", "sum")]
    base = alt.Chart(inline(sorted(rows, key=lambda row: -abs(float(str(row["output"]))))))
    figure = layered(
        base.mark_rule(strokeWidth=3, color=colour).encode(y=y, x=x, x2=alt.X2("sum:Q"), tooltip=tips),
        base.mark_point(filled=False, size=70, color=MUTED, opacity=1, strokeWidth=2).encode(y=y, x=x, tooltip=tips),
        base.mark_point(filled=True, size=90, color=colour, opacity=1).encode(y=y, x=alt.X("sum:Q"), tooltip=tips),
    )
    return Chart(sized(figure, words["sum_description"], 20 * len(largest)), lambda: sum_rows(before, output, after))


def sum_rows(before: np.ndarray, output: np.ndarray, after: np.ndarray) -> list[dict[str, object]]:
    """before, output, their sum, and the stream that went on, dimension by dimension."""
    numbers = zip(before.tolist(), output.tolist(), (before + output).tolist(), after.tolist(), strict=True)
    return [
        {"dimension": i, "before": _round(b), "output": _round(o), "sum": _round(s), "after": _round(a)}
        for i, (b, o, s, a) in enumerate(numbers)
    ]


def norm_chart(steps: Mapping[str, np.ndarray], words: Words) -> Chart:
    """Each step of a LayerNorm, name -> (d_model): a tick per dimension, with mean and mean ± std.

    A name is a key of `words`.
    """
    titles = {name: words[f"step_{name}"] for name in steps}
    marks = [
        {
            "step": titles[name],
            "mean": _round(v.mean()),
            "low": _round(v.mean() - v.std()),
            "high": _round(v.mean() + v.std()),
        }
        for name, v in steps.items()
    ]
    y = alt.Y(
        "step:N",
        sort=list(titles.values()),
        title=None,
        axis=alt.Axis(labelLimit=200, labelOverlap=False, labelFlush=False),
    )
    tips = [_tip("step:N", words["step"]), _tip("dimension:Q", words["dimension"]), _tip("value:Q", words["value"])]
    # folded in the browser: a quarter of the rows to send
    ticks = (
        alt.Chart(inline(norm_rows(steps)))
        .transform_fold(list(steps), as_=["key", "value"])
        .transform_calculate(step=f"{json.dumps(titles)}[datum.key]")
        .mark_tick(color=LAYER_NORM, opacity=0.4, thickness=1.5, height=18)
    )
    spread = alt.Chart().encode(y=y)
    mark_tips = [_tip("step:N", words["step"]), *(_tip(f"{name}:Q", words[name]) for name in ("mean", "low", "high"))]
    figure = layered(
        ticks.encode(y=y, x=alt.X("value:Q", title=words["value"]), tooltip=tips),
        _line_at(0),
        spread.mark_rule(strokeWidth=3, color=MUTED, yOffset=15).encode(
            x=alt.X("low:Q"), x2=alt.X2("high:Q"), tooltip=mark_tips
        ),
        spread.mark_point(filled=True, size=60, color=MUTED, opacity=1, yOffset=15).encode(
            x=alt.X("mean:Q"), tooltip=mark_tips
        ),
        data=inline(marks),
    )
    return Chart(sized(figure, words["norm_description"], 52 * len(steps)), lambda: norm_rows(steps))


def norm_rows(steps: Mapping[str, np.ndarray]) -> list[dict[str, float]]:
    """Every step side by side, a line per dimension."""
    columns = {name: values.tolist() for name, values in steps.items()}
    count = len(next(iter(columns.values())))
    return [{"dimension": i, **{name: _round(v[i]) for name, v in columns.items()}} for i in range(count)]


def neighbours_chart(pairs: Mapping[str, tuple[np.ndarray, np.ndarray]], words: Words) -> Chart:
    """A token's normalised values with all its neighbours against those without one: kind -> two of (d_model)."""
    rows = neighbours_rows(pairs)
    low, high = (pick(float(str(row[key])) for row in rows for key in ("all", "fewer")) for pick in (min, max))
    scale = alt.Scale(domain=[low, high], nice=True)
    names = list(pairs)
    tips = [_tip("kind:N", words["kind"]), *(_tip(f"{name}:Q", words[name]) for name in ("dimension", "all", "fewer"))]
    points = alt.Chart(inline(rows)).mark_point(filled=True, size=45, opacity=0.75)
    diagonal = alt.Chart(inline([{"all": low, "fewer": low}, {"all": high, "fewer": high}]))
    figure = layered(
        diagonal.mark_line(color=MUTED, strokeDash=[4, 4], strokeWidth=1).encode(x=alt.X("all:Q"), y=alt.Y("fewer:Q")),
        points.encode(
            x=alt.X("all:Q", title=words["all"], scale=scale),
            y=alt.Y("fewer:Q", title=words["fewer"], scale=scale),
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=names, range=[LAYER_NORM, BATCH_NORM]),
                legend=alt.Legend(title=None, orient="top"),
            ),
            shape=alt.Shape("kind:N", scale=alt.Scale(domain=names, range=["circle", "triangle-up"])),
            tooltip=tips,
        ),
    )
    return Chart(sized(figure, words["neighbours_description"], 340), lambda: neighbours_rows(pairs))


def neighbours_rows(pairs: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> list[dict[str, object]]:
    """Both results of both norms in every dimension."""
    return [
        {"kind": kind, "dimension": i, "all": _round(one), "fewer": _round(other)}
        for kind, (full, fewer) in pairs.items()
        for i, (one, other) in enumerate(zip(full.tolist(), fewer.tolist(), strict=True))
    ]


def units_chart(activations: np.ndarray, strongest: Sequence[int], colour: str, words: Words) -> Chart:
    """Hidden activations (d_ff) of one token over the units, the strongest in colour and named."""
    rows = [row for row in units_rows(activations) if row["activation"]]
    top = [{"unit": int(i), "activation": _round(activations[i])} for i in strongest if activations[i] > 0]
    x = alt.X("unit:Q", title=words["unit"], scale=alt.Scale(domain=[0, len(activations)], nice=False))
    y = alt.Y("activation:Q", title=words["activation"])
    tips = [_tip("unit:Q", words["unit"]), _tip("activation:Q", words["activation"])]
    top_units = alt.Chart(inline(top)).encode(x=x, y=y, tooltip=tips)
    figure = layered(
        alt.Chart(inline(rows)).mark_rule(color=MUTED).encode(x=x, y=y, y2=alt.Y2Datum(0), tooltip=tips),
        top_units.mark_rule(color=colour, strokeWidth=2).encode(y2=alt.Y2Datum(0)),
        top_units.mark_point(color=colour, filled=True, size=40, opacity=1),
        top_units.transform_filter(f"indexof({[row['unit'] for row in top[:3]]}, datum.unit) >= 0")
        .mark_text(color=colour, dy=-10, fontWeight=600)
        .encode(text=alt.Text("unit:Q")),
    )
    return Chart(sized(figure, words["units_description"], 240), lambda: units_rows(activations))


def units_rows(activations: np.ndarray) -> list[dict[str, object]]:
    """Every unit with its activation."""
    return [{"unit": i, "activation": _round(value)} for i, value in enumerate(activations.tolist())]


def sized(chart: F, description: str, height: int, around: int = 74) -> F:
    """The chart finished; `around` px are for its axes."""
    return finished(chart, description, height + around, EXPORTED)


def _down(places: Sequence[str]) -> alt.Y:
    return alt.Y(
        "place:N", sort=list(places), title=None, axis=alt.Axis(labelLimit=200, labelOverlap=False, labelFlush=False)
    )


def _line_at(value: float) -> alt.Chart:
    return alt.Chart().mark_rule(color=MUTED, strokeWidth=1, aria=False).encode(x=alt.XDatum(value))


def _own_colour() -> alt.Color:
    return alt.Color("colour:N", scale=None, legend=None)


def _tip(field: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(field, title=title)


def _round(value: float) -> float:
    """Five significant digits: a user checks sums with them, and the page stays small."""
    return float(f"{value:.5g}")
