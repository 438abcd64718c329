"""The views of a live page beside those of `test_browser.py`: each from its file, with the app's numbers."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from live.texts import texts
from model.analysis import logit_lens
from model.analysis.residual_stream import lengths
from model.attribution import leave_one_out, why_question
from model.checkpoint import catalogue
from model.course import page_data
from model.decode.translate import translate
from tests.browser import accessible
from tests.live.conftest import Open
from tests.live.test_browser import EN, KINO, ready, single, tab
from tests.samples import german_english

CHOSEN = 4  # the step of “cinema”


def opened(open_page: Open, folder: object, view: str, **settings: object) -> Page:
    page = ready(open_page(single(folder, f"#{view}"), **settings))  # type: ignore[arg-type]
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


def test_the_quiz_and_the_glossary(open_page: Open, live_folder: object) -> None:
    page = ready(open_page(single(live_folder, "#quiz")))
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
    page = ready(open_page(f"{live_host}/#course?checkpoint=gpt-char"), "gpt-char")
    expect(page.get_by_text(EN["course.needs"])).to_be_visible()
    for name in ("layers", "why", "masks", "embedding", "quiz"):
        tab(page, name)
        expect(page.locator("#panel [data-main]").first).to_be_visible()


def test_an_encoder_alone_says_what_it_lacks(open_page: Open, live_host: str) -> None:
    page = ready(open_page(f"{live_host}/#why?checkpoint=mini-encoder"), "mini-encoder")
    expect(page.get_by_text(EN["why.no_output"])).to_be_visible()
    tab(page, "layers")
    expect(page.locator("#panel [data-done]").first).to_be_attached()
    expect(page.get_by_text(EN["layers_early.candidates"])).to_be_hidden()


def test_all_of_it_is_said_in_each_language() -> None:
    for language in ("zh", "es"):
        assert texts(language).keys() == texts("en").keys()
