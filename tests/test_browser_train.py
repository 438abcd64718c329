"""The page that trains in a browser: numbers that move by themselves, a run that can be left, a model that is kept."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from model.shelf import OWN
from pages.shared.words import catalogue
from tests.browser import PATIENCE, idle
from tests.test_browser import Visits, address, browser, shows, visit  # noqa: F401 - fixtures

EN = catalogue("en")
SMALL = "task=notebook&d_model=16&heads=2&d_ff=32"
LONG = f"/train?language=en&{SMALL}&training_steps=20000"
SHORT = f"/train?language=en&{SMALL}&training_steps=100"


def press(page: Page, key: str) -> None:
    page.get_by_role("button", name=EN[key], exact=True).click()


def started(page: Page) -> str:
    """Press Start; gives the run."""
    press(page, "train.start")
    page.wait_for_url(lambda url: "run=" in url)
    return parse_qs(urlsplit(page.url).query)["run"][0]


def step(page: Page) -> int:
    return int(page.locator(".gf-run[data-state]").get_attribute("data-step") or 0)


def moves(page: Page) -> None:
    """Wait until the figure has gone on."""
    before = step(page)
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "running", timeout=4 * PATIENCE)
    expect(page.locator(".gf-run[data-state]")).not_to_have_attribute("data-step", str(before), timeout=4 * PATIENCE)


def test_a_run_moves_without_the_page_and_outlives_it(visit: Visits) -> None:  # noqa: F811
    page = visit(LONG)
    run = started(page)
    moves(page)
    idle(page)
    expect(page.locator(".gf-look .gf-attention[data-ready]")).to_be_visible()
    tile = page.locator(".gf-look .gf-tile[data-kind=encoder][data-layer='0'][data-head='1']")
    tile.click()
    expect(tile).to_have_attribute("aria-selected", "true")
    first = page.evaluate_handle("document.querySelector('h1')")
    frames = visit.frames(page)
    moves(page)
    moves(page)
    expect(page.locator("[data-chart=loss] .gf-curve").first).to_have_attribute("d", "")  # the other run's, not there
    assert page.locator("[data-chart=loss] .gf-curve[data-tone=a]").last.get_attribute("d").count("L") > 1  # type: ignore[union-attr]
    assert visit.frames(page) - frames <= 1  # keep-alive at most: no run of the page for a tick
    assert first.evaluate("node => node.isConnected")
    expect(tile).to_have_attribute("aria-selected", "true")  # what was chosen in it stays
    # left, come back to, loaded anew: it is still there, and still ours
    page.goto(page.url.split("?")[0].replace("/train", "/primer"))
    idle(page)
    page.goto(f"{visit.address}/train?language=en&run={run}")
    idle(page)
    moves(page)
    press(page, "train.stop")
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "stopped", timeout=4 * PATIENCE)
    idle(page)
    kept = step(page)
    assert 0 < kept < 20_000
    slider = page.get_by_role("slider", name=EN["train_moments.moment"])
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_url(lambda url: "moment=0" in url)
    idle(page)
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-moment", "0")


def test_a_kept_model_opens_on_attention(visit: Visits) -> None:  # noqa: F811
    page = visit(SHORT)
    started(page)
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "finished", timeout=4 * PATIENCE)
    idle(page)
    press(page, "train_keep.keep")
    expect(page.get_by_role("button", name=EN["train_keep.open"])).to_be_visible()
    idle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=EN["upload.download"]).click()
    assert download.value.suggested_filename.endswith(".zip")
    press(page, "train_keep.open")
    page.wait_for_url(lambda url: "/attention" in url)
    idle(page)
    expect(page.locator(".gf-tile[data-kind=cross]")).to_have_count(2)
    assert parse_qs(urlsplit(page.url).query)["checkpoint"][0].startswith(f"{OWN}notebook")


def test_another_browser_watches_only(visit: Visits) -> None:  # noqa: F811
    page = visit(LONG)
    started(page)
    moves(page)
    other = visit(urlsplit(page.url).path + "?" + urlsplit(page.url).query)
    moves(other)
    expect(other.get_by_text(EN["train.somebody"])).to_be_visible()
    expect(other.get_by_role("button", name=EN["train.stop"], exact=True)).to_have_count(0)
    press(page, "train.stop")
    expect(other.locator(".gf-run[data-state]")).to_have_attribute("data-state", "stopped", timeout=4 * PATIENCE)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_wider_than_a_phone(language: str, visit: Visits) -> None:  # noqa: F811
    page = visit(f"/train?language={language}&{SMALL}&training_steps=40", viewport={"width": 390, "height": 844})
    page.get_by_role("button", name=catalogue(language)["train.start"], exact=True).click()
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "finished", timeout=4 * PATIENCE)
    idle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
