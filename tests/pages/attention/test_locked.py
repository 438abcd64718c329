"""A word or cell that is locked in the large map, and its link."""

from collections.abc import Iterator

import pytest

from model.analysis.attention.head_measures import measures
from tests.app import controls, said, sentence, visit
from tests.figures import watching_figures
from tests.samples import SAMPLES, in_turn
from viz.data import Pin
from viz.figures.attention import AttentionFigure
from viz.figures.figure import Figure

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def pins() -> Iterator[list[Pin | None]]:
    """Pins of the large map, run after run."""
    result: list[Pin | None] = []

    def keep(name: str, figure: Figure) -> None:
        if isinstance(figure, AttentionFigure):
            result.append(figure.look.pin)

    with watching_figures(keep):
        yield result


@pytest.mark.parametrize(
    ("text", "pin"),
    [
        ("cross,3,1", Pin("cross", 3, 1)), ("cross,0,0", Pin("cross", 0, 0)), ("cross,2,", Pin("cross", 2, None)),
        ("decoder,,4", Pin("decoder", None, 4)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("page", ["attention", "start"])
def test_a_link_locks_a_word_or_a_cell(text: str, pin: Pin, page: str, pins: list[Pin | None]) -> None:
    app = visit(page, pin=text)
    assert said(app) == []
    assert pins == [pin]
    assert app.query_params["pin"] in (text, [text])  # it stays in the address
    app.button(key="try_1" if page == "attention" else "try_0").click().run()  # a step that stays with the model
    assert pins[-1] == pin


@in_turn("checkpoint", ["de-en", "untrained-mini-encoder"])
def test_a_step_opens_a_head_that_looks_at_the_token_before(checkpoint: str, language: str) -> None:
    """The large map shows the head with the highest score of its model, and that is at least one half."""
    app = visit("attention", language, checkpoint=checkpoint, layer="0", head="1")
    figures: list[Figure] = []
    [step] = [each for each in app.button if each.label == sentence(language, "attention.try_previous")]
    with watching_figures(lambda name, figure: figures.append(figure)):
        step.click().run()
    [figure] = [figure for figure in figures if isinstance(figure, AttentionFigure)]
    at = figure.look
    scores = measures(figure.panels[at.kind].weights, at.kind)["previous"]
    assert scores[at.layer, at.head] == scores.max() >= 0.5
    assert controls(app)["measure"].value == "previous"
    assert said(app) == []


def test_without_that_model_the_step_opens_the_measure(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "de-en").symlink_to(SAMPLES / "de-en")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    app = visit("attention")
    [step] = [each for each in app.button if each.label == sentence("en", "attention.try_previous")]
    step.click().run()
    assert controls(app)["measure"].value == "previous"


@in_turn(
    "text",
    ["cross,99,0", "cross,0,99", "cross,,", "cross,1", "cross,1,2,3", "cross,-1,0", "cross,²,0", "sideways,1,1", "x"],
)
def test_a_link_that_locks_what_is_not_there_says_so(text: str, language: str, pins: list[Pin | None]) -> None:
    app = visit("attention", language, pin=text)
    [notice] = said(app)
    assert text in notice
    assert sentence(language, "place.pin") in notice
    assert pins == [None]
    assert "pin" not in app.query_params


def test_a_model_without_that_kind_of_attention_says_so(pins: list[Pin | None]) -> None:
    app = visit("attention", checkpoint="untrained-gpt", pin="cross,0,0")
    assert ["cross,0,0" in notice for notice in said(app)] == [True]
    assert pins == [None]


def test_another_sentence_lets_go(pins: list[Pin | None]) -> None:
    app = visit("attention", pin="cross,3,1")
    app.text_input(key="sentence").set_value("Das Kino ist alt.").run()
    assert said(app) == []
    assert pins == [Pin("cross", 3, 1), None]
    assert "pin" not in app.query_params
