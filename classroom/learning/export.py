"""Files for a teacher: the raw answers, what each column means, and a notebook that repeats the analysis."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from classroom.learning.answers import COLUMNS, GROUPS, PHASES, Row
from classroom.learning.bank import CHOICES, FORMS, UNKNOWN, by_id
from viz.spreadsheet import ENCODING, table

Texts = Mapping[str, str]
_VALUES: dict[str, tuple[object, ...]] = {
    "group": GROUPS, "phase": PHASES, "form": FORMS, "choice": (UNKNOWN,), "right": (0, 1)
}  # fmt: skip
_CELLS = Path(__file__).parent / "notebook_cells.py"


def answers_csv(rows: Iterable[Row]) -> bytes:
    """Every answer with the columns of `Row`."""
    return table(COLUMNS, rows, "\r\n").encode(ENCODING)


def codebook_csv(texts: Mapping[str, Texts]) -> bytes:
    """Every column of the answers, its values and their meaning, and all questions with their choices.

    `texts` by language have the keys of the tables `learning_items` and `learning_codebook`, without their names. The
    column "right" marks the right choice of a question by 1.
    """
    lines: list[Sequence[object]] = []
    for column in COLUMNS:
        lines.append((column, "", "", *(each[column] for each in texts.values())))
        for value in _VALUES.get(column, ()):
            key = f"{column}_{value}".replace("-1", "unknown").lower()
            lines.append((column, value, "", *(each[key] for each in texts.values())))
    for question in by_id().values():
        lines.append(("question", question.id, "", *(each[f"{question.id}_text"] for each in texts.values())))
        for choice in range(CHOICES):
            meaning = (each[f"{question.id}_{choice}"] for each in texts.values())
            lines.append((f"choice of {question.id}", choice, int(choice == question.right), *meaning))
    return table(("column", "value", "right", *texts), lines, "\r\n").encode(ENCODING)


def notebook(texts: Texts) -> bytes:
    """A Jupyter notebook that reads answers.csv beside it and prints what `analysis.analyse` computes.

    `texts` are those of the table `learning_notebook`: a title, and a text above each cell.
    """
    _, *cells = re.split(r"^# %% (\w+)\n", _CELLS.read_text(encoding="utf-8"), flags=re.MULTILINE)
    made = [_cell("markdown", "title", texts["title"])]
    for name, code in zip(cells[::2], cells[1::2], strict=True):
        made += [_cell("markdown", f"{name}-text", texts[name]), _cell("code", name, code.strip())]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    document = {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _cell(kind: str, name: str, text: str) -> dict[str, object]:
    cell: dict[str, object] = {"cell_type": kind, "id": name, "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
