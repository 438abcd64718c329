"""Why there: the terms of a cell, what opens them, the row without one, and parts replaced in a real run."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.attribution.score_terms.terms import groups, score_row
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from model.measurements import score_sources
from pages.shared.text.words import filled
from tests.app import click, said, sentence, visit
from tests.pages.attention.page import EN, HERE, Drawn, captions
from tests.samples import KINO, SAMPLES, either_language, german_english
from viz.data import Selection
from viz.numbers import percent, signed

pytestmark = pytest.mark.usefixtures("warm")
CELL = {**HERE, "view": "there", "sentence": KINO, "query": "1", "key": "2"}


def row_in_view():
    checkpoint = german_english()
    return score_row(checkpoint.model, translate(checkpoint, KINO).trace.values, "cross", 1, 2, 1)


def texts(app: AppTest) -> list[str]:
    return [text.value for text in app.main.text]


def test_groups_of_terms_add_up_to_the_score_less_the_mean_of_its_row(drawn: Drawn) -> None:
    visit("attention", **CELL)
    row = row_in_view()
    table = drawn["there"].matrices["terms"].values
    assert table.shape == (len(groups(row.queries)), len(groups(row.keys)))
    assert table.sum() == pytest.approx(row.total[2] - row.total[row.allowed].mean(), abs=1e-6)
    visit("attention", **CELL, raw="1")
    assert drawn["there"].matrices["terms"].values.sum() == pytest.approx(row.total[2], abs=1e-6)


@either_language
def test_the_largest_terms_are_said(language: str, drawn: Drawn) -> None:
    app = visit("attention", language, **CELL)
    matrix = drawn["there"].matrices["terms"]
    largest = matrix.values.flat[int(np.abs(matrix.values).argmax())]
    says = next(text for text in texts(app) if percent(float(row_in_view().weights[2]), 1) in text)
    assert signed(float(largest)) in says
    assert sentence(language, "attention_hint.there") in captions(app)


def test_a_click_opens_a_layer_and_then_chooses_a_term(drawn: Drawn) -> None:
    app = visit("attention", **CELL)
    before = drawn["there"].matrices["terms"]
    layer = before.rows.index("layer 0")
    opened = visit("attention", **CELL, open_queries="0")
    matrix = drawn["there"].matrices["terms"]
    assert "layer 0" not in matrix.rows
    assert "self 0·0" in matrix.rows
    parts = [at for at, name in enumerate(matrix.rows) if re.match(r"(self|cross) 0|feed-forward 0", name)]
    assert len(parts) == 9
    np.testing.assert_allclose(matrix.values[parts].sum(axis=0), before.values[layer], atol=1e-6)
    assert said(app) == said(opened) == []


def test_the_row_without_a_term_is_the_softmax_without_it(drawn: Drawn) -> None:
    visit("attention", **CELL, term="decoder.embedding,encoder.embedding", without="1")
    row = row_in_view()
    values = drawn["there_row"].matrices["weights"].values
    np.testing.assert_allclose(values, [row.weights, row.without([0], [0])], atol=1e-6)
    assert drawn["there"].selection == Selection("terms", 0, 0)


def test_a_term_leads_to_the_head_that_wrote_it(drawn: Drawn) -> None:
    app = visit("attention", **CELL, open_keys="1", term="decoder.embedding,encoder.1.2")
    assert [button.key for button in app.button if (button.key or "").startswith("there_head")] == ["there_head_key"]
    click(app, "there_head_key")
    shown = {key: app.query_params[key] for key in ("attention_kind", "layer", "head", "view")}
    assert {key: text[0] if isinstance(text, list) else text for key, text in shown.items()} == {
        "attention_kind": "encoder", "layer": "1", "head": "2", "view": "there",
    }  # fmt: skip
    assert drawn["there"].matrices["terms"].columns[2:] == ("layer 0", "biases")


def test_a_pinned_cell_is_the_one_that_is_explained(drawn: Drawn) -> None:
    app = visit("attention", **HERE, view="there", sentence=KINO, pin="cross,1,2")
    expected = row_in_view().table(2, centred=True).sum()
    assert drawn["there"].matrices["terms"].values.sum() == pytest.approx(expected, abs=1e-6)
    assert any(caption.startswith(EN["attention_there.pinned"][:20]) for caption in captions(app))


def test_what_the_mask_hides_has_no_terms(drawn: Drawn) -> None:
    app = visit("attention", view="there", attention_kind="decoder", layer="0", head="0", query="0", key="1")
    assert EN["attention_there.hidden"] in texts(app)
    assert "there" not in drawn


def test_a_query_that_sees_one_key_has_nothing_to_compare(drawn: Drawn) -> None:
    app = visit("attention", view="there", attention_kind="decoder", layer="0", head="0", query="0", key="0")
    assert EN["attention_there.single"] in texts(app)
    assert "there" not in drawn


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_at_first_it_is_a_cell_between_two_tokens_of_text(kind: str, drawn: Drawn) -> None:
    app = visit("attention", view="there", attention_kind=kind, layer="1", head="0", sentence=KINO)
    chosen = [app.selectbox(key=side) for side in ("query", "key")]
    assert not any("<" in box.format_func(box.value) for box in chosen)
    assert np.abs(drawn["there"].matrices["terms"].values).max() > 0


def test_a_term_that_is_not_there_is_said(drawn: Drawn) -> None:
    [notice] = said(visit("attention", **CELL, term="<b>x</b>"))
    assert "<b>x</b>"[:3] in notice


@either_language
def test_parts_are_replaced_in_a_real_run(language: str, drawn: Drawn) -> None:
    app = visit("attention", language, **CELL, tested="1")
    about = filled(sentence(language, "attention_there.test_about"), {"count": 12})
    assert about in captions(app)
    recorded = score_sources.MEASUREMENT.recorded(Entry(SAMPLES / "de-en"))
    assert recorded is not None
    cells, rho = recorded.test["all"]
    start = sentence(language, "attention_there.agreement").partition("{cells}")[0]
    [agreement] = [caption for caption in captions(app) if caption.startswith(start) and f"{rho:.2f}" in caption]
    assert f"{cells:,}" in agreement
    table = next(
        html.proto.body
        for html in app.main.get("html")
        if sentence(language, "attention_there.measured") in html.proto.body
    )
    assert table.count(percent(float(row_in_view().weights[2]), 1)) >= 6  # as it is, in each line
