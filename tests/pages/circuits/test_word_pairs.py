"""Which words look for which: the numbers of the command, a search, and what is said where there are none."""

import pytest

from model.attribution.score_terms.pairs_in_sentences import together
from model.attribution.score_terms.word_scores import word_scores
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import load
from model.features import word_table
from model.measurements.heads import word_pairs
from tests.app import downloads, inside, said, sentence, visit
from tests.figures import watching_figures
from tests.samples import SAMPLES, either_language
from viz.figures.matrices import MatrixFigure
from viz.numbers import percent, signed

pytestmark = pytest.mark.usefixtures("warm")
HERE = {"checkpoint": "sort", "show": "words", "attention_kind": "encoder", "head": "2"}


def expected() -> list[word_table.WordPair]:
    entry = Entry(SAMPLES / "sort")
    checkpoint = load(entry)
    seen = word_table.seen(entry, checkpoint, "encoder")
    scores = word_scores(checkpoint.model, "encoder", seen.ids, seen.counts, word_pairs.DISTANCE)[2]
    return word_table.strongest(checkpoint, "encoder", 2, scores, seen, together(seen, is_causal=False))


@either_language
def test_the_strongest_pairs_are_shown_with_their_check(language: str) -> None:
    figures: list[MatrixFigure] = []
    with watching_figures(lambda name, figure: figures.append(figure)):
        app = visit("circuits", language, **HERE)
    assert said(app) == []
    pairs = expected()
    [matrix] = figures[-1].matrices
    at = matrix.rows.index(pairs[0].query), matrix.columns.index(pairs[0].key)
    assert matrix.values[at] == pytest.approx(pairs[0].score, abs=1e-5)
    assert matrix.values.max() == pytest.approx(pairs[0].score, abs=1e-5)
    share, random = word_table.summed(pairs)
    says = next(text.value for text in app.main.text if percent(random.mean) in text.value)
    assert percent(share.mean) in says
    rows = downloads(app)["csv_words"].make().decode("utf-8-sig").strip().splitlines()
    assert len(rows) == 1 + len(pairs)
    assert app.code[0].value.endswith("word-pairs sort --head encoder.2")


def test_a_word_shows_what_it_looks_for_and_what_looks_for_it() -> None:
    app = visit("circuits", **HERE, sought="X")
    heads = [element.value for element in app.subheader]
    assert sentence("en", "circuits.words_looks_for", word="x") in heads
    assert sentence("en", "circuits.words_looked_for", word="x") in heads
    tables = " ".join(inside(app, "figure_words"))
    assert signed(expected()[0].score) in tables
    assert app.code[1].value.endswith("--head encoder.2 --word X --most 10")


@either_language
def test_a_word_that_is_not_there_is_read_in_pieces(language: str) -> None:
    app = visit("circuits", language, **HERE, sought="x<b>")
    says = sentence(language, "circuits.words_unknown", word="x<b>", words=28, pieces="x · <unk> · b · <unk>")
    assert says in [text.value for text in app.main.text]


@pytest.mark.parametrize("name", ["llm-rotary", "copy-8-alibi"])
def test_what_positions_do_is_said(name: str) -> None:
    app = visit("circuits", checkpoint=name, show="words")
    key = "rotary" if name == "llm-rotary" else "added"
    assert sentence("en", f"circuits.words_{key}") in [caption.value for caption in app.main.caption]
    assert said(app) == []


def test_without_training_sentences_that_is_said() -> None:
    app = visit("circuits", checkpoint="untrained-gpt", show="words")
    assert sentence("en", "circuits.words_none") in [text.value for text in app.main.text]
