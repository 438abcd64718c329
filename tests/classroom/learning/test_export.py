"""Files for a teacher: the raw answers, the codebook, and the notebook, whose numbers are those of the page."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from classroom.learning import analysis, export
from classroom.learning.answers import COLUMNS, Row
from classroom.learning.bank import by_id
from pages.shared.session.language_choice import speaking
from pages.shared.text import learning
from tests.classroom.learning import simulate
from tests.samples import LANGUAGES


def some(groups: tuple[str, ...] = ("all",), effect: float = 1.0, size: int = 30) -> list[Row]:
    """Answers of a class of which one person left early."""
    return simulate.answers(np.random.default_rng(3), size, effect, groups)[:-2]


def read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def test_the_raw_answers_come_back_as_they_were() -> None:
    rows = some()
    again = [
        Row(*(type(value)(text) for value, text in zip(rows[0], row.values(), strict=True)))
        for row in read(export.answers_csv(rows))
    ]
    assert again == rows


def test_the_codebook_explains_every_column_value_and_question_in_both_languages() -> None:
    lines = read(learning.files(some())["codebook.csv"])
    assert {line["column"] for line in lines} >= set(COLUMNS)
    assert all(line["en"] and line["zh"] and line["en"] != line["zh"] for line in lines)
    values = {(line["column"], line["value"]) for line in lines}
    for row in some(("touch", "picture")) + some():
        assert {("group", row.group), ("phase", row.phase), ("form", row.form), ("question", row.question)} <= values
        assert ("right", str(row.right)) in values
        of_question = "choice" if row.choice < 0 else f"choice of {row.question}"
        assert (of_question, str(row.choice)) in values
    right = {line["column"]: int(line["value"]) for line in lines if line["right"] == "1"}
    assert right == {f"choice of {question.id}": question.right for question in by_id().values()}


@pytest.mark.parametrize("groups", [("all",), ("touch", "picture")], ids="+".join)
@pytest.mark.parametrize("effect", [-1.0, 1.0])
def test_the_notebook_runs_on_the_raw_answers_and_has_the_numbers_of_the_page(
    groups: tuple[str, ...], effect: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    rows = some(groups, effect)
    for name, data in learning.files(rows).items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    document = json.loads((tmp_path / "analysis.ipynb").read_text(encoding="utf-8"))
    scope: dict = {}
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), scope)
    result = analysis.analyse(rows)
    assert scope["gain"] == pytest.approx(result.gain.gain)
    assert scope["normalised"] == (result.gain.normalised and pytest.approx(result.gain.normalised))
    assert scope["difference"] == (result.difference and pytest.approx(result.difference))
    assert (result.difference is None) == (len(groups) == 1)
    assert {name: pytest.approx(gain) for name, gain in scope["groups"].items()} == {
        name: each.gain for name, each in result.groups.items()
    }
    for each in result.questions:
        for phase, estimate in (("before", each.before), ("after", each.after)):
            ours = scope["shares"].loc[(each.question, phase), ["share", "low", "high"]]
            assert tuple(ours) == pytest.approx(estimate)
        assert scope["discrimination"][each.question] == pytest.approx(each.discrimination)
    for each in result.topics:
        for phase, estimate in (("before", each.before), ("after", each.after)):
            assert tuple(scope["topics"].loc[(each.topic, phase), ["share", "low", "high"]]) == pytest.approx(estimate)
    assert f"{result.gain.count} participants" in capsys.readouterr().out


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_of_the_notebook_has_an_explanation_in_the_language_of_the_teacher(language: str) -> None:
    with speaking(language):
        cells = json.loads(learning.files(some())["analysis.ipynb"])["cells"]
    assert [cell["cell_type"] for cell in cells] == ["markdown", *["markdown", "code"] * 5]
    text = "".join(line for cell in cells if cell["cell_type"] == "markdown" for line in cell["source"])
    assert ("笔记本" in text) == (language == "zh")
