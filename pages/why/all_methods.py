"""All methods beside each other: a row for each, a column for each word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.attribution import method_names, trust, why_question
from pages.shared.layout import page
from pages.shared.session import view
from pages.shared.text.words import words
from pages.shared.ui.matrices import matrices
from pages.why import long_answers, sentence
from pages.why.question_asked import AskedQuestion
from viz.data import Matrix, Selection


def figure(subject: AskedQuestion) -> dict[str, np.ndarray] | None:
    """The matrices of both sides, and the values in them by method; None where the user has cancelled."""
    with page.card("figure_methods", words("why.methods_title"), words("why.methods_about")):
        by_method = long_answers.all_values(subject)
        if by_method is not None:
            figures, inputs = _matrices(subject, by_method), subject.inputs
            matrices("methods", figures, on_select=_choose, files="attribution", rows=lambda: _rows(inputs, by_method),
                     measured=sentence.ONE)  # fmt: skip
        return by_method


def _choose(cell: Selection) -> None:
    name = method_names.METHODS[cell.row]
    if name != method_names.REFERENCE:
        view.choose(method=name)


def _matrices(subject: AskedQuestion, by_method: dict[str, np.ndarray]) -> list[Matrix]:
    """A matrix for each side; each row is divided by its largest number, so that rows can be compared."""
    values = np.stack([each / (np.nanmax(np.abs(each), initial=0) or 1.0) for each in by_method.values()])
    titles = tuple(words(f"why_method.{method}") for method in by_method)
    result = []
    blank = "stays" if len(trust.with_values(by_method)) == len(by_method) else "no_value"
    for side in ("source", "target"):
        places = [at for at, word in enumerate(subject.inputs) if word.side == side]
        if places:
            result.append(
                Matrix(
                    side,
                    sentence.side_title(subject, side),
                    values[:, places],
                    titles,
                    tuple(subject.inputs[at].text for at in places),
                    row_axis=words("why.rows"),
                    column_axis=words("why.columns"),
                    limit=1.0,
                    decimals=2,
                    blank=words(f"why.{blank}"),
                )
            )
    return result


def _rows(inputs: Sequence[why_question.Word], by_method: dict[str, np.ndarray]) -> list[dict[str, object]]:
    """Every number as the method gives it."""
    return [
        {"method": method, "side": word.side, "word": word.text, "value": float(values[at])}
        for method, values in by_method.items()
        for at, word in enumerate(inputs)
    ]
