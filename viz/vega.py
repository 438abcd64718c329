"""Helpers for altair charts: data as text, layers without copies, Vega-Lite for Streamlit, SVG for files."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import altair as alt
from altair.utils import schemapi

from .chart_descriptions import describe
from .chart_legends import fit_legends
from .converter import chart_to_svg, process
from .numbers import percent


def inline(rows: Sequence[Mapping[str, object]]) -> alt.Data:
    """Rows as JSON text: altair neither copies it nor checks each value, which is several times faster."""
    return alt.Data(values=json.dumps(rows, ensure_ascii=False), format=alt.DataFormat(type="json"))


def with_percents(rows: Sequence[Mapping[str, object]], *fields: str, decimals: int = 2) -> list[dict[str, object]]:
    """The rows with shares as text for tooltips: `probability_said` beside `probability`."""
    return [
        {**row, **{f"{field}_said": percent(float(str(row[field])), decimals) for field in fields if field in row}}
        for row in rows
    ]


# Altair would check each part of a chart as it is made, number by number, which takes most of a page's time; tests
# check the whole. For the process and for good: its own context manager fails where threads overlap.
schemapi.DEBUG_MODE = False


F = TypeVar("F", bound="Altair")
Altair = alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart


def finished(figure: F, description: str, height: float, width: Any) -> F:
    """The chart in its size on the ground of its card, with its text alternative.

    Set in place: `properties` would copy the whole chart, which takes as long as making it.
    """
    for name, value in {
        "description": description,
        "height": height,
        "width": width,
        "background": "transparent",
    }.items():
        setattr(figure, name, value)
    return figure


class _Layers(alt.LayerChart):
    """Altair looks for selections that charts share each time that it makes or copies a group of them; we have none."""

    def __init__(self, data: Any = alt.Undefined, layer: Sequence[Any] = (), **properties: Any):
        alt.TopLevelLayerSpec.__init__(self, data=data, layer=list(layer), **properties)


def layered(*charts: Altair, **properties: Any) -> alt.LayerChart:
    """Charts on top of each other; with `data`, one table for all, so that the chart changes in place with new numbers.

    Data that all share become those of the whole chart, as with `alt.layer`, which copies each chart several times.
    Sizes and selections belong to the whole chart, not to its layers.
    """
    for name in ("params", "height", "width"):
        assert all(getattr(chart, name, alt.Undefined) is alt.Undefined for chart in charts), name
    figure = _Layers(**properties)
    shared = properties["data"] if "data" in properties else charts[0].data
    if shared is not alt.Undefined and all(chart.data is shared for chart in charts):
        charts = tuple(chart.copy(deep=False) for chart in charts)
        for chart in charts:
            chart.data = alt.Undefined
        figure.data = shared
    figure.layer = list(charts)
    return figure


# as large as the text around a chart; Vega's own axes have letters of 10 pixels. It reads axes and legends to a screen
# reader in English: the titles stand in what is said of the marks, in the language of the page
CONFIG = {
    "axis": {"labelFontSize": 13, "titleFontSize": 13, "aria": False},
    "legend": {"labelFontSize": 13, "titleFontSize": 13, "aria": False},
    "header": {"labelFontSize": 13, "titleFontSize": 13},
}


def vega_spec(figure: Altair) -> dict[str, Any]:
    """A chart as a Vega-Lite dict for `st.vega_lite_chart`. Data of the whole chart become the list Streamlit wants.

    Symptom: on a fresh server a chart failed. Cause: altair looks pandas up without waiting for it, and another session
    was still importing it. Therefore this function imports pandas first, and is the one way from a chart to Streamlit.
    Test: `test_a_chart_waits_for_pandas_that_another_session_imports` in `tests/house/test_cold.py`.
    """
    import pandas  # noqa: F401 - altair fails on one that another thread has half imported

    spec = figure.to_dict(validate=False)  # tests do
    describe(spec)
    fit_legends(spec)
    spec["config"] = CONFIG | spec.get("config", {})
    if isinstance(text := spec.get("data", {}).get("values"), str):
        spec["data"] = {"values": json.loads(text)}
    return spec


# px round a chart on the screen, as labels become wider than Vega takes them for; Streamlit would leave room only below
PADDING = {"left": 5, "top": 5, "right": 16, "bottom": 20}


def for_streamlit(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    """The chart as `st.vega_lite_chart` takes it.

    Streamlit inserts a table without a name when the chart is laid out, so that Vega warns of scales without values.
    """
    spec = {"padding": PADDING, **spec}
    rows = spec.get("data", {}).get("values")
    return {**spec, "data": {"name": "rows"}, "datasets": {"rows": rows}} if isinstance(rows, list) else spec


def vega_svg(spec: Mapping[str, object]) -> str:
    """A Vega-Lite chart as SVG; nothing is fetched for it."""
    svg: str = process.call(chart_to_svg, {"config": CONFIG, **spec})
    return svg
