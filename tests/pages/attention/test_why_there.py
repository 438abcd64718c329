"""Why there: the terms of a cell, what opens them, the row without one, and parts replaced in a real run."""

import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from model.attribution.score_terms.terms import groups, score_row
from model.checkpoint.catalogue import Entry
from model.decode.translate import translate
from model.edit.edit_effects import edited_values
from model.edit.edited_pass import Edit
from model.features import key_parts
from model.measurements import score_sources
from pages.shared.text.words import filled
from tests.app import click, said, sentence, visit
from tests.pages.attention.page import EN, HERE, Drawn, captions
from tests.samples import KINO, SAMPLES, either_language, german_english
from viz.data import Selection
from viz.numbers import percent, power_of_ten, signed

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


@either_language
def test_the_row_without_a_term_is_the_softmax_without_it_and_what_the_model_gives(language: str, drawn: Drawn) -> None:
    app = visit("attention", language, **CELL, term="decoder.embedding,encoder.embedding", without="1")
    row, name = row_in_view(), "decoder.1.cross_attention"
    less = torch.from_numpy(row.term([0], [0])).float()
    edit = Edit(f"{name}.scores", lambda value, at: value - less, head=2, row=1)
    checkpoint = german_english()
    after = edited_values(checkpoint, translate(checkpoint, KINO), [edit])[f"{name}.weights"][2, 1]
    values = drawn["there_row"].matrices["weights"].values
    np.testing.assert_allclose(values, [row.weights, row.without([0], [0]), after], atol=1e-6)
    assert np.abs(values[2] - values[0]).max() > 1e-3
    assert drawn["there"].selection == Selection("terms", 0, 0)
    start = sentence(language, "attention_there.apart").partition("{apart}")[0]
    [apart] = [caption for caption in captions(app) if caption.startswith(start)]
    assert power_of_ten(float(np.abs(values[1] - values[2]).max())) in apart


def test_a_term_leads_to_the_head_that_wrote_it(drawn: Drawn) -> None:
    app = visit("attention", **CELL, open_keys="1", term="decoder.embedding,encoder.1.2")
    assert [button.key for button in app.button if (button.key or "").startswith("there_head")] == ["there_head_key"]
    click(app, "there_head_key")
    shown = {key: app.query_params[key] for key in ("attention_kind", "layer", "head", "view")}
    assert {key: text[0] if isinstance(text, list) else text for key, text in shown.items()} == {
        "attention_kind": "encoder", "layer": "1", "head": "2", "view": "there",
    }  # fmt: skip
    assert drawn["there"].matrices["terms"].columns[2:] == ("layer 0", "biases")


@pytest.mark.parametrize(
    ("term", "side", "shown"),
    [
        ("decoder.embedding,encoder.position", "query", "embedding?show=way&side=decoder&token=1"),
        ("decoder.embedding,encoder.position", "key", "embedding?show=way&side=encoder&token=2"),
        (
            "decoder.0.feed_forward,encoder.position",
            "query",
            "layers?show=feed_forward&side=decoder&token=1&depth=0",
        ),
        ("decoder.norm_bias,encoder.norm_bias", "key", "layers?show=norm&side=encoder&token=2"),
    ],
)  # fmt: skip
def test_a_term_leads_to_the_page_that_shows_what_wrote_it(term: str, side: str, shown: str) -> None:
    app = visit("attention", **CELL, open_queries="0,1,biases", open_keys="0,1,2,biases", term=term)
    start = EN[f"attention_there.written_{side}"].partition("{")[0]
    end = EN[f"attention_there.written_{side}"].partition("}")[2]
    [link] = [each.proto for each in app.main if each.type == "page_link"
              and each.proto.label.startswith(start) and each.proto.label.endswith(end)]  # fmt: skip
    page, _, query = shown.partition("?")
    assert link.page.endswith(page)
    wanted = dict(parse_qsl(query))
    assert {key: text for key, text in parse_qsl(link.query_string) if key in wanted} == wanted
    there = visit(page, checkpoint="de-en", sentence=KINO, **wanted)
    assert said(there) == []


@pytest.mark.parametrize(
    ("term", "side", "step", "kind"),
    [
        ("decoder.1.query_bias,encoder.1.key_bias", "query", "query", "cross"),
        ("decoder.1.query_bias,encoder.1.key_bias", "key", "key", "cross"),
        ("decoder.0.self_attention_bias,encoder.embedding", "query", "output", "decoder"),
    ],
)
def test_a_bias_of_an_attention_leads_to_the_step_that_adds_it(
    term: str, side: str, step: str, kind: str, drawn: Drawn
) -> None:
    app = visit("attention", **CELL, open_queries="biases", open_keys="biases", term=term)
    app = click(app, f"there_head_{side}")
    assert drawn["stages"].matrices.keys() & {"b_q", "b_k", "b_o"} == {f"b_{ {'output': 'o'}.get(step, step[0]) }"}
    kinds = app.query_params.get("attention_kind", ["cross"])
    assert kinds in (kind, [kind])


def test_where_no_test_is_saved_the_command_is_named() -> None:
    app = visit("attention", checkpoint="copy-8", view="there", attention_kind="cross", tested="1")
    assert EN["attention_there.not_measured"] in captions(app)
    commands = [code.value for code in app.code]
    assert ".venv/bin/python -m model score-sources copy-8 --save" in commands


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
    saved = score_sources.MEASUREMENT.saved(Entry(SAMPLES / "de-en"))
    assert saved is not None
    cells, rho = saved.test["all"]
    start = sentence(language, "attention_there.agreement").partition("{cells}")[0]
    [agreement] = [caption for caption in captions(app) if caption.startswith(start) and f"{rho:.2f}" in caption]
    assert f"{cells:,}" in agreement
    table = next(
        html.proto.body
        for html in app.main.get("html")
        if sentence(language, "attention_there.measured") in html.proto.body
    )
    assert table.count(percent(float(row_in_view().weights[2]), 1)) >= 6  # as it is, in each line


def test_features_of_the_encoder_are_parts_of_the_key(drawn: Drawn) -> None:
    where = {"checkpoint": "es-en", "sentence": "Hoy vamos al cine.", "view": "there", "attention_kind": "cross",
             "layer": "1", "head": "2", "query": "1", "key": "3"}  # fmt: skip
    visit("attention", **where)
    before = drawn["there"].matrices["terms"].values.sum()
    app = visit("attention", **where, by_feature="1")
    matrix = drawn["there"].matrices["terms"]
    assert said(app) == []
    assert matrix.values.sum() == pytest.approx(before, abs=1e-5)
    names = [name for name in matrix.columns if re.fullmatch(r"feature [\d,]+", name)]
    assert matrix.columns[: len(names)] == tuple(names)
    assert len(names) == key_parts.MOST
    assert EN["attention_there_part.feature_error"] in matrix.columns
    number = names[0].split()[1].replace(",", "")
    largest = int(np.abs(matrix.values[:, 0]).argmax())
    chosen = f"{'decoder.embedding' if largest == 0 else 'decoder.position'},encoder.feature.{number}"
    app = visit("attention", **where, by_feature="1", term=chosen)
    [link] = [each for each in app.main if each.type == "page_link" and "feature" in each.proto.label]
    assert f"feature={number}" in link.proto.query_string


def test_without_a_dictionary_the_parts_are_shown_and_that_is_said(drawn: Drawn) -> None:
    app = visit("attention", checkpoint="reverse", view="there", attention_kind="cross", by_feature="1")
    assert EN["attention_there.no_dictionary"] in texts(app)
    assert "there" in drawn


def test_the_page_says_for_which_heads_the_prediction_is_not_reliable(drawn: Drawn) -> None:
    saved = score_sources.MEASUREMENT.saved(Entry(SAMPLES / "de-en"))
    assert saved is not None
    found = saved.test_heads
    assert len(found) == 36
    assert sum(cells for cells, _ in found.values()) == saved.test["all"][0]
    lowest, highest = (pick(found, key=lambda head: found[head][1]) for pick in (min, max))
    for name, verdict in (
        (lowest, "fails"),
        (highest, "holds" if found[highest][1] >= score_sources.AGREES else "fails"),
    ):
        kind, layer, head = name.split(".")
        where = HERE | {"attention_kind": kind, "layer": layer, "head": head}
        app = visit("attention", **where, view="there", sentence=KINO, tested="1")
        cells, rho = found[name]
        own = filled(EN["attention_there.agreement_head"], {"cells": cells, "value": f"{rho:.2f}"})
        says = filled(EN[f"attention_there.agreement_{verdict}"], {"goal": score_sources.AGREES})
        assert f"{own} {says}" in texts(app)
        assert drawn["there_agreement"].matrices[kind].values[int(layer), int(head)] == rho
        assert drawn["there_agreement"].selection == Selection(kind, int(layer), int(head))
    reached = sum(rho >= score_sources.AGREES for _, rho in found.values())
    assert any(f" {reached} of 36 heads" in caption for caption in captions(app))
