"""Picture of a question: a row of numbers, bars or a matrix."""

from __future__ import annotations

import numpy as np
import streamlit as st

from model.analysis.softmax import softmax
from pages.quiz.question_choice import Instance
from pages.shared.text.words import words
from pages.shared.ui.matrices import matrices
from viz.data import Matrix
from viz.html.quiz import row_html


def picture(instance: Instance, factor: float = 1) -> None:
    """Draw the picture of the question, if it has one."""
    picture = instance.asked.picture
    if picture is None:
        return
    values = picture.values
    if picture.kind == "row":
        tokens = [*picture.columns, words("quiz_figure.rest")]
        st.html(row_html(words("quiz_figure.weight"), tokens, values.tolist(), picture.colour))
    elif picture.kind == "bars":
        weights = softmax(values * factor).tolist()
        st.html(row_html(words("quiz_figure.bars"), picture.columns, weights, picture.colour))
    else:
        figures = [_matrix(instance, factor)]
        matrices(f"quiz_{picture.kind}", figures, files=f"quiz-{picture.kind}")


def _matrix(instance: Instance, factor: float) -> Matrix:
    picture = instance.asked.picture
    assert picture is not None
    axes = (words("quiz_figure.queries"), words("quiz_figure.keys"))
    if picture.kind == "mask":
        title = words("quiz_figure.mask")
        return Matrix("mask", title, picture.values, picture.rows, picture.columns, *axes, scale="mask")
    if picture.kind == "weights":
        values = instance.asked.values
        place_ = words("quiz_figure.place", kind=kind(picture.colour), layer=values["layer"], head=values["head"])
        return Matrix(
            "weights", place_, picture.values, picture.rows, picture.columns, *axes, scale="weight",
            colour=picture.colour, decimals=2,
        )  # fmt: skip
    two = picture.values[list(instance.asked.options).index(int(factor))]  # (2, d_model)
    rows = tuple(words("quiz_figure.position", m=m) for m in picture.rows)
    return Matrix(
        "positions", words("quiz_figure.rows", base=f"{int(factor):,}"), np.vstack([two, two[1] - two[0]]),
        (*rows, words("quiz_figure.difference")), tuple(map(str, range(two.shape[1]))), "",
        words("quiz_figure.dimension"), scale="signed", limit=1.0,
    )  # fmt: skip


def kind(kind: str) -> str:
    """The name of a kind of attention."""
    return words(f"quiz_figure.kind_{kind}")
