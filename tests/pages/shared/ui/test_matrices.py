"""The cell that a user locks in a matrix is a setting of the view, which a link restores."""

from collections.abc import Iterator

import pytest

from tests.app import said, visit
from tests.figures import watching_figures
from tests.samples import in_turn
from viz.data import Selection
from viz.figures.figure import Figure
from viz.figures.matrices import MatrixFigure

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def locked() -> Iterator[dict[str, Selection | None]]:
    """The cell that each figure is told to lock, by its first matrix."""
    result: dict[str, Selection | None] = {}

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, MatrixFigure):
            result[figure.matrices[0].key] = figure.selection

    with watching_figures(keep):
        yield result


@pytest.mark.parametrize(
    ("page", "address", "figure", "cell"),
    [
        ("masks", {"show": "scores", "masks_scores_cell": "weights,2,1"}, "scores", ("weights", 2, 1)),
        ("masks", {"show": "patterns", "masks_patterns_cell": "cross,0,3"}, "padding", ("cross", 0, 3)),
        ("attention", {"view": "stages", "stage": "query", "stages_cell": "w_q,100,3"}, "x", ("w_q", 100, 3)),
        ("position", {"show": "worked", "position_row_cell": "off,1,2"}, "row", ("off", 1, 2)),
        ("embedding", {"step": "2", "dimension": "7"}, "steps", ("steps", 2, 7)),
        (
            "embedding",
            {"rows": "sentence", "part": "1", "token": "3", "dimension": "9"},
            "embedding",
            ("position", 3, 9),
        ),
        (
            "attention",
            {"view": "similarity", "attention_kind": "encoder", "layer": "1", "head": "2", "other": "4"},
            "alike",
            ("alike", 6, 4),
        ),
    ],
)
def test_a_link_locks_the_whole_cell(page: str, address: dict, figure: str, cell: tuple, locked: dict) -> None:
    app = visit(page, **address)
    assert locked[figure] == cell
    assert said(app) == []
    for key, value in address.items():  # and the address of this view says so again, but for what is the default
        assert app.query_params.get(key) in ([value], value)


def test_nothing_is_locked_before_somebody_does(locked: dict) -> None:
    visit("masks", show="scores")
    assert locked == {"scores": None}


def test_a_cell_of_another_step_waits_there(locked: dict) -> None:
    app = visit("attention", view="stages", stage="raw", stages_cell="w_v,5,1")
    assert locked["q"] is None
    assert said(app) == []
    app.segmented_control(key="stage").set_value("value").run()
    assert locked["memory"] == ("w_v", 5, 1)


@in_turn("asked", ["weights,99,0", "weights,0,-1", "weights,0", "<b>weights</b>", "weights,1,1,1"])
def test_a_cell_that_is_none_is_said(asked: str, language: str, locked: dict) -> None:
    app = visit("masks", language, show="scores", masks_scores_cell=asked)
    [notice] = said(app)
    assert asked in notice
    assert locked["scores"] is None
    assert "masks_scores_cell" not in app.query_params


def test_a_cell_outside_of_a_shorter_sentence_is_let_go_without_a_word(locked: dict) -> None:
    app = visit("masks", show="scores", row="1", masks_scores_cell="weights,4,6")
    assert locked["scores"] == ("weights", 4, 6)
    app.text_input(key="sentence").set_value("Ja.").run()
    for key in ("sentence_b", "sentence_c", "sentence_d"):
        app.text_input(key=key).set_value("").run()
    assert locked["scores"] is None
    assert [notice for notice in said(app) if "weights" in notice] == []
