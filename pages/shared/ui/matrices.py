"""The matrix figure, registered once, Python's side of the cell that the user locks, and the files to take."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.shared.session import parameters, view, widgets
from pages.shared.text.words import section, words
from pages.shared.ui import controls, record, reserved_space
from pages.shared.ui.downloads import export
from viz.components.matrix.data import FRONTEND, matrix_data, matrix_rows
from viz.components.matrix.height import SLIM, WIDE, height
from viz.data import Matrix, Selection
from viz.standalone.document import Component
from viz.svg.matrix import matrix_svg

KEPT = Selection("", -1, -1)  # stands for the cell that the view keeps
_DIGITS = 6  # of a place in the URL
_matrices = st.components.v2.component("matrices", html=FRONTEND.html, css=FRONTEND.css, js=FRONTEND.js)


def matrices(
    key: str,
    matrices: Sequence[Matrix],
    *,
    selection: Selection | None = KEPT,
    cell: int | None = None,
    share: float = 1.0,
    on_select: Callable[[Selection], None] | None = None,
) -> None:
    """One or several matrices; `on_select` is called with the cell that the user locks, not when it is let go.

    `share` is what they have of a card's width on a wide screen.
    Where the page gives no `selection` of its own, the locked cell is a setting of the view: a link restores it.
    """
    kept = selection is KEPT
    if kept:
        selection = _remembered(key, matrices)

    def locked(chosen: dict[str, Any] | None) -> None:
        at = Selection(chosen["key"], chosen["row"], chosen["column"]) if chosen else None
        if kept:
            view.choose(**{_setting(key): at})
        if at and on_select:
            on_select(at)

    data = matrix_data(matrices, section("matrix_figure"), selection=selection, cell=cell)
    wide, slim = (height(matrices, width, cell) for width in (round(share * WIDE), SLIM))
    with reserved_space.room(f"{key}_room", wide, slim, marks=True):
        _matrices(data=data, key=key, on_selection_change=widgets.heard(key, "selection", locked))
    record.add(lambda: [Component("matrix", FRONTEND, data)])


def _setting(key: str) -> str:
    return f"{key}{parameters.CELL}"


def _remembered(key: str, shown: Sequence[Matrix]) -> Selection | None:
    """The cell that the link names, `weights,3,1`; none while its matrix is not among those shown."""
    text = view.setting(_setting(key))
    name, *place = (text or "").split(",")
    matrix = next((matrix for matrix in shown if matrix.key == name), None)
    if len(place) == 2 and all(part.isdecimal() and len(part) < _DIGITS for part in place):
        row, column = map(int, place)
        if matrix is None:
            return None
        if row < len(matrix.rows) and column < len(matrix.columns):
            return Selection(name, row, column)
    if text is not None:
        controls.let_go(_setting(key), words("matrix_figure.figure"), text)
    return None


def matrix_files(
    name: str,
    shown: Sequence[Matrix],
    rows: Callable[[], Iterable[Mapping[str, object]]] | None = None,
    *,
    key: str | None = None,
) -> None:
    """SVG of the matrices in one picture, and one CSV of all, or of `rows`; `name` and `key` as in `export.files`."""
    texts = section("matrix_figure")
    export.files(
        name,
        lambda: matrix_svg(shown, texts),
        rows or (lambda: [{"matrix": matrix.key, **row} for matrix in shown for row in matrix_rows(matrix)]),
        key=key,
    )
