"""A live page in a real browser: from a file and from a bare server, without any other host."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from live.texts import texts
from model.checkpoint import catalogue
from model.decode import doubt
from model.decode.translate import translate
from model.measurements import ordinary
from tests.browser import PATIENCE, accessible, small
from tests.live.conftest import Open
from tests.samples import BUCH, german_english
from viz.numbers import percent

KINO, CINEMA = "Wir gehen heute ins Kino.", "We're going to the cinema today."
EN, ZH = texts("en"), texts("zh")
# Enter before the ids of the word have come
AT_ONCE = "field => (field.value = 'I', field.dispatchEvent(new Event('input')), field.form.requestSubmit())"


def ready(page: Page, model: str = "de-en") -> Page:
    expect(page.locator("body")).to_have_attribute("data-ready", model, timeout=PATIENCE)
    return page


def has_output(page: Page, output: str | re.Pattern[str]) -> None:
    expect(page.locator("[data-output]")).to_have_attribute("data-output", output)


def types(page: Page, sentence: str) -> None:
    page.get_by_label(EN["frame.sentence"], exact=True).fill(sentence)
    page.get_by_label(EN["frame.sentence"], exact=True).press("Enter")


def tab(page: Page, name: str, words: dict[str, str] = EN) -> None:
    page.get_by_role("tab", name=words[f"pages.{name}"], exact=True).click()


def single(folder: Path, address: str = "") -> str:
    return f"{(folder / 'single' / 'de-en.html').as_uri()}{address}"


def test_a_file_works_without_a_server(open_page: Open, live_folder: Path) -> None:
    page = open_page(single(live_folder))
    expect(page.locator(".gf-links canvas").first).to_be_visible()  # the recorded example, before the model is there
    ready(page)
    has_output(page, CINEMA)
    types(page, BUCH)
    has_output(page, "Where's the book?")
    expect(page.locator(".gf-attention .gf-written")).to_have_text("Where's the book?")

    types(page, KINO)
    has_output(page, CINEMA)
    tab(page, "intervene")
    expect(page.locator("[data-changed='0']")).to_be_visible()
    for layer in (0, 2):  # the first of them alone changes nothing
        page.get_by_role("group", name=EN["place.layer"]).get_by_role("radio", name=str(layer), exact=True).check()
        for head in range(4):
            page.get_by_role("slider").nth(head).focus()
            page.keyboard.press("Home")
        expect(page.locator(f"[data-changed='{4 * (1 + layer // 2)}']")).to_be_visible()
    has_output(page, "We are going to the cinema for a time today.")
    assert "changes=off%3Across.0.0%3Boff%3Across.0.1" in page.url
    changed = page.locator(".gf-outputs section").nth(1)
    expect(changed).not_to_contain_text(EN["intervene_outputs.unchanged"])
    expect(page.locator("[data-done=true]")).to_be_visible()  # the effects of all heads
    page.get_by_role("button", name=EN["intervene_list.clear"]).click()
    has_output(page, CINEMA)

    page.go_back()
    expect(page.locator("[data-changed='8']")).to_be_visible()

    page.get_by_role("button", name=EN["intervene_try.matters"]).click()  # tries other sentences
    expect(page.locator("[data-changed='1']")).to_be_visible()
    assert page.get_by_label(EN["frame.sentence"], exact=True).input_value() != KINO
    expect(page.locator(".gf-outputs ins").first).to_be_visible()


@pytest.mark.thorough
def test_a_word_is_forced_and_compared(open_page: Open, live_folder: Path) -> None:
    page = ready(open_page(single(live_folder, "#decoding")))
    page.locator(".gf-candidate", has_text="We'll").first.click()
    has_output(page, "We'll go to the cinema today.")
    outputs = page.locator(".gf-outputs section")
    expect(outputs.first).to_contain_text("We're going to the cinema today")
    expect(outputs.nth(1).locator("b")).to_have_text("We'll")
    assert "forks=0%3A" in page.url

    page.get_by_label(EN["decoding.word"].format(step=0)).fill("☃")
    expect(page.get_by_text(EN["decoding.unknown"].format(word="☃"))).to_be_visible()
    page.get_by_label(EN["decoding.word"].format(step=0)).evaluate(AT_ONCE)
    has_output(page, re.compile("^I "))
    expect(page.get_by_label(EN["decoding.word"].format(step=0))).to_have_value("")
    page.go_back()
    has_output(page, re.compile("^We'll"))


def test_a_link_of_the_app_opens_the_same_view(open_page: Open, live_folder: Path) -> None:
    link = "#attention?language=zh&sentence=Wo+ist+das+Buch%3F&attention_kind=encoder&layer=2&head=3&pin=encoder%2C2%2C"
    link += "&norms=1"
    page = ready(open_page.again(single(live_folder, link), by="typing"))
    has_output(page, "Where's the book?")
    figure = page.locator(".gf-attention")
    for name, value in (("kind", "encoder"), ("layer", "2"), ("head", "3")):
        expect(figure).to_have_attribute(f"data-{name}", value)
    expect(page.locator(".gf-line-frame[data-state=locked]")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    expect(page.get_by_label(ZH["frame.sentence"], exact=True)).to_have_value(BUCH)
    expect(page.get_by_label(ZH["norms.label"], exact=True)).to_be_checked()
    fall = page.get_by_text(ZH["norms.falls"].partition("{")[0])
    expect(fall).to_be_visible()
    expect(page.locator(".gf-attention")).to_contain_text(ZH["norms_figure.scale"])
    page.get_by_label(ZH["norms.label"], exact=True).uncheck()
    expect(fall).to_be_hidden()
    expect(page.locator(".gf-attention")).to_contain_text(ZH["attention_figure.scale"])
    assert "norms" not in page.url
    page.go_back()
    expect(fall).to_be_visible()
    page.get_by_role("radio", name=ZH["attention_step.softmax"], exact=True).check()
    expect(page.get_by_text(ZH["attention_part.weights"], exact=True)).to_be_visible()
    page.get_by_role("button", name="EN", exact=True).click()
    expect(page.get_by_label(EN["frame.sentence"], exact=True)).to_have_value(BUCH)
    expect(page.get_by_text(EN["attention_part.weights"], exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_text(ZH["attention_part.weights"], exact=True)).to_be_visible()


def test_bad_input_gets_the_sentence_of_the_app(open_page: Open, live_folder: Path) -> None:
    page = ready(open_page.again(single(live_folder), by="typing"))
    notices = page.locator(".notices")
    for empty in ("", "   ", ""):
        types(page, empty)
        expect(notices).to_have_text(EN["notice.empty"])
        expect(page.get_by_label(EN["frame.sentence"], exact=True)).to_have_value(KINO)
    has_output(page, CINEMA)
    types(page, "Haus " * 300)
    expect(notices).to_have_text(EN["refused.sentence_characters"].format(count="1,500", limit="1,000"))
    types(page, "Haus " * 120)
    expect(notices).to_contain_text("limit is 96")
    types(page, "Привет мой друг")
    expect(notices).to_contain_text(EN["scripts.cyrillic"])
    types(page, "<img src=x onerror=alert(1)> Haus & {head}")
    expect(notices).to_have_text(EN["notice.fit_words"].format(source="German", unseen=6, count=7))
    expect(page.locator("img")).to_have_count(0)
    types(page, BUCH)
    expect(notices).to_have_text("")
    has_output(page, "Where's the book?")


def test_a_doubtful_output_is_marked_as_in_the_app(open_page: Open, live_folder: Path) -> None:
    page = ready(open_page.again(single(live_folder), by="typing"))
    entry = catalogue.find("de-en")
    types(page, "Das Zwerchfell ist rot.")
    found = doubt.doubt(translate(german_english(), "Das Zwerchfell ist rot."), ordinary.rule(entry))
    assert found
    assert len(found.unsure) > 1
    unsure = [f"“{word}” ({percent(share)})" for word, share in found.unsure[:2]]
    more = EN["notice.more"].format(count=len(found.unsure) - 2) if len(found.unsure) > 2 else ""
    reasons = [
        EN["doubt.unseen"].format(words="“Zwerchfell”"),
        EN["doubt.unsure"].format(words=EN["notice.between"].join(unsure) + more),
    ]
    said = EN["doubt.mark"].format(reasons=EN["doubt.between"].join(reasons))
    recorded = ordinary.MEASUREMENT.saved(entry)
    assert recorded
    assert recorded.marked
    wrong, right = (round(100 * share.mean) for share in recorded.marked[:2])
    measured = EN["doubt.measured"].format(wrong=wrong, right=right, count=recorded.sentences)
    expect(page.locator(".notices")).to_have_text(said + measured)
    right = round(100 * recorded.right.mean)
    expect(
        page.get_by_text(EN["start.beginner"].format(source="German", words=f"{recorded.words:,}", right=right))
    ).to_be_visible()


def test_a_folder_loads_the_model_that_is_chosen(open_page: Open, live_host: str) -> None:
    page = ready(open_page.again(f"{live_host}/"))
    choose = page.get_by_label(EN["frame.model"], exact=True)
    choose.select_option("gpt-char")
    ready(page, "gpt-char")
    has_output(page, re.compile("^Where is Balumo. Balumo is in the .+"))
    for name in ("attention", "decoding", "intervene", "position"):
        tab(page, name)
        expect(page.locator(".panel .figure").first).to_be_visible()
    choose.select_option("mini-encoder")
    ready(page, "mini-encoder")
    for name in ("start", "attention", "intervene", "position"):
        tab(page, name)
        expect(page.locator(".panel .figure").first).to_be_visible()
    tab(page, "decoding")
    expect(page.get_by_text(EN["decoding.encoder"])).to_be_visible()
    page.go_back()
    expect(page.get_by_role("tab", name=EN["pages.position"])).to_have_attribute("aria-selected", "true")


FORMS: dict[str, dict[str, Any]] = {
    "zh": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"},
    "en": {"viewport": {"width": 1280, "height": 900}},
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("language", FORMS)
def test_every_tab_is_accessible_on_a_phone_and_in_the_dark(language: str, open_page: Open, live_folder: Path) -> None:
    form = FORMS[language]
    page = ready(open_page(single(live_folder, f"#start?language={language}"), **form))
    for name in ("start", "attention", "decoding", "intervene", "position"):
        tab(page, name, texts(language))
        expect(page.locator(".panel .figure").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == form["viewport"]["width"], name
        accessible(page, name)
        assert small(page, 44 if "has_touch" in form else 24) == [], name


def test_what_cannot_run_is_said_in_a_sentence(open_page: Open, live_folder: Path, tmp_path: Path) -> None:
    whole = (live_folder / "single" / "de-en.html").read_text(encoding="utf-8")
    start = whole.index('id="model"')
    (tmp_path / "cut.html").write_text(whole[: start + 1_000_000], encoding="utf-8")
    page = open_page((tmp_path / "cut.html").as_uri())
    expect(page.locator(".notices")).to_have_text(EN["live_problem.damaged"])
    expect(page.locator(".gf-links canvas").first).to_be_visible()  # the example stays


ENGINE = '"worker": {"url": "a", "bytes": 1}, "wasm": {"url": "a", "bytes": 1}'
DAMAGE = {
    "no JSON": '{"version"',
    "null": "null",
    "no models": f'{{{ENGINE}, "models": []}}',
    "a model without its card": f'{{{ENGINE}, "models": [{{}}]}}',
}


@pytest.mark.parametrize("language", ["en", "zh", "es"])
@pytest.mark.parametrize("list_of_files", DAMAGE.values(), ids=DAMAGE)
def test_a_page_whose_list_of_files_is_damaged_says_so(
    list_of_files: str, language: str, open_page: Open, live_folder: Path, tmp_path: Path
) -> None:
    whole = (live_folder / "index.html").read_text(encoding="utf-8")
    damaged = re.sub(r'(id="live">).*?(</script>)', lambda found: found[1] + list_of_files + found[2], whole, count=1)
    (tmp_path / "index.html").write_text(damaged, encoding="utf-8")
    script = next(live_folder.glob("page.*.js"))
    shutil.copy(script, tmp_path / script.name)
    page = open_page((tmp_path / "index.html").as_uri() + f"#language={language}")
    expect(page.locator(".notices")).to_have_text(texts(language)["live_problem.damaged"])


def test_an_old_browser_is_told_so(browser: Any, live_folder: Path) -> None:
    context = browser.new_context(locale="en")
    for lacking, code in (("DecompressionStream", "decompression"), ("WebAssembly", "simd")):
        page = context.new_page()
        page.add_init_script(f"delete globalThis.{lacking}")
        page.goto(single(live_folder))
        expect(page.locator(".notices")).to_have_text(EN[f"live_problem.{code}"])
    context.close()
