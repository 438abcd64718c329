"""The hidden units of the feed-forward: which are on, how many are off, and what excites the strongest."""

from collections.abc import Callable

import numpy as np

from model.analysis import residual_stream
from pages.layers import selection
from pages.layers.selection import Position
from pages.shared.layout import page
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.words import section, words
from pages.shared.ui import show
from pages.shared.ui.matrices import matrices
from viz.charts.layers import stream_charts
from viz.components.matrix.matrix_data import matrix_rows
from viz.data import Matrix, Selection
from viz.palette import PARTS

ACTIVATIONS = {"relu": "ReLU", "gelu": "GELU", "gelu-tanh": "GELU", "silu": "SiLU"}


def figures(current_run: CurrentRun, position: Position) -> None:
    """All of this view."""
    config = current_run.entry.config
    activation, is_gated = config.activation, config.gated
    with page.card(
        "figure_units", words("layers_units.title"), words("layers_units.hint", d_ff=current_run.entry.config.d_ff)
    ):
        layer = selection.depth(current_run, position.side)
        activations = residual_stream.hidden(current_run.trace.values, position.side)  # (L, T, d_ff)
        strongest = residual_stream.strongest(activations[layer, position.token], stream_charts.UNITS)
        show.figure(
            "hidden_units",
            stream_charts.units_chart(
                activations[layer, position.token],
                strongest.tolist(),
                PARTS[position.side],
                section("layers_chart"),
            ),
        )
        if not is_gated:
            page.formula(f"feed_forward_{activation}")
        else:
            page.formula("feed_forward_gated")
            show.caption(words("layers_units.gated", activation=ACTIVATIONS[activation]))
    page.flush()
    with page.card("figure_excites", words("layers_units.excites"), words("layers_units.excites_hint")):
        _excites(position, activations[layer][:, strongest].T, strongest)
    kind = "relu" if activation == "relu" else "gelu"
    name = ACTIVATIONS[activation]
    with page.card(
        "figure_silent", words(f"layers_units.silent_{kind}"), words(f"layers_units.silent_{kind}_hint", name=name)
    ):
        if is_gated:
            show.caption(words("layers_units.silent_gate"))
            activations = residual_stream.hidden(current_run.trace.values, position.side, "gate")
        _silent(position, residual_stream.silent_share(activations), layer)


def _excites(position: Position, values: np.ndarray, units: np.ndarray) -> None:
    matrix = Matrix(
        "excites",
        words("layers_units.excites_title"),
        values,  # (units, T)
        tuple(str(unit) for unit in units),
        position.tokens,
        row_axis=words("layers_units.unit"),
        column_axis=words("layers_units.token"),
        scale="positive" if values.min() >= 0 else "signed",
        colour=position.side,
        decimals=2,
    )
    _draw(matrix, Selection("excites", 0, position.token), lambda cell: view.choose(token=cell.column))


def _silent(position: Position, shares: np.ndarray, layer: int) -> None:
    matrix = Matrix(
        "silent",
        words("layers_units.silent_title"),
        shares,  # (L, T)
        tuple(map(str, range(len(shares)))),
        position.tokens,
        row_axis=words("layers_units.layer"),
        column_axis=words("layers_units.token"),
        scale="weight",
        colour=position.side,
        decimals=2,
    )
    _draw(
        matrix, Selection("silent", layer, position.token), lambda cell: view.choose(depth=cell.row, token=cell.column)
    )


def _draw(matrix: Matrix, selection: Selection, on_select: Callable[[Selection], None]) -> None:
    matrices(
        f"matrix_{matrix.key}", [matrix], selection=selection, cell=34, on_select=on_select,
        files=f"units_{matrix.key}", rows=lambda: matrix_rows(matrix),
    )  # fmt: skip
