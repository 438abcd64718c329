"""What a reader takes away: the figure as SVG, its numbers as CSV, and the link to the view."""

import streamlit as st

from pages.shared import components
from pages.shared.choices import Place
from pages.shared.panels import panels
from pages.shared.reading import Reading
from pages.shared.words import section, words
from viz.attention import attention_rows
from viz.attention_svg import attention_svg


def row(reading: Reading, place: Place) -> None:
    """SVG, CSV, link; the files are made when they are asked for."""
    panel = next(panel for panel in panels(reading.trace) if panel.kind == place.kind)
    texts = section("attention_figure")
    name = f"glassformer-{place.kind}-layer{place.layer}-head{place.head}"

    def svg() -> str:
        return attention_svg(panel, place.layer, place.head, words=texts)

    def csv() -> bytes:
        import pandas as pd  # half a second that no first page should wait for

        # the mark lets spreadsheets read umlauts and 汉字
        return pd.DataFrame(attention_rows(panel, place.layer, place.head)).to_csv(index=False).encode("utf-8-sig")

    st.caption(words("hint.cause"))
    with st.container(horizontal=True, horizontal_alignment="right", gap="small", key="take"):
        st.download_button(
            words("take.svg"), svg, f"{name}.svg", "image/svg+xml", key="svg", type="tertiary", on_click="ignore"
        )
        st.download_button(
            words("take.csv"), csv, f"{name}.csv", "text/csv", key="csv", type="tertiary", on_click="ignore"
        )
        components.copy_link()
