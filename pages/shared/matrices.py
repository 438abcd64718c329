"""The matrix figure, registered once, Python's side of the cell that the reader locks, and the files to take."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from pages.shared import take, view
from pages.shared.words import section
from viz.matrix import FRONTEND, Matrix, Selection, matrix_data, matrix_rows
from viz.matrix_svg import matrix_svg
from viz.stack import stacked

_matrices = st.components.v2.component("matrices", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)


def matrices(
    key: str,
    matrices: Sequence[Matrix],
    *,
    selection: Selection | None = None,
    cell: int | None = None,
    on_select: Callable[[Selection], None] | None = None,
) -> None:
    """One or several matrices; `on_select` is called with the cell that the reader locks, not when it is let go."""

    def locked() -> None:
        chosen = view.widget(key).get("selection")
        if chosen and on_select:
            on_select(Selection(chosen["key"], chosen["row"], chosen["column"]))

    data = matrix_data(matrices, section("matrix_figure"), selection=selection, cell=cell)
    _matrices(data=data, key=key, on_selection_change=locked)


def matrix_files(
    name: str, shown: Sequence[Matrix], rows: Callable[[], Iterable[Mapping[str, object]]] | None = None
) -> None:
    """SVG of the matrices under each other, and one CSV of all, or of `rows`."""
    texts = section("matrix_figure")
    take.files(
        name,
        lambda: stacked([matrix_svg(matrix, texts) for matrix in shown]),
        rows or (lambda: [{"matrix": matrix.key, **row} for matrix in shown for row in matrix_rows(matrix)]),
    )
