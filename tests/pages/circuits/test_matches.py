"""What each head matches: the saved shares, those of the head in view, and the command where nothing is saved."""

import pytest

from model.attribution.score_terms.sources import SOURCES
from model.checkpoint.catalogue import Entry
from model.measurements import score_sources
from pages.shared.text.words import filled
from tests.app import downloads, said, sentence, visit
from tests.figures import watching_figures
from tests.samples import SAMPLES, either_language
from viz.figures.matrices import MatrixFigure
from viz.numbers import percent

pytestmark = pytest.mark.usefixtures("warm")
SAVED = score_sources.MEASUREMENT.saved(Entry(SAMPLES / "reverse"))


@either_language
def test_the_shares_of_every_head_are_those_that_are_saved(language: str) -> None:
    assert SAVED is not None
    figures: list[MatrixFigure] = []
    place = {"attention_kind": "cross", "layer": "0", "head": "0"}
    with watching_figures(lambda name, figure: figures.append(figure)):
        app = visit("circuits", language, checkpoint="reverse", show="matches", **place)
    [own, random] = figures[-1].matrices
    for matrix, table in ((own, SAVED.heads), (random, SAVED.random)):
        assert matrix.rows == tuple(SAVED.heads)
        for head, row in zip(matrix.rows, matrix.values, strict=True):
            assert row.tolist() == [table[head][source].mean for source in SOURCES]
    assert said(app) == []
    [says] = [text.value for text in app.main.text if "cross.0.0" in text.value]
    for source in SOURCES:
        assert sentence(language, f"circuits_source.{source}") in says
        mean = SAVED.heads["cross.0.0"][source].mean
        assert percent(mean) in says or abs(mean) < 0.005
    most = max(SOURCES, key=lambda source: SAVED.heads["cross.0.0"][source].mean)
    twin = SAVED.random["cross.0.0"][most]
    share = {name: percent(value) for name, value in zip(("share", "low", "high"), twin, strict=True)}
    of_twin = filled(
        sentence(language, "circuits.matches_share"), {"source": sentence(language, f"circuits_source.{most}")} | share
    )
    assert says.removesuffix(".").removesuffix("。").endswith(of_twin)  # what random weights have, with its interval
    numbers = downloads(app)["csv_matches"].make().decode("utf-8-sig")
    assert len(numbers.strip().splitlines()) == 1 + 2 * len(SOURCES) * len(SAVED.heads)


@either_language
def test_where_nothing_is_saved_the_command_is_named(language: str) -> None:
    app = visit("circuits", language, checkpoint="gpt-char", show="matches")
    [code] = [code.value for code in app.code]
    assert code.endswith("score-sources gpt-char --save")
    assert sentence(language, "circuits.not_measured") in [caption.value for caption in app.main.caption]
