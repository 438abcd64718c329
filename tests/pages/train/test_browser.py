"""The page that trains in a browser: numbers that move by themselves, a run that can be left, a model that is kept."""

import os
import re
import time
from contextlib import suppress
from itertools import cycle
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from model.checkpoint.user_models import OWN
from pages.shared.text.words import all_texts
from tests.browser import MOTION, PATIENCE, Visits, idle
from tests.files import download

EN = all_texts("en")
SMALL = "task=notebook&d_model=16&heads=2&d_ff=32"
LONG = f"/train?language=en&{SMALL}&training_steps=20000"
SHORT = f"/train?language=en&{SMALL}&training_steps=100"
# by hand: GLASSFORMER_CLASS=30 GLASSFORMER_CLASS_TASK=task=dates pytest -s tests/pages/train/test_browser.py -k class
CLASS = int(os.environ.get("GLASSFORMER_CLASS", "3"))
CLASS_PAGE = f"/train?language=en&{os.environ.get('GLASSFORMER_CLASS_TASK', f'{SMALL}&training_steps=100')}"


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


def test_a_run_moves_without_the_page_and_outlives_it(visit: Visits) -> None:
    page = visit(LONG, **MOTION)
    run = started(page)
    moves(page)
    idle(page)
    expect(page.locator(".gf-look .gf-attention[data-ready]")).to_be_visible()
    expect(page.locator(".gf-samples td[lang=en]").first).to_be_visible()
    expect(page.locator(".gf-watched span[lang]")).to_have_count(2)
    expect(page.locator(".gf-look .gf-map-rows[lang=en], .gf-look [lang=en] > .gf-token").first).to_be_visible()
    below_each_other(page, ".gf-samples", ".gf-look", "[data-chart=right]", ".gf-details")
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
    visit.go(page, "/primer")
    page.goto(f"{visit.address}/train?language=en&run={run}")
    idle(page)
    moves(page)
    # until there are moments enough to play through: step 1,000 at least
    run_figure = page.locator(".gf-run[data-state]")
    expect(run_figure).to_have_attribute("data-step", re.compile(r"\d{4,}"), timeout=4 * PATIENCE)
    press(page, "train.stop")
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "stopped", timeout=4 * PATIENCE)
    idle(page)
    step_before = step(page)
    assert 0 < step_before < 20_000
    back_through_training(page)


def below_each_other(page: Page, *selectors: str) -> None:
    tops = [(page.locator(selector).bounding_box() or {"y": -1})["y"] for selector in selectors]
    assert tops == sorted(tops), tops


@pytest.mark.thorough
def test_details_are_shown_on_request_and_stand_in_the_link(visit: Visits) -> None:
    page = visit(SHORT)
    started(page)
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "finished", timeout=4 * PATIENCE)
    idle(page)
    rate = page.locator("[data-chart=rate]")
    expect(rate).to_be_hidden()
    page.locator(".gf-details summary").click()
    expect(rate.locator(".gf-curve[data-tone=c]").last).to_have_attribute("d", re.compile("^M"))
    page.wait_for_url(lambda url: "details=1" in url)
    page.reload()
    expect(rate).to_be_visible()
    idle(page)
    page.locator(".gf-details summary").click()
    expect(rate).to_be_hidden()
    page.wait_for_url(lambda url: "details" not in url)


def back_through_training(page: Page) -> None:
    """By key, by button and by itself; Python hears only where it comes to rest."""
    figure = page.locator(".gf-run[data-state]")
    slider = page.get_by_role("slider", name=EN["train_figure.moment"], exact=True)
    last = int(figure.get_attribute("data-moment") or 0)
    assert last == step(page)
    entropy = page.locator(".gf-look .gf-entropy")
    then = entropy.text_content()
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_url(lambda url: "moment=0" in url)
    expect(figure).to_have_attribute("data-moment", "0")
    expect(slider).to_have_attribute("aria-valuetext", EN["train_figure.after_step"].format(step=0))
    expect(entropy).not_to_have_text(then or "")  # the picture is another one
    page.keyboard.press("ArrowRight")
    expect(figure).not_to_have_attribute("data-moment", "0")
    page.keyboard.press("End")
    expect(figure).to_have_attribute("data-moment", str(last))
    expect(entropy).to_have_text(then or "")
    page.wait_for_url(lambda url: "moment=" not in url)
    play = page.locator(".gf-moments button").nth(2)
    play.click()
    expect(page.locator(".gf-moments")).to_have_attribute("data-playing", "play")
    expect(figure).to_have_attribute("data-moment", "0")  # from the start once more
    expect(figure).not_to_have_attribute("data-moment", "0")
    assert "moment=" not in page.url
    play.click()
    page.wait_for_url(lambda url: "moment=" in url)
    page.reload()
    idle(page)
    expect(figure).to_have_attribute("data-moment", parse_qs(urlsplit(page.url).query)["moment"][0])


@pytest.mark.thorough
def test_who_asks_for_no_motion_gets_no_player(visit: Visits) -> None:
    page = visit(SHORT)
    started(page)
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "finished", timeout=4 * PATIENCE)
    expect(page.locator(".gf-moments button")).to_have_text(
        [f"← {EN['train_figure.back']}", f"{EN['train_figure.next']} →"]
    )
    back, forth = page.locator(".gf-moments button").all()
    page.route("**/moments/*", lambda route: route.fulfill(body=""))  # cut off on its way
    back.click()
    page.wait_for_url(lambda url: "moment=" in url)
    page.unroute("**/moments/*")
    forth.click()
    page.wait_for_url(lambda url: "moment=" not in url)
    with page.expect_response(re.compile("/moments/")):
        back.click()


@pytest.mark.thorough
def test_a_class_presses_start_at_once(visit: Visits) -> None:
    """Everybody sees a place in the queue or numbers, nobody an error, and the first to finish uses the model."""
    settings = {"viewport": {"width": 1000, "height": 700}}
    pupils = [visit(CLASS_PAGE, **settings) for _ in range(CLASS)]
    began = time.monotonic()
    for page in pupils:
        page.evaluate("document.querySelector('.st-key-start button').click()")
    for page in pupils:
        figure = page.locator(".gf-run[data-state]")
        expect(figure).to_have_attribute("data-state", re.compile("queued|running|finished"), timeout=8 * PATIENCE)
        code = "figure => ({...figure.dataset, said: figure.querySelector('.gf-status').textContent})"
        readout = figure.evaluate(code)
        place = re.fullmatch(
            EN["train_figure.state_queued"].format(position=r"\d+", wait=r"\d+ (s|min)"), readout["said"]
        )
        assert place if readout["state"] == "queued" else int(readout["step"]) >= 0, readout
        expect(page.locator("[class*=st-key-notice_], [data-testid=stException]")).to_have_count(0)
    print(f"{CLASS} pupils: all see where they are after {time.monotonic() - began:.1f} s")
    first = pupils[0]
    finished = any_of(pupils, "finished")
    print(f"the first has finished after {time.monotonic() - began:.1f} s")
    idle(finished)
    press(finished, "train_keep.keep")
    expect(finished.get_by_role("button", name=EN["train_keep.open"])).to_be_visible(timeout=4 * PATIENCE)
    press(finished, "train_keep.open")
    finished.wait_for_url(lambda url: "/attention" in url)
    idle(finished)
    assert parse_qs(urlsplit(finished.url).query)["checkpoint"][0].startswith(OWN)
    expect(finished.locator(".gf-attention[data-ready]").first).to_be_visible()
    print(f"and looks at its own model after {time.monotonic() - began:.1f} s")
    expect(first.locator("[class*=st-key-notice_], [data-testid=stException]")).to_have_count(0)
    for page in pupils:  # the workers are wanted by others
        with suppress(TimeoutError):  # it may have finished just now
            page.get_by_role("button", name=EN["train.stop"], exact=True).click(timeout=1_000)


def any_of(pages: list[Page], state: str) -> Page:
    """The first of the pages whose run comes to that state."""
    end = time.monotonic() + 8 * PATIENCE / 1000
    for page in cycle(pages):
        with suppress(AssertionError):
            expect(page.locator(f".gf-run[data-state={state}]")).to_be_visible(timeout=100)
            return page
        assert time.monotonic() < end, f"none is {state}"
    raise AssertionError("no pages")


def test_a_kept_model_opens_on_attention(visit: Visits) -> None:
    page = visit(SHORT)
    started(page)
    expect(page.locator(".gf-run[data-state]")).to_have_attribute("data-state", "finished", timeout=4 * PATIENCE)
    idle(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.documentElement.scrollWidth <= 390")  # nothing is wider than a phone
    for kind, beginning in (("csv", b"\xef\xbb\xbf"), ("svg", b"<svg")):
        assert download(page, page.locator(f"[data-key={kind}_run]")).startswith(beginning)
    press(page, "train_keep.keep")
    expect(page.get_by_role("button", name=EN["train_keep.open"])).to_be_visible()
    idle(page)
    with page.expect_download() as arriving:
        page.get_by_role("link", name=EN["upload.download"]).click()
    assert arriving.value.suggested_filename.endswith(".zip")
    press(page, "train_keep.open")
    page.wait_for_url(lambda url: "/attention" in url)
    idle(page)
    expect(page.locator(".gf-tile[data-kind=cross]")).to_have_count(2)
    assert parse_qs(urlsplit(page.url).query)["checkpoint"][0].startswith(f"{OWN}notebook")
