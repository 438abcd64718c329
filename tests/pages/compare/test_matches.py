"""What heads match at two moments of a training, and when a head began."""

import numpy as np
import pytest

from model.attribution.score_terms import sources
from model.checkpoint.catalogue import Entry
from model.circuits import card_sentences
from model.decode.translate import translate
from pages.compare.pair import checkpoint, moments
from pages.shared.links import END, START
from tests.app import said, sentence
from tests.figures import watching_figures
from tests.pages.compare.page import body, opened, texts
from tests.samples import SAMPLES, either_language
from viz.figures.matrices import MatrixFigure
from viz.numbers import percent

pytestmark = pytest.mark.usefixtures("warm")
ITSELF = {"checkpoint": "induction", "other": "induction", "other_moment": START, "show": "matches"}
HEAD = "decoder.1.0"


def expected(moment: str) -> dict[str, sources.Matched]:
    entry, at = Entry(SAMPLES / "induction"), checkpoint(Entry(SAMPLES / "induction"), moment)
    texts = card_sentences.readable(entry, checkpoint(entry, END))
    found = sources.matched(at.model, [translate(at, text).trace for text in texts])
    return {".".join(map(str, head)): each for head, each in found.items()}


@either_language
def test_both_moments_and_the_one_at_which_the_induction_head_began(language: str) -> None:
    figures: list[MatrixFigure] = []
    with watching_figures(lambda name, figure: figures.append(figure)):
        app = opened(language, **ITSELF, of_head=HEAD)
    assert said(app) == []
    a, b = figures[-1].matrices
    tables = expected(END), expected(START)
    for matrix, table in zip((a, b), tables, strict=True):
        values = [[table[head].shares[source] for source in sources.SOURCES] for head in matrix.rows]
        np.testing.assert_allclose(matrix.values, values, atol=1e-6)
    assert tables[0][HEAD].shares["heads"] > tables[1][HEAD].shares["heads"] + 0.3  # it reads what head 0.0 wrote
    steps = moments(Entry(SAMPLES / "induction"))
    spreads = {step: expected(step)[HEAD].spread for step in steps}
    began = next(step for step in steps if 2 * spreads[step] >= spreads[END])
    names = {START: sentence(language, "compare.start"), END: sentence(language, "compare.end")}
    name = names.get(began) or sentence(language, "compare.step", step=f"{int(began):,}")
    spread = f"{spreads[END]:.2f}"
    assert sentence(language, "compare_matches.began", spread=spread, moment=name) in texts(app)
    heading = sentence(language, "compare_matches.moment")
    table = body(app, f">{heading}<")  # also the address of a link has the word
    assert percent(tables[0][HEAD].shares["heads"]) in table
    assert table.count("<tr") == 1 + len(steps)


def test_a_model_without_history_says_so() -> None:
    app = opened(checkpoint="untrained-gpt", show="matches")
    assert sentence("en", "compare_matches.no_history") in texts(app)
