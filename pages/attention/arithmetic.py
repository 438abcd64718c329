"""The arithmetic of one attention weight: query and key are clicked or chosen, the numbers written out."""

from functools import partial

import numpy as np
import streamlit as st

from model.analysis.attention import cell_arithmetic
from model.analysis.attention.cell_arithmetic import Cell, shown
from pages.attention.stages import Head, chosen_head, locked, waits
from pages.shared.models.sentence import CurrentRun
from pages.shared.text.words import section, words
from pages.shared.ui import show, token_picker
from pages.shared.ui.downloads import export
from pages.shared.ui.head_picker import PickedHead
from pages.shared.ui.matrices import matrices
from viz.data import Selection
from viz.figures.matrices import MatrixFigure
from viz.html.arithmetic_tables import Key, Step, cell_rows, products_html, row_html, steps_html


def arithmetic(current_run: CurrentRun, picked: PickedHead) -> None:
    """Scores and weights to click, and the chosen cell worked out."""
    if waits(current_run):
        return
    head = chosen_head(current_run, picked)
    query, key = chosen_cell(head)
    pictures = head.pictures(("", "scaled"), ("→", "weights"))
    matrices("cell", pictures, selection=Selection("weights", query, key), on_select=locked)
    cell = _worked(head, query, key)
    texts = section("attention_cell")
    steps = _steps(cell)
    rounding = {"decimals": cell_arithmetic.DECIMALS, "digits": cell_arithmetic.DIGITS}
    with st.container(key="arithmetic", gap="small"):
        left, right = st.columns([3, 2], gap="medium")
        with left:
            show.table(steps_html(steps, texts))
            show.caption(texts["rounding"].format(**rounding))
        with st.expander(texts["products"].format(count=len(cell.q))):
            show.table(products_html(_products(cell), texts))
        with right:
            show.subheader(texts["row"])
            show.table(row_html(_row(head, cell), key, texts))
    numbers = partial(cell_rows, _products(cell), steps, _row(head, cell))
    figure = MatrixFigure(pictures[-1:], words=section("matrix_figure"), rows=numbers)
    export.files(f"{picked.kind}-layer{picked.layer}-head{picked.head}-query{query}-key{key}", figure, "_cell")


def chosen_cell(head: Head, first: tuple[int, int] | None = None) -> tuple[int, int]:
    """The query and the key; at first the pair `first`, or that with the greatest weight."""
    if first is None:
        weights = np.asarray(head.values["weights"])
        first = divmod(int(weights.argmax()), weights.shape[1])
    with st.container(horizontal=True, key="cell_place"):
        query = token_picker.numbered(
            "query", words("attention_cell.query"), head.labels.queries, first[0], between=" · "
        )
        key = token_picker.numbered("key", words("attention_cell.key"), head.labels.keys, first[1], between=" · ")
    return query, key


def _worked(head: Head, query: int, key: int) -> Cell:
    q, k, scores, mask, weights = (np.asarray(head.values[part]) for part in ("q", "k", "scaled", "allowed", "weights"))
    bias = head.values["bias"]
    return cell_arithmetic.cell(
        q[query],
        k[key],
        scores[query],
        mask[query],
        key,
        float(weights[query, key]),
        None if bias is None else bias[query],
    )


def _steps(cell: Cell) -> list[Step]:
    exact = cell.exact
    power = shown(cell.powers[cell.key])
    first = [
        Step(
            words("attention_cell.dot"), words("attention_cell.dot_sum", count=len(cell.q)), shown(cell.dot), exact.dot
        ),
        Step(
            words("attention_cell.scale"), f"{shown(cell.dot)} ÷ {shown(cell.root)}", shown(cell.scaled), exact.scaled
        ),
    ]
    if cell.bias is not None:
        addition = f"{shown(cell.scaled)} + {bracketed(shown(cell.bias))}"
        first.append(Step(words("attention_cell.bias"), addition, shown(cell.score), exact.score))
    if not cell.allowed:
        return [*first, Step(words("attention_cell.mask"), words("attention_cell.hidden"), "0", exact.weight)]
    return [
        *first,
        Step(words("attention_cell.exponential"), f"e^{shown(cell.score)}", power, exact.power),
        Step(words("attention_cell.total"), words("attention_cell.total_sum"), shown(cell.total), exact.total),
        Step(words("attention_cell.share"), f"{power} ÷ {shown(cell.total)}", shown(cell.weight), exact.weight),
    ]


def bracketed(text: str) -> str:
    """A number behind a sign."""
    return f"({text})" if text.startswith("−") else text


def _products(cell: Cell) -> list[tuple[str, str, str]]:
    return [(shown(q), shown(k), shown(product)) for q, k, product in zip(cell.q, cell.k, cell.products, strict=True)]


def _row(head: Head, cell: Cell) -> list[Key]:
    return [
        Key(token, "" if score is None else shown(score), shown(power), shown(cell.share(number)))
        for number, (token, score, power) in enumerate(zip(head.labels.keys, cell.scores, cell.powers, strict=True))
    ]
