"""Numbers as waves: what the page shows is the discrete Fourier transform of the tables that the training kept."""

import json

import numpy as np
import pytest

from model.checkpoint import history
from model.checkpoint.catalogue import Entry, load_tokenizer
from tests.app import said, sentence, table, visit
from tests.figures import watching_figures
from tests.samples import SAMPLES, either_language

ENTRY = Entry(SAMPLES / "modular")
pytestmark = pytest.mark.usefixtures("warm")


@either_language
def test_the_spectrum_of_a_moment(language: str) -> None:
    moment = history.load(ENTRY)[5]
    app = visit("embedding", language, checkpoint="modular", show="frequencies", moment=str(moment.step))
    assert said(app) == []
    rows = table(app, "embedding-frequencies")
    assert list(dict.fromkeys(rows["column"].astype(str))) == ["0", f"{moment.step:,}", "4,000"]
    tokenizer = load_tokenizer(ENTRY)
    tokens = tokenizer.tokens(range(tokenizer.size))
    e = moment.embedding.astype(float)[[tokens.index(str(n)) for n in range(59)]]
    turns = np.exp(-2j * np.pi * np.outer(np.arange(30), np.arange(59)) / 59)
    expected = np.sqrt((np.abs(2 * turns @ e / 59) ** 2).sum(axis=1))[1:]
    on_screen = rows[rows["column"].astype(str) == f"{moment.step:,}"]["amplitude"].to_numpy()[1:]
    assert on_screen == pytest.approx(expected, abs=1e-3)


def test_the_angles_of_the_sum_typed_add_up() -> None:
    app = visit("embedding", "en", checkpoint="modular", show="frequencies", sentence="30 + 40 =")
    assert said(app) == []
    circle = table(app, "embedding-circle").set_index("number")["angle"]
    assert len(circle) == 59
    total = (circle[30] + circle[40] - circle[11]) % 360
    assert min(total, 360 - total) < 25
    text = next(block.value for block in app.text if block.value.startswith("30 is at"))
    assert f"{circle[11]:.0f}°" in text


def test_a_model_without_numbers_says_so_and_offers_one_that_has_them() -> None:
    app = visit("embedding", "en", checkpoint="reverse", show="frequencies")
    assert [block.value for block in app.text if block.value == sentence("en", "embedding_frequencies.none", fewest=8)]
    app.button(key="frequencies_other").click().run()
    assert app.query_params["checkpoint"] == "modular"


def test_digits_of_another_model_have_a_spectrum_without_a_history() -> None:
    figures = {}
    with watching_figures(lambda name, figure: figures.update({name: figure})):
        app = visit("embedding", "en", checkpoint="addition", show="frequencies")
    assert said(app) == []
    assert '"legend": {' not in json.dumps(figures["embedding-frequencies"].spec["layer"]), "of its only curve"
    assert len(table(app, "embedding-circle")) == 10
