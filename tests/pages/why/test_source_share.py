"""The tab on source and written words: the curve and its sentence against the model's own runs."""

import numpy as np
import pytest

from model.attribution.source_share import deletions, vectors
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from pages.why.source_share import METHODS, SUGGESTED
from tests.app import inside, said, sentence, table, visit
from tests.samples import KINO, LANGUAGES, SAMPLES, german_english
from viz.charts.effects.source_share_charts import share_chart
from viz.numbers import percent

pytestmark = pytest.mark.usefixtures("warm")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_curve_is_what_the_method_gives(language: str) -> None:
    model, run = german_english(), translate(german_english(), KINO)
    app = visit("why", language, show="origin", step="4")
    assert said(app) == []
    before = deletions.words_before(run)
    words = deletions.deletable(run, before)
    shares = deletions.shares(before, dict(zip(words, deletions.falls_without(model, run, words), strict=True)))
    rows = table(app, "why-origin")
    assert list(rows["token"]) == list(run.trace.output_tokens)
    assert rows["source"].to_numpy() == pytest.approx(shares, abs=1e-4)
    assert (rows["source"] + rows["written"]).to_numpy() == pytest.approx(1, abs=1e-5)
    text = " ".join(inside(app, "figure_origin"))
    assert sentence(language, "why_origin.marked", token="cinema", share=percent(shares[4], 1)) in text
    later = shares[1:-1]
    least = later[:-1].min()  # of the words, without the full stop
    numbers = {"mean": percent(later.mean(), 1), "token": "the", "least": percent(least, 1)}
    assert sentence(language, "why_origin.least", **numbers) in text


@pytest.mark.parametrize("method", METHODS)
def test_each_method_is_shown_with_its_formula(method: str) -> None:
    app = visit("why", show="origin", share=method)
    rows = table(app, "why-origin")
    assert rows["source"].between(0, 1).all()
    assert sentence("en", f"why_origin_about.{method}") in " ".join(inside(app, "figure_origin"))
    assert app.latex
    if method == "alti":
        expected = vectors.alti_shares(german_english().model, translate(german_english(), KINO))
        assert rows["source"].to_numpy() == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", SUGGESTED)
def test_what_the_suggestions_promise_is_said_of_their_sentences(name: str) -> None:
    for text, key in zip(SUGGESTED[name], ("repeats", "goes_on"), strict=True):
        app = visit("why", checkpoint=name, sentence=text, show="origin")
        tokens = translate(load(Entry(SAMPLES / name)), text).trace.output_tokens
        lines = " ".join(inside(app, "figure_origin"))
        least = [token for token in tokens if sentence("en", f"why_origin.{key}", token=token) in lines]
        assert least
        assert key == "goes_on" or tokens.count(least[0]) > 1


def test_a_model_that_reads_one_text_says_so() -> None:
    app = visit("why", checkpoint="gpt-char", show="origin")
    assert sentence("en", "why_origin.one_text") in " ".join(inside(app, "figure_origin"))
    assert "rather" not in [box.key for box in app.selectbox]


def test_the_chart_is_sound_and_leaves_out_what_has_no_share() -> None:
    words = dict.fromkeys(("tokens", "token", "share", "source", "written", "description"), "word")
    chart = share_chart(("a", "a", "b"), (1.0, np.nan, 0.25), 2, words)
    assert "2  b" in str(chart.spec)
    assert "1  a" not in str(chart.spec)
    assert [row["written"] for row in chart.rows()] == [0.0, None, 0.75]
