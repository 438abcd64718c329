"""The views of a live page beside those of `test_browser.py`: each from its file, with the app's numbers."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.analysis import logit_lens
from model.analysis.residual_stream import lengths
from model.attribution import gradients, leave_one_out, methods, why_question
from model.attribution.score_terms.terms import groups, score_row
from model.checkpoint import catalogue
from model.course import page_data
from model.decode.translate import translate
from model.edit import edited_pass, edits
from model.measurements import score_sources
from pages.shared.text.words import filled
from tests.browser import PATIENCE, accessible
from tests.live.conftest import Open
from tests.live.test_browser import BUCH, CINEMA, EN, KINO, has_output, ready, single, tab
from tests.samples import german_english
from viz.numbers import percent, signed

CHOSEN = 4  # the step of “cinema”


def opened(open_page: Open, folder: object, view: str) -> Page:
    page = ready(open_page.again(single(folder, f"#{view}")))  # type: ignore[arg-type]
    expect(page.locator("#panel [data-done], #panel[data-done]").first).to_be_attached()
    return page


def test_layers_say_what_the_model_would_write_at_each_depth(open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, f"layers?step={CHOSEN}")
    run = translate(german_english(), KINO)
    lens = logit_lens.early(german_english().model, run.trace.values, "decoder")
    names = german_english().tokenizer.tokens
    rows = page.locator(".gf-early tbody tr")
    said = [rows.nth(depth).locator("td").all_inner_texts() for depth in range(len(lens.depths))]
    assert said == [list(names(lens.top[depth, :, 0].tolist())) for depth in range(len(lens.depths))]
    assert page.locator(".gf-early [data-written]").count() == int((lens.top[:, :, 0] == np.array(run.ids)).sum())
    longest = lengths(run.trace.values["decoder.2.feed_forward.residual"]).max()
    expect(page.locator(".gf-matrix").first).to_contain_text(f"{longest:.2f}")
    page.get_by_role("radio", name="We're", exact=True).check()
    expect(page.locator(".gf-early [data-chosen]").last).to_have_text("We're")
    accessible(page)


def test_why_shows_what_falls_without_each_word(open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, f"why?step={CHOSEN}&method=norms")
    run = translate(german_english(), KINO)
    question = why_question.Question(run, CHOSEN, run.ids[CHOSEN])
    falls = leave_one_out.leave_one_out(german_english(), question)
    test = page.locator(".gf-influence").nth(1)
    assert test.locator("b").all_inner_texts() == [word.text for word in why_question.input_words(question)]
    shown = [text.replace("−", "-") for text in test.locator("i").all_inner_texts()]
    assert [float(text) if text != "–" else np.nan for text in shown] == pytest.approx(falls, abs=0.011, nan_ok=True)
    expect(page.get_by_text("Kino", exact=True).first).to_be_visible()
    accessible(page)


@pytest.mark.parametrize("method", ["gradient", "integrated"])
def test_why_has_the_gradients_of_the_app(method: str, open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, f"why?step={CHOSEN}&method={method}")
    run = translate(german_english(), KINO)
    question = why_question.Question(run, CHOSEN, run.ids[CHOSEN])
    values = methods.attribution(german_english(), question, method)
    claim = page.locator(".gf-influence").first
    shown = [float(text.replace("−", "-")) for text in claim.locator("i").all_inner_texts()]
    assert shown == pytest.approx(values, abs=0.011)
    expect(page.get_by_text(EN[f"why_limit.{method}"])).to_be_visible()
    said = page.get_by_text(EN["why.gap"].partition("{")[0])
    if method == "gradient":
        return expect(said).to_have_count(0)
    path = gradients.integrated_gradients(german_english(), question)
    expect(said).to_contain_text(signed(path.change))  # what the values have to add up to


def test_a_vector_of_another_sentence_changes_the_output(open_page: Open, live_folder: object) -> None:
    page = ready(open_page.again(single(live_folder, "#intervene")))  # type: ignore[arg-type]
    field = page.get_by_label(EN["intervene_form.other"], exact=True)
    field.fill(BUCH)
    field.blur()
    for label, name in (("depth", "layer 0"), ("from", "Buch"), ("to", "Kino")):
        choice = page.get_by_role("group", name=EN[f"intervene_form.{label}"], exact=True)
        choice.get_by_role("radio", name=name, exact=True).check()
    page.get_by_role("button", name=EN["intervene.add"], exact=True).click()
    other = translate(german_english(), BUCH).trace.values["encoder.0.feed_forward.residual"]
    patch = edits.patch("encoder.0.feed_forward.residual", other, row=5, from_row=4)
    run = translate(german_english(), KINO, tap=edited_pass.compose(german_english().model, patch))
    assert run.text != CINEMA
    has_output(page, run.text)
    assert "changes=patch%3Aencoder.0.5.4%3DWo+ist+das+Buch%3F" in page.url
    accessible(page)
    page.get_by_role("button", name=EN["intervene_list.remove"], exact=True).click()
    has_output(page, CINEMA)


THERE = "attention?view=there&attention_kind=cross&layer=1&head=2&query=1&key=2"


def after_weight(text: str) -> str:
    """What stands in a sentence between the weight and the score."""
    return EN[f"attention_there.{text}"].partition("{weight}")[2].partition("{score}")[0].strip(". ")


def test_why_there_has_the_terms_of_the_app(open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, f"{THERE}&without=1&term=0,encoder.embedding")
    row = score_row(german_english().model, translate(german_english(), KINO).trace.values, "cross", 1, 2, 1)
    of_queries, of_keys = groups(row.queries), groups(row.keys)
    said = page.get_by_text(after_weight("says_centred"))
    expect(said).to_contain_text(percent(float(row.weights[2]), 1))
    table = row.table(2, centred=True)
    cells = {(p, r): table[np.ix_(of_queries[p], of_keys[r])].sum() for p in of_queries for r in of_keys}
    expect(said).to_contain_text(f"({signed(max(cells.values(), key=abs))})")
    both = signed(row.sides(2, centred=True)["both"])
    expect(page.get_by_text(EN["attention_there.sides"].partition("{")[0])).to_contain_text(both)
    term = page.locator(".gf-matrix").nth(0)
    expect(term).to_contain_text(f"embedding: {cells['0', 'embedding']:.2f}")
    apart = page.get_by_text(EN["attention_there.apart"].partition("{")[0])
    expect(apart).to_be_visible()
    rows = page.locator(".gf-matrix").nth(1)
    for name in ("attention_there.as_is", "attention_there.predicted", "attention_there.computed"):
        expect(rows.get_by_text(EN[name], exact=True).first).to_be_attached()
    says_how_well_it_foresees(page)
    accessible(page)

    page.get_by_role("checkbox", name=EN["attention_there.raw"]).check()
    score = signed(row.score(2, centred=False))
    expect(page.get_by_text(after_weight("says_raw"))).to_contain_text(score)
    opening = page.get_by_role("group", name=EN["attention_there.open_queries"])
    opening.get_by_role("checkbox", name="layer 0", exact=True).check()
    expect(term).to_contain_text("cross 0·3")
    assert "open_queries=0" in page.url
    page.go_back()
    expect(term).not_to_contain_text("cross 0·3")


def says_how_well_it_foresees(page: Page) -> None:
    """The recorded test, of this head and of all: for which of them no prediction is reliable."""
    recorded = score_sources.MEASUREMENT.saved(catalogue.find("de-en"))
    assert recorded is not None
    cells, rho = recorded.test_heads["cross.1.2"]
    verdict = "holds" if rho >= score_sources.AGREES else "fails"
    own = filled(EN["attention_there.agreement_head"], {"cells": cells, "value": f"{rho:.2f}"})
    says = filled(EN[f"attention_there.agreement_{verdict}"], {"goal": score_sources.AGREES})
    expect(page.get_by_text(f"{own} {says}")).to_be_visible()
    reached = sum(each >= score_sources.AGREES for _, each in recorded.test_heads.values())
    expect(page.get_by_text(f" {reached} of 36 heads")).to_be_visible()
    expect(page.get_by_text(f"of {recorded.test['all'][1]:.2f}; by kind of part")).to_be_visible()


def test_the_heads_for_which_a_test_is_recorded_are_a_choice(open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, THERE)
    grid = page.locator(".gf-map[data-key=encoder]").last
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    grid.click(position={"x": box["width"] * 0.9, "y": box["height"] * 0.1})  # the last head of the first layer
    figure = page.locator(".gf-attention")
    for name, value in (("kind", "encoder"), ("layer", "0"), ("head", "3")):
        expect(figure).to_have_attribute(f"data-{name}", value)


def test_a_term_leads_to_the_view_that_shows_what_wrote_it(open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, f"{THERE}&open_queries=0&term=decoder.0.feed_forward,encoder.embedding")
    label = filled(EN["attention_there.written_key"], {"part": EN["attention_there_part.embedding"]})
    page.get_by_role("button", name=label).click()
    expect(page).to_have_url(re.compile(r"#embedding\?.*side=encoder.*token=2"))
    page.go_back()
    part = filled(EN["attention_there_part.feed_forward"], {"layer": 0})
    page.get_by_role("button", name=filled(EN["attention_there.written_query"], {"part": part})).click()
    expect(page).to_have_url(re.compile(r"#layers\?.*side=decoder"))


def test_a_term_leads_to_the_head_that_wrote_it_and_a_masked_cell_has_none(
    open_page: Open, live_folder: object
) -> None:
    page = opened(open_page, live_folder, f"{THERE}&open_keys=1&term=decoder.embedding,encoder.1.2")
    label = EN["attention_there.open_key"].format(
        part=EN["attention_there_part.self_attention"].format(layer=1, head=2)
    )
    page.get_by_role("button", name=label).click()
    figure = page.locator(".gf-attention")
    for name, value in (("kind", "encoder"), ("layer", "1"), ("head", "2")):
        expect(figure).to_have_attribute(f"data-{name}", value)
    page.goto(single(live_folder, "#attention?view=there&attention_kind=decoder&layer=0&head=0&query=0&key=1"))
    expect(page.get_by_text(EN["attention_there.hidden"])).to_be_visible()
    page.get_by_role("group", name=EN["attention_cell.key"]).get_by_role("radio").first.check()
    expect(page.get_by_text(EN["attention_there.single"])).to_be_visible()


def test_masks_hide_what_is_to_be_written(open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, "masks?layer=0&head=1")
    scores = translate(german_english(), KINO).trace.values["decoder.0.self_attention.scores"][1].astype(float)
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    later = np.triu(weights, 1).sum() / len(weights)
    expect(page.get_by_text(EN["live_masks.later"].format(share=f"{100 * later:.0f}%"))).to_be_visible()
    tokens = len(weights)
    hidden = EN["masks_scores.hidden"].format(count=tokens * (tokens - 1) // 2, total=tokens**2, fill="−∞")
    expect(page.get_by_text(hidden)).to_be_visible()
    page.get_by_role("radio", name=EN["attention_figure.wall_cross"], exact=True).check()
    expect(page.get_by_text(EN["live_masks.all"])).to_be_visible()
    accessible(page)


def test_the_nearest_rows_of_a_table(open_page: Open, live_folder: object) -> None:
    page = opened(open_page, live_folder, "embedding?side=decoder&token=5")
    table = german_english().model.target_embedding.weight.detach().numpy()
    id_ = translate(german_english(), KINO).target[5]
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    near = [int(each) for each in np.argsort(-unit @ unit[id_], kind="stable") if each != id_][:8]
    rows = page.locator(".gf-plain tbody tr")
    assert rows.locator("th").all_inner_texts() == list(german_english().tokenizer.tokens(near))
    accessible(page)


def test_the_course_keeps_its_answers_in_the_browser(open_page: Open, live_host: str) -> None:
    page = ready(open_page(f"{live_host}/#course"))
    question = page_data.course(german_english(), catalogue.find("de-en"), KINO)["steps"]["lookup"]["question"]
    page.locator(".option", has_text=str(question["options"][question["right"]])).click()
    expect(page.locator(".verdict.right")).to_be_visible()
    page.get_by_role("button", name=EN["course.next"], exact=True).click()
    expect(page.get_by_role("heading", name=EN["course_vectors.title"])).to_be_visible()
    accessible(page)
    page.reload()
    ready(page)
    expect(page.get_by_text(EN["unit.answered"].format(done=1, count=10))).to_be_visible()
    page.get_by_role("radio", name=f"9 {EN['course_writing.short']}").check()
    page.get_by_role("button", name=f"{EN['pages.decoding']} →").click()
    expect(page.locator("[data-page=decoding]").first).to_be_attached()

    # its last step that asks leads to the tab that trains, and knows what came of it
    tab(page, "course")
    page.get_by_role("radio", name=f"10 {EN['course_learning.short']}").check()
    page.get_by_role("button", name=f"{EN['pages.train']} →").click()
    page.get_by_role("button", name=EN["train.start"], exact=True).click()
    expect(page.locator(".panel[data-step]")).not_to_have_attribute("data-step", "0", timeout=PATIENCE)
    tab(page, "course")
    share = EN["unit_train.reached"].partition("{share}")[0]
    expect(page.locator(".todo li").first).to_contain_text(share, timeout=PATIENCE)
    accessible(page)


def test_the_quiz_and_the_glossary(open_page: Open, live_folder: object) -> None:
    page = ready(open_page.again(single(live_folder, "#quiz")))
    expect(page.locator(".gf-strip span")).to_have_count(11)
    page.get_by_role("button", name=EN["quiz.hint"]).click()
    accessible(page)
    tab(page, "glossary")
    page.get_by_label(EN["glossary.find"]).fill("softm")
    expect(page.locator(".gf-glossary h3").first).to_have_text(EN["term_softmax.name"])
    page.get_by_label(EN["glossary.find"]).fill("<b>zzz")
    expect(page.get_by_text(EN["glossary.none"].format(query="<b>zzz"))).to_be_visible()
    accessible(page)


def test_a_model_with_one_side_has_no_course(open_page: Open, live_host: str) -> None:
    page = ready(open_page.again(f"{live_host}/#course?checkpoint=gpt-char"), "gpt-char")
    expect(page.get_by_text(EN["course.needs"])).to_be_visible()
    for name in ("layers", "why", "masks", "embedding", "quiz"):
        tab(page, name)
        expect(page.locator("#panel [data-main]").first).to_be_visible()


def test_an_encoder_alone_says_what_it_lacks(open_page: Open, live_host: str) -> None:
    page = ready(open_page.again(f"{live_host}/#why?checkpoint=mini-encoder"), "mini-encoder")
    expect(page.get_by_text(EN["why.no_output"])).to_be_visible()
    tab(page, "layers")
    expect(page.locator("#panel [data-done]").first).to_be_attached()
    expect(page.get_by_text(EN["layers_early.candidates"])).to_be_hidden()
