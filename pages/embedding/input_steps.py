"""The steps from the text to the input: of one token row by row, of all tokens as matrices."""

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from pages.embedding.side_in_view import Side, token_id
from pages.shared.models import models
from pages.shared.models.sentence import CurrentRun
from pages.shared.session import view
from pages.shared.text.formulas import latex
from pages.shared.text.words import words
from pages.shared.ui import controls
from viz.data import Matrix, Selection
from viz.templates import render

MOST_STEPS = 5  # from the row of the table to the input
LARGEST = 8192  # more tokens or dimensions than any model here has


def steps_of(current_run: CurrentRun, stack: Side, token: int) -> Matrix:
    """The way of one token, a row per step, (3 to 6, d_model), all on one scale."""
    rows: dict[str, np.ndarray] = {}
    if stack.scales:
        unscaled = stack.embedding[token] / stack.d_model**0.5
        row = unscaled if stack.table is None else stack.table[token_id(stack, token)]
        rows[words("embedding.row_table")] = row
        rows[words("embedding.row_scaled", root=f"{stack.d_model**0.5:.4g}")] = stack.embedding[token]
    else:
        rows[words("embedding.row_table")] = stack.embedding[token]
    if stack.position is not None:
        rows[words("embedding.row_position", position=token)] = stack.position[token]
    if stack.segment is not None:
        rows[words("embedding.row_segment", segment=_segment(current_run, stack, token))] = stack.segment[token]
    if stack.normed_from is not None:
        rows[words("embedding.row_sum")] = stack.normed_from[token]
    rows[_input("row", stack)] = stack.input[token]
    return Matrix(
        "steps",
        words("embedding.steps_matrix", token=stack.tokens[token]),
        np.stack(list(rows.values())),
        tuple(rows),
        tuple(map(str, range(stack.d_model))),
        column_axis=words("embedding.axis_dimension"),
        limit=_limit(stack.input[token]),
        decimals=4,
    )


def _segment(current_run: CurrentRun, stack: Side, token: int) -> int:
    """The row of the table of segments that a token has, from 0."""
    tokenizer = models.tokenizer(current_run.entry)
    start = tokenizer.second_text(tokenizer.encode(current_run.sentence) if stack.ids is None else stack.ids)
    return int(start is not None and token >= start)


def _input(part: str, stack: Side) -> str:
    """Name the input: the sum itself, or the norm of it."""
    if stack.normed_from is None:
        return words(f"embedding.{part}_input")
    return words(f"embedding.{part}_normed")


def _limit(values: np.ndarray) -> float:
    """The value of full colour: a few outliers must not make all else pale."""
    return float(np.quantile(np.abs(values), 0.98)) or 1.0


def sentence_of(stack: Side) -> list[Matrix]:
    """Embedding, position, segment and input of all tokens, (T, d_model) each, on one scale."""
    total = {} if stack.normed_from is None else {"embedding_sum": stack.normed_from}
    parts = {
        "embedding": stack.embedding,
        "position": stack.position,
        "segment": stack.segment,
        **total,
        "input": stack.input,
    }
    labels = tuple(f"{i} {token}" for i, token in enumerate(stack.tokens))
    columns = tuple(map(str, range(stack.d_model)))
    scaled = "scaled" if stack.scales else "plain"
    titles = {
        "embedding": words(f"embedding.matrix_{scaled}"),
        "position": words("embedding.matrix_position"),
        "segment": words("embedding.matrix_segment"),
        "embedding_sum": words("embedding.row_sum"),
        "input": _input("matrix", stack),
    }
    return [
        Matrix(
            key,
            titles[key],
            values,
            labels,
            columns,
            limit=_limit(stack.input),
            column_axis=words("embedding.axis_dimension"),
        )
        for key, values in parts.items()
        if values is not None
    ]


def step_cell(stack: Side, steps: Matrix) -> Selection:
    """The cell that is clicked in the steps of a token; the first one to begin with."""
    row = controls.picked("step", words("embedding.axis_step"), MOST_STEPS, 0)
    return Selection(steps.key, min(row, len(steps.rows) - 1), dimension(stack))


def dimension(stack: Side) -> int:
    """The dimension whose sum is written out."""
    return min(controls.picked("dimension", words("embedding.axis_dimension"), LARGEST, 0), stack.d_model - 1)


def step_picked(selection: Selection) -> None:
    """Keep the cell that is clicked in the steps."""
    view.choose(step=selection.row, dimension=selection.column)


def sentence_cell(stack: Side, token: int, figures: Sequence[Matrix]) -> Selection:
    """The cell that is clicked in the sentence; at first in the last matrix, the input."""
    last = len(figures) - 1
    part = min(controls.picked("part", words("embedding.axis_part"), MOST_STEPS, last), last)
    return Selection(figures[part].key, token, dimension(stack))


def sentence_picked(figures: Sequence[Matrix]) -> Callable[[Selection], None]:
    """Keep the matrix, the token and the dimension that are clicked in the sentence."""
    keys = [matrix.key for matrix in figures]
    return lambda cell: view.choose(part=keys.index(cell.key), token=cell.row, dimension=cell.column)


def arithmetic(stack: Side, token: int, column: int) -> str:
    """The chosen dimension's sum as LaTeX, in enough digits for a pocket calculator to give the same result."""
    entry, total = float(stack.embedding[token, column]), float(stack.sum[token, column])
    terms = latex("embedding_term", row=f"{entry:.5f}")
    if stack.scales:
        root = stack.d_model**0.5
        terms = latex("embedding_term_scaled", row=f"{entry / root:.6f}", root=f"{root:.7g}")
    if stack.position is not None:
        terms += latex("embedding_term_position", position=f"{float(stack.position[token, column]):.5f}")
    if stack.segment is not None:
        terms += latex("embedding_term_segment", segment=f"{float(stack.segment[token, column]):.5f}")
    return latex("embedding_sum", column=column, terms=terms, total=f"{total:.4f}")


def flow(current_run: CurrentRun, stack: Side) -> None:
    """The steps from text to input, each with its shape."""
    count, d_model = stack.input.shape
    config = current_run.entry.config
    size = config.source_vocabulary if stack.name == "encoder" else config.target_vocabulary
    text = current_run.sentence if stack.name == "encoder" else current_run.text
    steps = [
        (words("embedding.step_text"), words("embedding.characters", count=len(text))),
        (words("embedding.step_tokens"), f"({count})"),
        (words("embedding.step_ids"), f"({count})"),
        (words("embedding.step_rows", size=f"{size:,}", d_model=d_model), f"({count}, {d_model})"),
    ]
    if stack.scales:
        steps.append((words("embedding.step_scaled", root=f"{d_model**0.5:.4g}"), f"({count}, {d_model})"))
    if stack.position is not None:
        steps.append((words("embedding.step_position"), f"({count}, {d_model})"))
    if stack.segment is not None:
        steps.append((words("embedding.step_segment"), f"({count}, {d_model})"))
    if stack.normed_from is not None:
        steps.append((words("embedding.row_sum"), f"({count}, {d_model})"))
    steps.append((_input("step", stack), f"({count}, {d_model})"))
    st.html(render("pages/embedding/chips.html", "flow", steps=steps))
