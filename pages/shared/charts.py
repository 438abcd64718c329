"""Altair charts on the page, each with its text alternative and its files to take away."""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import altair as alt
import streamlit as st

from pages.shared import components, take

AXES = 40  # px that a chart's axes and title take beside its own height
Chart = alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart | alt.FacetChart


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
    spec = figure.to_dict(validate=False)
    with st.container(key=name, gap="small"):
        if isinstance(height := spec.get("height"), (int, float)):  # its place is kept until it is drawn
            components.keep_height(f"chart_{name}", height + AXES)
        st.vega_lite_chart(spec, width=width, key=f"chart_{name}")
        take.files(name, lambda: _svg(figure), rows or (lambda: _rows(figure)))


def _svg(figure: Chart) -> str:
    import vl_convert  # 30 MB that only a download needs

    return vl_convert.vegalite_to_svg(figure.to_dict(), allowed_base_urls=[])


def _rows(figure: Chart) -> list[Mapping[str, object]]:
    data = figure.to_dict()
    values = data.get("data", {}).get("values")
    return values if values is not None else next(iter(data["datasets"].values()))
