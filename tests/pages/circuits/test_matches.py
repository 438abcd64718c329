"""What each head matches: the recorded shares, those of the head in view, and the command where nothing is recorded."""

import pytest

from model.attribution.score_terms.sources import SOURCES
from model.checkpoint.catalogue import Entry
from model.measurements import score_sources
from tests.app import downloads, said, sentence, visit
from tests.figures import watching_figures
from tests.samples import SAMPLES, either_language
from viz.figures.matrices import MatrixFigure
from viz.numbers import percent

pytestmark = pytest.mark.usefixtures("warm")
RECORDED = score_sources.MEASUREMENT.recorded(Entry(SAMPLES / "reverse"))


@either_language
def test_the_shares_of_every_head_are_those_that_are_recorded(language: str) -> None:
    assert RECORDED is not None
    figures: list[MatrixFigure] = []
    place = {"attention_kind": "cross", "layer": "0", "head": "0"}
    with watching_figures(lambda name, figure: figures.append(figure)):
        app = visit("circuits", language, checkpoint="reverse", show="matches", **place)
    [own, random] = figures[-1].matrices
    for matrix, table in ((own, RECORDED.heads), (random, RECORDED.random)):
        assert matrix.rows == tuple(RECORDED.heads)
        for head, row in zip(matrix.rows, matrix.values, strict=True):
            assert row.tolist() == [table[head][source].mean for source in SOURCES]
    assert said(app) == []
    [says] = [text.value for text in app.main.text if "cross.0.0" in text.value]
    for source in SOURCES:
        assert sentence(language, f"circuits_source.{source}") in says
        mean = RECORDED.heads["cross.0.0"][source].mean
        assert percent(mean) in says or abs(mean) < 0.005
    numbers = downloads(app)["csv_matches"].make().decode("utf-8-sig")
    assert len(numbers.strip().splitlines()) == 1 + 2 * len(SOURCES) * len(RECORDED.heads)


@either_language
def test_where_nothing_is_recorded_the_command_is_named(language: str) -> None:
    app = visit("circuits", language, checkpoint="gpt-char", show="matches")
    [code] = [code.value for code in app.code]
    assert code.endswith("score-sources gpt-char --save")
    assert sentence(language, "circuits.not_recorded") in [caption.value for caption in app.main.caption]
