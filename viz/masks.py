"""A padded batch as a table, and how far each step moved as bars.

B batch, K places.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

import altair as alt

from viz.inline import inline
from viz.powers import power_of_ten
from viz.vega import layered

PAD = "<pad>"
# a change that must not be: red; what the mask makes of it: blue
WITH, WITHOUT = "#3f7fd0", "#cf5a41"
BAR = 15  # px
ROOM = 1.6
AROUND = 120  # px for the legend and the axis


def batch_table(
    rows: Sequence[Sequence[tuple[str, int]]], names: Sequence[str], chosen: int, side: str, caption: str
) -> str:
    """HTML of B rows of K (token, id), padding hatched; every token is escaped.

    `names` heads the rows, `chosen` (from 0) is framed, `side` is "encoder" or "decoder".
    """
    lines = "".join(
        f'<tr{" class=chosen" if number == chosen else ""}><th scope="row">{escape(name)}</th>'
        + "".join(_cell(token, id_) for token, id_ in row)
        + "</tr>"
        for number, (name, row) in enumerate(zip(names, rows, strict=True))
    )
    table = f'<table class="{side}"><caption>{escape(caption)}</caption><tbody>{lines}</tbody></table>'
    around = f'class="gf-batch" tabindex="0" role="region" aria-label="{escape(caption)}"'
    return f"<div {around}>{table}</div>"


def _cell(token: str, id_: int) -> str:
    padding = " class=pad" if token == PAD else ""
    return f"<td{padding}>{escape(token)}<small>{id_}</small></td>"


class Counted(NamedTuple):
    """One place: what the decoder reads there, what it should write, −log p of that in nats, whether it counts."""

    read: str
    expected: str
    loss: float
    counts: bool


def loss_table(places: Sequence[Counted], words: Mapping[str, str]) -> str:
    """HTML of three rows under each other: read, expected, −log p; what does not count is hatched. All is escaped."""
    read = "".join(_place(place.read, str(t), place.read != PAD) for t, place in enumerate(places))
    expected = "".join(_place(place.expected, str(t + 1), place.counts) for t, place in enumerate(places))
    loss = "".join(
        _place(f"{place.loss:.3f}", f"p = {math.exp(-place.loss):.2g}", True)
        if place.counts
        else _place("–", words["ignored"], False)
        for place in places
    )
    lines = "".join(
        f'<tr><th scope="row">{escape(words[name])}</th>{cells}</tr>'
        for name, cells in (("reads", read), ("writes", expected), ("loss", loss))
    )
    caption = escape(words["table"])
    table = f'<table class="decoder"><caption>{caption}</caption><tbody>{lines}</tbody></table>'
    around = f'class="gf-batch" tabindex="0" role="region" aria-label="{caption}"'
    return f"<div {around}>{table}</div>"


def _place(text: str, under: str, counts: bool) -> str:
    return f"<td{'' if counts else ' class=pad'}>{escape(text)}<small>{escape(under)}</small></td>"


def batch_rows(rows: Sequence[Sequence[tuple[str, int]]], names: Sequence[str], side: str) -> list[dict[str, object]]:
    """The same as a long table, a line per token; `seen` is the padding mask."""
    return [
        {"side": side, "sentence": name, "place": place, "token": token, "id": id_, "seen": token != PAD}
        for name, row in zip(names, rows, strict=True)
        for place, (token, id_) in enumerate(row)
    ]


def step_rows(
    labels: Sequence[str], series: Mapping[str, Iterable[float]], written: Mapping[str, Sequence[str]]
) -> list[dict[str, object]]:
    """A line per step and series: how far the step moved, and what it then writes, where it writes."""
    return [
        {
            "step": step,
            "label": f"{step}  {labels[step]}",
            "mask": name,
            "change": float(change),
            "shown": said(float(change)) + (f"  → {written[name][step]}" if written.get(name) else ""),
            "written": written[name][step] if written.get(name) else "",
        }
        for name, changes in series.items()
        for step, change in enumerate(changes)
    ]


def steps_chart(rows: Sequence[Mapping[str, object]], names: Sequence[str], words: Mapping[str, str]) -> alt.LayerChart:
    """Bars of `step_rows`, a group per step; `names` are the series in order, with the mask first."""
    colours = [WITH, WITHOUT][: len(names)]
    steps = len({row["step"] for row in rows})
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y(
            "label:N",
            sort=alt.EncodingSortField("step"),
            title=None,
            axis=alt.Axis(labelLimit=150, labelOverlap=False, ticks=False, domain=False, labelFontSize=13),
            scale=alt.Scale(paddingInner=0.3),
        ),
        yOffset=alt.YOffset("mask:N", sort=list(names)),
    )
    # room for the word behind the longest bar
    domain = [0, ROOM * max(float(str(row["change"])) for row in rows) or 1.0]
    x = alt.X("change:Q", title=words["axis"], axis=alt.Axis(grid=False, tickCount=4), scale=alt.Scale(domain=domain))
    colour = alt.Color(
        "mask:N",
        scale=alt.Scale(domain=list(names), range=colours),
        legend=alt.Legend(title=None, orient="top", labelLimit=400, columns=1, symbolType="square"),
    )
    tips = [
        alt.Tooltip("label:N", title=words["step"]),
        alt.Tooltip("mask:N", title=words["mask"]),
        alt.Tooltip("change:Q", title=words["axis"], format=".3g"),
        alt.Tooltip("written:N", title=words["written"]),
    ]
    bars = base.mark_bar(cornerRadiusEnd=3).encode(x=x, color=colour, tooltip=tips)
    numbers = base.mark_text(align="left", dx=4, fontSize=11, fontWeight=600).encode(
        x=x,
        text=alt.Text("shown:N"),
        color=alt.Color("mask:N", scale=alt.Scale(domain=list(names), range=colours), legend=None),
    )
    height = AROUND + steps * (len(names) * BAR + 10)
    return layered(bars, numbers, description=words["description"], height=height, background="transparent")


def said(change: float) -> str:
    """A change as a reader sees it: exactly 0, or three figures."""
    if change == 0:
        return "0"
    return f"{change:.2f}" if change >= 0.01 else power_of_ten(change)
