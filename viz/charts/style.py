"""What charts have in common: shapes, series, tooltips, legends and axes. Their colours are in `viz/palette.py`."""

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt

from ..palette import ASH, BLUE, EARTH, GOLD, MAGENTA, OLIVE, PINK, SKY

Words = Mapping[str, str]
Row = dict[str, Any]
Interval = tuple[float, float, float]  # a mean, and the ends of its interval
HEIGHT = 330  # px, axes and legend included
FEWER = {"tickCount": {"expr": "ceil(width / 60)"}}  # of an axis whose labels would touch, so that Vega leaves out 0
LABEL = 150  # px for the name of a row
SERIES = (BLUE, MAGENTA, OLIVE, GOLD, ASH, SKY, EARTH, PINK)  # none is the colour of a kind of attention
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
LEGEND_ROW = 30  # px of a row of a legend whose names are long
EXPORTED = 640  # px wide as a file; on the page a chart fills its card
OWN_COLOUR = alt.Color("colour:N", scale=None)  # each row names its colour
BARE: dict[str, Any] = {"ticks": False, "domain": False}  # of an axis
WHOLE: dict[str, Any] = {"labelOverlap": False, "labelFlush": False}  # of an axis: every label, at its place
PERCENT: dict[str, Any] = {"format": ".0%", "tickCount": 5}  # of an axis
SHARE: dict[str, Any] = {"scale": {"domain": [0, 1]}, **PERCENT}  # of `x_axis` and `y_axis`
_CHANNELS: dict[str, Any] = {
    "color": alt.Color, "shape": alt.Shape, "strokeDash": alt.StrokeDash, "size": alt.Size, "opacity": alt.Opacity,
    "strokeWidth": alt.StrokeWidth,
}  # fmt: skip


def tip(field: str, title: str, number: str = "") -> alt.Tooltip:
    """A line of a tooltip; `number` is a format of d3."""
    return alt.Tooltip(field, title=title, format=number or alt.Undefined)


def tips(words: Words, *fields: str) -> list[alt.Tooltip]:
    """Lines of a tooltip: "model:N", or "loss:Q .3f" with a format. A title is the word under the field's name.

    `share_said`, as `vega.with_percents` writes it, is called as `share` is.
    """
    parts = [field.partition(" ") for field in fields]
    return [tip(field, words[field.partition(":")[0].removesuffix("_said")], number) for field, _, number in parts]


def legend(**settings: Any) -> alt.Legend:
    """A legend above the chart, without a title."""
    return alt.Legend(**{"title": None, "orient": "top"} | settings)


def series(field: str, names: Iterable[str], legend: Any = alt.Undefined, **values: Iterable[Any]) -> dict[str, Any]:
    """Channels of a field of names under one legend: a value for each name, by channel ("color", "shape", …).

    Numbers, such as sizes, need an ordinal field (":O"): Vega would space them evenly.
    """
    names = list(names)
    kind: dict[str, Any] = {"type": "ordinal"} if field.endswith(":O") else {}
    return {
        channel: _CHANNELS[channel](
            field, scale=alt.Scale(domain=names, range=list(each)[: len(names)], **kind), legend=legend
        )
        for channel, each in values.items()
    }


def x_axis(field: str, title: Any = alt.Undefined, scale: Mapping[str, Any] | None = None, **axis: Any) -> alt.X:
    """The channel along, with the settings of its scale and of its axis."""
    return alt.X(field, title=title, scale=_scale(scale), axis=alt.Axis(**axis) if axis else alt.Undefined)


def y_axis(field: str, title: Any = alt.Undefined, scale: Mapping[str, Any] | None = None, **axis: Any) -> alt.Y:
    """The channel up, with the settings of its scale and of its axis."""
    return alt.Y(field, title=title, scale=_scale(scale), axis=alt.Axis(**axis) if axis else alt.Undefined)


def y_names(field: str, order: Any, limit: Any, scale: Mapping[str, Any] | None = None, **axis: Any) -> alt.Y:
    """Names down the side, `limit` px wide at most, in an order, or as the rows come (None)."""
    plain = order is None or isinstance(order, alt.EncodingSortField)
    return alt.Y(
        field,
        sort=order if plain else list(order),
        title=None,
        scale=_scale(scale),
        axis=alt.Axis(labelLimit=limit, **axis),
    )


def _scale(settings: Mapping[str, Any] | None) -> Any:
    return alt.Undefined if settings is None else alt.Scale(**settings)
