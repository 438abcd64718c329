"""The view Train of a live page: a model learns in the page, is paused, restored, and taught with spoiled data."""

import re
from pathlib import Path

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from live.texts import texts
from model.checkpoint.checkpoints import load
from model.decode.translate import translate
from model.train.browser import ready
from model.upload import upload_check
from tests.browser import PATIENCE, accessible
from tests.live.conftest import Open
from tests.live.test_browser import EN, single
from tests.live.test_browser import ready as has_model
from tests.model.train.test_browser_graphs import WRITTEN

LATER = re.compile(r"^([3-9]\d|\d{3})$")  # steps: at least those between two evaluations
BEGUN = ".panel:is([data-step='0'], [data-step='10'], [data-step='20'])"  # the run before has more steps
HIDE = "Object.defineProperty(document, 'hidden', {value: true}); document.dispatchEvent(new Event('visibilitychange'))"


def opened(open_page: Open, folder: object, choices: str = "") -> Page:
    page = open_page(single(folder, f"#train{choices}"))  # type: ignore[arg-type]
    expect(page.locator(".panel[data-done]")).to_be_attached(timeout=2 * PATIENCE)
    return page


def learns(page: Page) -> None:
    """Wait until it has learned for some steps, then pause, and for what is measured then."""
    expect(page.locator(".panel")).to_have_attribute("data-step", LATER, timeout=2 * PATIENCE)
    page.get_by_role("button", name=EN["train.pause"], exact=True).click()
    expect(page.locator(".panel:not([data-busy])")).to_be_attached()
    expect(page.get_by_text(EN["live_train.kept"])).to_be_visible()


def learns_anew(page: Page) -> None:
    """The same of a run that has just been begun in place of another."""
    page.locator(BEGUN).wait_for(state="attached")
    learns(page)


def comes_back(page: Page) -> None:
    """Load the page again, which has the training of before."""
    page.reload()
    expect(page.locator(".panel[data-state=restored]")).to_be_attached(timeout=2 * PATIENCE)


def file_of(page: Page, task: str) -> Path:
    """Where the checkpoint file of a training lies."""
    with page.expect_download() as download:
        page.get_by_role("button", name=EN["live_train.save"]).click()
    assert download.value.suggested_filename == f"{task}.zip"
    return download.value.path()


def samples(page: Page) -> Locator:
    """The rows of held-out words with their outputs."""
    return page.locator(".gf-samples tbody tr").filter(has=page.locator("td"))


def press(page: Page, key: str) -> None:
    page.get_by_role("button", name=EN[key], exact=True).first.click()


def test_a_model_learns_in_the_page(open_page: Open, live_folder: object) -> None:
    page = has_model(opened(open_page, live_folder, "?task=reverse"))
    learned, held_out = ready.pairs("reverse")
    press(page, "live_train.one")
    expect(page.locator(".gf-status")).to_have_text(EN["train_figure.state_paused"].format(step=1, steps=ready.STEPS))
    press(page, "train.resume")
    learns(page)
    rows = samples(page)
    assert [row.split("\t")[:2] for row in rows.all_inner_texts()] == [list(pair) for pair in held_out[:6]]
    expect(page.locator("[data-figure=attention]")).to_be_visible()
    moments = page.locator(".gf-slide input")
    moments.focus()
    moments.press("Home")
    expect(page.locator(".gf-step")).to_have_text(EN["train_figure.after_step"].format(step=0))
    accessible(page)

    page.get_by_label(EN["live_train.watch"]).fill("<b>")
    page.get_by_label(EN["live_train.watch"]).press("Enter")
    expect(page.get_by_text(EN["live_train.letters"].format(letters=ready.LETTERS)).first).to_be_visible()
    page.get_by_label(EN["live_train.watch"]).fill("glass")
    page.get_by_label(EN["live_train.watch"]).press("Enter")
    expect(page.locator(".gf-watched")).to_contain_text("glass →")

    word = learned[0].source
    page.get_by_label(EN["live_train.answer"].format(word=word), exact=True).fill("zz")
    page.get_by_label(EN["live_train.answer"].format(word=word), exact=True).press("Enter")
    counts = {"changed": 1, "removed": 0, "count": f"{ready.PAIRS:,}"}
    expect(page.get_by_text(EN["live_train.changed"].format(**counts))).to_be_visible()
    expect(page.get_by_text(EN["live_train.later"])).to_be_visible()
    page.get_by_role("button", name=EN["live_train.more"]).click()
    expect(page.get_by_text(EN["live_train.question_chosen"].format(choice=EN["live_train.more"]))).to_be_visible()
    accessible(page)
    asked = page.locator("section", has_text=EN["live_train.question"])
    asked.get_by_role("button", name=EN["live_train.again"]).click()
    learns_anew(page)
    expect(page.get_by_role("heading", name=EN["live_train.compare"])).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text(f"Your answer: {EN['live_train.more']}")).to_be_visible()
    page.get_by_role("button", name=EN["live_train.cause_chance"]).click()
    expect(page.get_by_text(EN["live_train.cause_wrong"])).to_be_visible()
    accessible(page)

    comes_back(page)
    expect(page.get_by_text(EN["live_train.changed"].format(**counts))).to_be_visible()
    press(page, "train.resume")
    expect(page.locator(".panel[data-state=running]")).to_be_attached()
    page.evaluate(HIDE)
    expect(page.locator(".panel[data-state=hidden]")).to_be_attached()
    expect(page.locator(".gf-status")).to_contain_text(EN["live_train.hidden"].partition("{steps}")[2])


def number(page: Page, key: str) -> Locator:
    return page.locator(".gf-numbers > div").filter(has_text=EN[key]).locator("dd")


def test_what_was_trained_is_a_checkpoint_of_the_app(open_page: Open, live_folder: Path, tmp_path: Path) -> None:
    page = opened(open_page, live_folder)
    save = page.get_by_role("button", name=EN["live_train.save"])
    expect(save).to_be_disabled()
    press(page, "train.start")
    learns(page)
    file = file_of(page, "reverse")
    entry = upload_check.unpack(file.read_bytes(), tmp_path)
    saved, (_, held_out) = load(entry), ready.pairs("reverse")
    shown = samples(page).locator("td:last-child")
    for pair, cell in zip(held_out, shown.all_inner_texts(), strict=False):
        run = translate(saved, pair.source)
        if run.stop != "repetition":
            assert cell[2:] == (run.text[: ready.LETTERS + 1] or EN["train_figure.nothing"])
    logs, ids = [], []
    for pair in held_out:
        source, target = (torch.tensor([saved.tokenizer.encode(text)]) for text in pair)
        logs.append(saved.model(source, target[:, :-1]).log_softmax(-1)[0])
        ids.append(target[0, 1:])
    loss = torch.nn.functional.nll_loss(torch.cat(logs), torch.cat(ids)).item()
    assert float(number(page, "train_figure.loss_validation").inner_text()) == pytest.approx(loss, rel=0.01)
    assert entry.card["training"]["steps"] == int(page.locator(".panel").get_attribute("data-step") or 0)

    before = number(page, "train_figure.loss_validation").inner_text()
    page.get_by_label(EN["live_train.open"]).set_input_files(file)
    expect(page.locator(".panel[data-step='0']")).to_be_attached()
    expect(page.get_by_text(EN["live_train.opened"].format(file=file.name))).to_be_visible()
    expect(number(page, "train_figure.loss_validation")).to_have_text(before)
    other = {"name": "other.zip", "mimeType": "application/zip", "buffer": b"PK"}
    page.get_by_label(EN["live_train.open"]).set_input_files(other)
    expect(page.get_by_text(EN["live_problem.zip"])).to_be_visible()
    accessible(page)


def test_every_view_shows_what_was_trained(open_page: Open, live_folder: Path) -> None:
    page = has_model(opened(open_page, live_folder, "?task=sort"))
    press(page, "train.start")
    learns(page)
    word, _, output = page.locator(".gf-watched").inner_text().partition(" → ")
    step = page.locator(".panel").get_attribute("data-step")
    press(page, "live_train.look")
    name = has_model(page, f"sort-{step}").locator("#model-choice").input_value()
    assert name == f"sort-{step}"
    assert page.get_by_label(EN["frame.sentence"], exact=True).input_value() == word
    shown = page.locator("#output").get_attribute("data-output") or "nothing"
    assert shown.startswith(output) or output.startswith(shown)  # views stop at repetitions, and read on where it stops
    expect(page.locator(".panel [data-figure=attention]").first).to_be_visible()
    page.get_by_role("radio", name=EN["attention_view.there"], exact=True).check()
    weight = page.get_by_text(EN["attention_there.sides"].partition("{")[0])
    expect(weight).to_be_visible()
    expect(page.locator(".panel [data-figure=matrix]:visible").first).to_be_visible()
    for tab in ("decoding", "layers", "quiz"):
        page.get_by_role("tab", name=EN[f"pages.{tab}"], exact=True).click()
        expect(page.locator(".panel").locator("canvas, table, button").first).to_be_visible()
    accessible(page)
    page.locator("#model-choice").select_option("de-en")
    has_model(page)


def test_own_pairs_are_learned_like_any_task(open_page: Open, live_folder: Path) -> None:
    page = opened(open_page, live_folder)
    page.get_by_role("radio", name=EN["train_task.own"], exact=True).check()
    field, use = page.get_by_label(EN["train.own_table"]), page.get_by_role("button", name=EN["live_train.own_use"])
    pairs = [f"{source}\t{source[0]}" for source, _ in ready.pairs("reverse")[0] if len(source) > 1][:60]
    field.fill("\n".join([*pairs, "<b>\tx"]))
    use.click()
    problem = EN["live_train.own_letters"].format(row=61, text="<b>", letters=ready.LETTERS)
    expect(page.get_by_text(problem)).to_be_visible()
    field.fill("\n".join(pairs))
    use.click()
    expect(page.get_by_text(problem)).to_be_hidden()
    counts = {"changed": 0, "removed": 0, "count": 54}
    expect(page.get_by_text(EN["live_train.changed"].format(**counts))).to_be_visible()
    press(page, "train.start")
    learns(page)
    table = samples(page).all_inner_texts()
    assert len(table) == 6
    assert {"\t".join(row.split("\t")[:2]) for row in table} <= set(pairs)
    file_of(page, "own")
    accessible(page)
    comes_back(page)
    expect(page.get_by_text(EN["live_train.changed"].format(**counts))).to_be_visible()


def test_a_text_is_gone_on_with(open_page: Open, live_folder: Path, tmp_path: Path) -> None:
    page = opened(open_page, live_folder, "?task=text")
    field = page.get_by_label(EN["train.own_text"], exact=True)
    assert field.input_value().split() == EN["train_example.own_text"].split()
    field.fill("<b>")
    press(page, "live_train.text_use")
    expect(page.get_by_text(EN["refused.text_short"].format(count=3, needed=400))).to_be_visible()
    file = {"name": "own.txt", "mimeType": "text/plain", "buffer": WRITTEN.encode()}
    page.get_by_label(EN["live_train.text_file"]).set_input_files(file)
    expect(field).to_have_value(WRITTEN)
    sizes = page.get_by_label(EN["live_train.size_choice"])
    sizes.select_option("1-2-32")
    press(page, "train.start")
    learns(page)
    rows = samples(page).all_inner_texts()
    assert rows
    assert all(" ".join(row.split("\t")[:2]) in WRITTEN or "".join(row.split("\t")[:2]) in WRITTEN for row in rows)
    expect(page.get_by_role("heading", name=EN["live_train_text.chart_letters"])).to_be_visible()
    expect(page.get_by_role("heading", name=EN["live_train.data_title"])).to_be_hidden()
    watched = page.get_by_label(EN["live_train.text_watch"])
    watched.fill("Ω")
    watched.press("Enter")
    letters = ready.WINDOW // 2 - 1
    expect(page.get_by_text(EN["live_train.text_letters"].format(letters=letters))).to_be_visible()
    watched.fill("the old")
    watched.press("Enter")
    expect(page.locator(".gf-watched")).to_contain_text("the old →")
    accessible(page)

    entry = upload_check.unpack(file_of(page, "text").read_bytes(), tmp_path)
    written = translate(load(entry), "the old").text.removeprefix("the old").strip()
    expect(page.locator(".gf-watched")).to_contain_text(f"the old → {written[:10]}")

    sizes.select_option("1-1-32")
    press(page, "live_train.again")
    learns_anew(page)
    compared = page.locator("section", has=page.get_by_role("heading", name=EN["live_train.compare"]))
    for heads in (1, 2):
        expect(compared).to_contain_text(EN["live_train.size_text"].format(layers=1, heads=heads, width=32))
    comes_back(page)
    expect(field).to_have_value(WRITTEN.strip())
    expect(sizes).to_have_value("1-1-32")
    step = page.locator(".panel").get_attribute("data-step")
    press(page, "live_train.look")
    has_model(page, f"text-{step}")
    expect(page.locator(".panel [data-figure=attention]").first).to_be_visible()
    accessible(page)


def test_repeated_letters_name_the_head_that_looks_them_up(open_page: Open, live_folder: Path) -> None:
    page = opened(open_page, live_folder, "?task=repeat")
    expect(page.get_by_label(EN["live_train.size_choice"])).to_have_value("2-1-64")
    press(page, "train.start")
    learns(page)
    expect(page.get_by_role("heading", name=EN["live_train_text.chart_copying"])).to_be_visible()
    best = EN["live_train.copied_induction"].partition("{")[0]
    expect(page.get_by_text(best)).to_contain_text(re.compile(r"layer [01], head 0\. It gives \d+\.?\d*% "))
    accessible(page)

    page.get_by_role("radio", name=EN["train_task.addition"], exact=True).check()
    expect(page.get_by_label(EN["live_train.size_choice"])).to_have_value("2-4-64")
    expect(page.get_by_text(EN["live_train.changed"].format(changed=0, removed=0, count="10,000"))).to_be_visible()
    watched = page.get_by_label(EN["live_train.watch"])
    watched.fill("a+1")
    watched.press("Enter")
    expect(page.get_by_text(EN["live_train.signs"].format(letters=ready.LETTERS)).first).to_be_visible()
    watched.fill("27+15")
    watched.press("Enter")
    press(page, "live_train.again")
    learns_anew(page)
    expect(page.locator(".gf-watched")).to_contain_text("27+15 →")
    file_of(page, "addition")


@pytest.mark.parametrize("language", ["es", "zh"])
def test_every_text_of_training_is_translated(language: str) -> None:
    own = {key: text for key, text in texts(language).items() if key.startswith("live_train.")}
    assert all(text != EN[key] for key, text in own.items())
