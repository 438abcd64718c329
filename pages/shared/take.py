"""What a reader takes away: the figure as SVG, its numbers as CSV, and the link to the view."""

from collections.abc import Callable, Iterable, Mapping

import streamlit as st

from pages.shared import components
from pages.shared.choices import Place
from pages.shared.panels import panels
from pages.shared.reading import Reading
from pages.shared.words import section, words
from viz.attention import attention_rows
from viz.attention_svg import attention_svg


def row(reading: Reading, place: Place, svg: Callable[..., str] = attention_svg) -> None:
    """SVG and CSV of a head, and the link; with what attention does not prove. `svg` draws the figure in view."""
    panel = next(panel for panel in panels(reading.trace) if panel.kind == place.kind)
    texts = section("attention_figure")
    st.caption(words("hint.cause"))
    files(
        f"{place.kind}-layer{place.layer}-head{place.head}",
        lambda: svg(panel, place.layer, place.head, words=texts),
        lambda: attention_rows(panel, place.layer, place.head),
        key="",
        link=True,
    )


def files(
    name: str,
    svg: Callable[[], str],
    rows: Callable[[], Iterable[Mapping[str, object]]],
    *,
    key: str | None = None,
    link: bool = False,
) -> None:
    """SVG and CSV of one figure, made when they are asked for; `name` names the files and, by default, the widgets."""

    def csv() -> bytes:
        import pandas as pd  # half a second that no first page should wait for

        # the mark lets spreadsheets read umlauts and 汉字
        return pd.DataFrame(list(rows())).to_csv(index=False).encode("utf-8-sig")

    end = f"_{name}" if key is None else key
    file = f"glassformer-{name}"
    with st.container(horizontal=True, horizontal_alignment="right", gap="small", key=f"take{end}"):
        for kind, data, type_ in (("svg", svg, "image/svg+xml"), ("csv", csv, "text/csv")):
            label, name_ = words(f"take.{kind}"), f"{file}.{kind}"
            st.download_button(label, data, name_, type_, key=f"{kind}{end}", type="tertiary", on_click="ignore")
        if link:
            components.copy_link()


def link() -> None:
    """The button that copies the address of the view; once on a page that has several figures."""
    with st.container(horizontal=True, horizontal_alignment="right", key="take_link"):
        components.copy_link()
