"""What a user takes away from a figure: itself as HTML, its picture as SVG or PNG, and its numbers as CSV."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import streamlit as st

from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import record, saved
from pages.shared.ui.attention_figure import panels
from pages.shared.ui.downloads import files as downloads
from pages.shared.ui.downloads.files import File
from pages.shared.ui.head_picker import Place
from viz.components.attention import attention_rows
from viz.data import View
from viz.standalone.document import Picture
from viz.svg.attention import Head, attention_svg

SCALES = (1, 2, 3)  # of a picture in pixels


def row(current_run: CurrentRun, place: Place, view: View = "matrix") -> None:
    """The files of a head, with what attention does not prove."""
    panel = next(panel for panel in panels(current_run.trace) if panel.kind == place.kind)
    texts = section("attention_figure")
    with st.container(horizontal=True, vertical_alignment="center", key="below_attention"):
        saved.caption(words("hint.cause"))
        files(
            f"{place.kind}-layer{place.layer}-head{place.head}",
            lambda: attention_svg([Head(panel, place.layer, place.head)], texts, view=view),
            lambda: attention_rows(panel, place.layer, place.head),
            key="",
        )


def files(
    name: str,
    svg: Callable[[], str],
    rows: Callable[[], Iterable[Mapping[str, object]]],
    *,
    key: str | None = None,
) -> None:
    """The files of the figure just drawn, made when they are asked for; `name` names them and, by default, the links.

    The HTML file holds what `record` has of the figure; the others are made from `svg` and `rows`.
    """
    end = f"_{name}" if key is None else key
    file = f"glassformer-{name}"
    html = record.figure(lambda: [Picture(svg())])
    with st.container(horizontal=True, horizontal_alignment="right", gap="small", key=f"export{end}"):
        downloads.menu(
            words("take.menu"),
            [
                File(f"html{end}", words("take.html"), f"{file}.html", "text/html", html),
                File(f"svg{end}", words("take.svg"), f"{file}.svg", "image/svg+xml", lambda: svg().encode()),
                File(f"csv{end}", words("take.csv"), f"{file}.csv", "text/csv", lambda: csv(rows())),
            ],
            [
                File(f"png{scale}{end}", f"{scale}×", f"{file}-{scale}x.png", "image/png", partial(png, svg, scale))
                for scale in SCALES
            ],
        )


def png(svg: Callable[[], str], scale: int) -> bytes:
    """The picture in pixels, `scale` for each of its own; letters that no font of this machine has are left out."""
    import vl_convert  # 30 MB that only a download needs

    return vl_convert.svg_to_png(svg(), scale=scale)


def csv(rows: Iterable[Mapping[str, object]]) -> bytes:
    """A table for a spreadsheet; the mark at its beginning lets spreadsheets read umlauts and 汉字."""
    import pandas as pd  # half a second that no first page should wait for

    return pd.DataFrame(list(rows)).to_csv(index=False).encode("utf-8-sig")
