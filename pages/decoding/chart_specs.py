"""Finished charts of the decoding page: altair takes 30 ms for one, so its callers keep them as plain data."""

import json
from typing import Any

import streamlit as st

from pages.shared.ui import record
from pages.shared.ui.downloads import export
from viz.charts.decoding import Figure
from viz.standalone.document import Chart
from viz.vega import vega_spec, vega_svg

Spec = dict[str, Any]


def spec(figure: Figure) -> Spec:
    """A figure as data, which a cache may keep."""
    return vega_spec(figure)


def tree(name: str, spec: Spec) -> None:
    """A tree in its own width, which moves sideways where the page is narrower, with its files."""
    with st.container(key=f"wide_{name}"):
        st.vega_lite_chart(spec, width="content", key=f"chart_{name}")
    record.add(lambda: [Chart(spec)])
    export.files(name, lambda: vega_svg(spec), lambda: json.loads(spec["layer"][1]["data"]["values"]))
