"""Matrices on a page, and the cell that the user locks in them."""

from collections.abc import Callable, Sequence
from typing import Any

from pages.shared.models import spoken
from pages.shared.session import parameters, view
from pages.shared.text.words import section, words
from pages.shared.ui import controls, show
from pages.shared.ui.downloads import export
from pages.shared.ui.downloads.origin import Origin
from viz.components.matrix.matrix_data import matrix_rows
from viz.data import Matrix, Selection
from viz.figures.figure import Rows
from viz.figures.matrices import MatrixFigure

KEPT = Selection("", -1, -1)  # stands for the cell that the view keeps
_DIGITS = 6  # of a place in the URL


def matrices(
    key: str,
    matrices: Sequence[Matrix],
    *,
    selection: Selection | None = KEPT,
    cell: int | None = None,
    share: float = 1.0,
    on_select: Callable[[Selection], None] | None = None,
    files: str | None = None,
    end: str | None = None,
    rows: Callable[[], Rows] | None = None,
    measured: Origin = export.NOTHING,
) -> MatrixFigure:
    """One or several matrices; `on_select` is called with the cell that the user locks, not when it is let go.

    Where the page gives no `selection` of its own, the locked cell is a setting of the view: a link restores it.
    `rows` are what the table of its files holds, if not all numbers. The rest is as in `show.figure`. Returns what is
    drawn, for `export.files` where they stand further down.
    """
    is_kept = selection is KEPT
    if is_kept:
        selection = _remembered(key, matrices)

    def locked(new: dict[str, Any] | None) -> None:
        at = Selection(new["key"], new["row"], new["column"]) if new else None
        if is_kept:
            view.choose(**{_setting(key): at})
        if at and on_select:
            on_select(at)

    figure = MatrixFigure(
        matrices, words=section("matrix_figure"), selection=selection, cell=cell, rows=rows,
        languages=_languages(matrices),
    )  # fmt: skip
    show.figure(key, figure, files=files, end=end, calls={"selection": locked}, share=share,
                measured=measured)  # fmt: skip
    return figure


def _languages(figures: Sequence[Matrix]) -> list[tuple[str, str]]:
    """The tags of the languages of the rows and of the columns of each."""
    tags = spoken.of_labels([labels for matrix in figures for labels in (matrix.rows, matrix.columns)])
    return list(zip(tags[::2], tags[1::2], strict=True))


def _setting(key: str) -> str:
    return f"{key}{parameters.CELL}"


def _remembered(key: str, figures: Sequence[Matrix]) -> Selection | None:
    """The cell that the link names, `weights,3,1`; none while its matrix is not among those shown."""
    text = view.setting(_setting(key))
    name, *place = (text or "").split(",")
    matrix = next((matrix for matrix in figures if matrix.key == name), None)
    if len(place) == 2 and all(part.isdecimal() and len(part) < _DIGITS for part in place):
        row, column = map(int, place)
        if matrix is None:
            return None
        if row < len(matrix.rows) and column < len(matrix.columns):
            return Selection(name, row, column)
    if text is not None:
        controls.let_go(_setting(key), words("matrix_figure.figure"), text)
    return None


def one_matrix(matrix: Matrix) -> MatrixFigure:
    """The matrix of a figure that is worth files of its own; its table has nothing but its values."""
    return MatrixFigure([matrix], words=section("matrix_figure"), rows=lambda: matrix_rows(matrix))
