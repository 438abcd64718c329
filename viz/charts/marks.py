"""Charts put together: lines, bars and dots of rows, rules across them, and the finished chart."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import altair as alt

from ..figures.chart import Chart
from ..figures.figure import Rows
from ..palette import INK, MUTED
from ..vega import Altair, finished, inline, layered


def chart(
    *layers: Altair,
    description: str,
    height: float,
    width: float | str | None = "container",
    rows: Rows | Callable[[], Rows] | None = None,
    **properties: Any,
) -> Chart:
    """Layers on top of each other as a figure; one alone stays as it is.

    description   its text alternative
    width         px, or "container": as wide as where it stands; None leaves it to the page
    rows          its numbers for the table, where they are not what is drawn
    properties    of the whole, such as `data` that all layers share
    """
    figure = layers[0] if len(layers) == 1 and not properties else layered(*layers, **properties)
    finished(figure, description, height, alt.Undefined if width is None else width)
    return Chart(figure, rows)


def marks(rows: Sequence[Mapping[str, Any]], **channels: Any) -> alt.Chart:
    """Rows with the channels that all marks of them share."""
    return alt.Chart(inline(rows)).encode(**channels)


def lines(base: alt.Chart, width: float = 2, size: float = 36, shape: Any = None, **of_lines: Any) -> list[alt.Chart]:
    """A line for each series and a dot of so many square px for each row; `of_lines` are channels of the lines."""
    shapes = {} if shape is None else {"shape": shape}
    return [base.mark_line(strokeWidth=width).encode(**of_lines), dots(base, size, **shapes)]


def bars(base: alt.Chart, height: float = 14, tone: Any = alt.Undefined, **channels: Any) -> alt.Chart:
    """A bar for each row, rounded at its end."""
    return base.mark_bar(cornerRadiusEnd=3, height=height, color=tone).encode(**channels)


def dots(base: alt.Chart, size: float = 90, tone: Any = alt.Undefined, **channels: Any) -> alt.Chart:
    """A dot of so many square px for each row."""
    return base.mark_point(filled=True, size=size, opacity=1, color=tone).encode(**channels)


def intervals(base: alt.Chart, low: alt.X, **mark: Any) -> alt.Chart:
    """A bar from `low` to the field `high` for each row."""
    return base.mark_rule(**mark).encode(x=low, x2=alt.X2("high:Q"))


def rule(channel: Literal["x", "y"], field: str, value: float | str, **mark: Any) -> alt.Chart:
    """A line across the chart, muted if nothing else is said."""
    at = alt.X(f"{field}:Q") if channel == "x" else alt.Y(f"{field}:Q")
    return alt.Chart(inline([{field: value}])).mark_rule(**{"color": MUTED} | mark).encode(**{channel: at})


def named_rule(field: str, value: float, text: str, dash: Sequence[int] = (5, 4)) -> list[alt.Chart]:
    """A line up the chart, and its name above its end, where no curve runs."""
    base = marks([{field: value, "text": text}], x=alt.X(f"{field}:Q"))
    name = base.mark_text(color=INK, align="left", y=-8, fontSize=12)
    return [
        base.mark_rule(color=MUTED, strokeDash=list(dash), strokeWidth=1.5),
        name.encode(text=alt.Text("text:N")),
    ]
