"""Finished charts of the decoding page: altair takes 30 ms for one, so its callers keep them as plain data."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from pages.shared import take
from viz.decoding import Figure

Spec = dict[str, Any]
# a tree moves sideways in its own frame where the page is narrower
WIDE = '<style>[class*="st-key-wide_"] { overflow-x: auto; }</style>'


def spec(figure: Figure) -> Spec:
    """A figure as data, which a cache may keep."""
    return figure.to_dict(validate=False)  # tests do


def chart(name: str, spec: Spec, rows: Callable[[], Iterable[Mapping[str, object]]]) -> None:
    """A figure as wide as the page, with its files."""
    with st.container(key=name, gap="small"):
        st.vega_lite_chart(spec, width="stretch", key=f"chart_{name}")
        take.files(name, lambda: svg(spec), rows)


def tree(name: str, spec: Spec) -> None:
    """A tree in its own width, with its files."""
    st.html(WIDE)
    with st.container(key=f"wide_{name}"):
        st.vega_lite_chart(spec, width="content", key=f"chart_{name}")
    take.files(name, lambda: svg(spec), lambda: json.loads(spec["layer"][1]["data"]["values"]))


def svg(spec: Spec) -> str:
    """The figure as a file."""
    import vl_convert  # 30 MB that only a download needs

    return vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
