"""Altair charts on the page, each with its text alternative and its files to take away."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import streamlit as st

from pages.shared.ui import record, reserved_space
from pages.shared.ui.downloads import export
from viz.standalone import document as standalone
from viz.vega import Chart, vega_spec, vega_svg

AXES = 40  # px that a chart's axes and title take beside its own height


def chart(
    name: str,
    figure: Chart,
    rows: Callable[[], Iterable[Mapping[str, object]]] | None = None,
    width: Literal["stretch", "content"] = "stretch",
) -> None:
    """Draw `figure` as wide as the page; its numbers for the CSV are `rows()`, its own data where none are given.

    `name` names the files and the container. The figure needs a `description`, its text alternative.
    `width` "content" keeps the figure's own size, as circles need it.
    """
    spec = vega_spec(figure)
    height = own_height(spec)
    with reserved_space.room(name, height + AXES if height else 0):
        finished(name, spec, rows or (lambda: _data(figure)), width, lambda: vega_svg(figure.to_dict()))


def finished(
    name: str,
    spec: dict[str, Any],
    rows: Callable[[], Iterable[Mapping[str, object]]],
    width: Literal["stretch", "content"] = "stretch",
    svg: Callable[[], str] | None = None,
) -> None:
    """Draw a chart that a cache keeps as plain data, because altair takes 10 to 30 ms for one."""
    with st.container(key=name, gap="small"):
        st.vega_lite_chart(spec, width=width, key=f"chart_{name}")
        record.add(lambda: [standalone.Chart(spec)])
        export.files(name, svg or (lambda: vega_svg(spec)), rows)


def _data(figure: Chart) -> list[dict[str, Any]]:
    """The numbers of a figure without its colours."""
    return [{key: row[key] for key in row if key != "colour"} for row in vega_spec(figure)["data"]["values"]]


def own_height(spec: Mapping[str, Any]) -> float:
    """The pixels that a chart takes without its axes; 0 where only Vega knows."""
    if "vconcat" in spec:
        return sum(own_height(part) for part in spec["vconcat"])
    if "hconcat" in spec:
        return max(own_height(part) for part in spec["hconcat"])
    height = spec.get("height", 0)
    if isinstance(height, Mapping):  # so much for each category, which are as many as it is sorted by
        first = spec.get("layer", [spec])[0]
        order = first.get("encoding", {}).get("y", {}).get("sort")
        return height.get("step", 0) * len(order) if isinstance(order, list) else 0
    return height
