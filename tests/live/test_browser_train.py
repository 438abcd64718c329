"""The view Train of a live page: a model learns in the page, is paused, restored, and taught with spoiled data."""

import re

import pytest
from playwright.sync_api import Page, expect

from live.texts import texts
from model.train.browser import ready
from tests.browser import PATIENCE, accessible
from tests.live.conftest import Open
from tests.live.test_browser import EN, single
from tests.live.test_browser import ready as has_model

LATER = re.compile(r"^([3-9]\d|\d{3})$")  # steps: at least those between two evaluations
HIDE = "Object.defineProperty(document, 'hidden', {value: true}); document.dispatchEvent(new Event('visibilitychange'))"


def opened(open_page: Open, folder: object) -> Page:
    page = open_page(single(folder, "#train"))  # type: ignore[arg-type]
    expect(page.locator(".panel[data-done]")).to_be_attached(timeout=2 * PATIENCE)
    return page


def learns(page: Page) -> None:
    """Wait until it has learned for some steps, then pause, and for what is measured then."""
    expect(page.locator(".panel")).to_have_attribute("data-step", LATER, timeout=2 * PATIENCE)
    page.get_by_role("button", name=EN["train.pause"], exact=True).click()
    expect(page.get_by_text(EN["live_train.kept"])).to_be_visible(timeout=PATIENCE)


def press(page: Page, key: str) -> None:
    page.get_by_role("button", name=EN[key], exact=True).first.click()


def test_a_model_learns_in_the_page(open_page: Open, live_folder: object) -> None:
    page = has_model(opened(open_page, live_folder))
    learned, held_out = ready.pairs("reverse")
    press(page, "live_train.one")
    expect(page.locator(".gf-status")).to_have_text(EN["train_figure.state_paused"].format(step=1, steps=ready.STEPS))
    press(page, "train.resume")
    learns(page)
    rows = page.locator(".gf-samples tbody tr").filter(has=page.locator("td"))
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
    press(page, "live_train.again")
    learns(page)
    expect(page.get_by_role("heading", name=EN["live_train.compare"])).to_be_visible(timeout=PATIENCE)
    accessible(page)

    page.reload()
    expect(page.locator(".panel[data-state=restored]")).to_be_attached(timeout=2 * PATIENCE)
    expect(page.get_by_text(EN["live_train.changed"].format(**counts))).to_be_visible()
    press(page, "train.resume")
    expect(page.locator(".panel[data-state=running]")).to_be_attached()
    page.evaluate(HIDE)
    expect(page.locator(".panel[data-state=hidden]")).to_be_attached()
    expect(page.locator(".gf-status")).to_contain_text(EN["live_train.hidden"].partition("{steps}")[2])


@pytest.mark.parametrize("language", ["es", "zh"])
def test_every_text_of_training_is_translated(language: str) -> None:
    own = {key: text for key, text in texts(language).items() if key.startswith("live_train.")}
    assert own.keys() == {key for key in EN if key.startswith("live_train.")}
    assert all(text != EN[key] for key, text in own.items())
