"""The decoding page in a browser: keys move over the steps, a click forces a word, playing asks the server nothing."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from pages.shared.text.words import all_texts
from tests.browser import MOTION, Visits, has_address, idle

EN = all_texts("en")


def path(**choices: object) -> str:
    return f"/decoding?{urlencode(choices)}"


def player(page: Page) -> Locator:
    return page.locator(".gf-player[data-ready]")


@pytest.mark.thorough
def test_keys_move_over_the_steps(visit: Visits) -> None:
    page = visit.again(path())
    page.locator(".gf-chip").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(player(page)).to_have_attribute("data-step", "3")
    has_address(page, step=3)
    idle(page)
    expect(page.locator(".gf-chip").nth(3)).to_be_focused()
    page.keyboard.press("Home")
    expect(player(page)).to_have_attribute("data-step", "0")


def test_a_clicked_candidate_is_forced_and_the_outputs_differ(visit: Visits) -> None:
    page = visit.again(path(step=4))
    expect(page.get_by_role("button", name="▶ Play")).to_have_count(0)  # where no motion is wanted
    second = page.locator("button.gf-candidate").nth(1)
    word = second.locator(".gf-name").inner_text()
    second.click()
    idle(page)
    expect(page.locator(".gf-chip").nth(4).locator("span")).to_have_text(word)
    expect(page.locator(".st-key-figure_forks .gf-outputs ins").first).to_be_visible()
    page.locator(".st-key-undo button").click()
    idle(page)
    expect(page.locator(".st-key-figure_forks")).to_have_count(0)


def test_playing_sends_nothing_until_it_ends(visit: Visits) -> None:
    page = visit.again(path(step=5), **MOTION)
    expect(player(page)).to_have_attribute("data-step", "5")
    sent = visit.watches[page].sent
    before = len(sent)
    page.get_by_role("button", name="▶ Play").click()
    expect(player(page)).to_have_attribute("data-playing", "play")
    expect(player(page)).to_have_attribute("data-step", "6")
    assert len(sent) == before
    expect(player(page)).to_have_attribute("data-playing", "")
    has_address(page, step=7)


@pytest.mark.thorough
def test_slow_play_takes_the_page_below_along(visit: Visits) -> None:
    page = visit.again(path(step=1), **MOTION)
    expect(player(page)).to_have_attribute("data-step", "1")
    page.get_by_role("button", name="▶ Slow").click()
    for step in (2, 3, 4):
        expect(player(page)).to_have_attribute("data-step", str(step), timeout=10_000)
        expect(page.get_by_label(EN["decoding.word"].format(step=step))).to_be_visible()
        has_address(page, step=step)
        expect(player(page)).to_have_attribute("data-playing", "slow")  # what Python answers does not stop it
    page.get_by_role("button", name="❚❚ Pause").click()
    idle(page)
    expect(player(page)).to_have_attribute("data-playing", "")
    expect(player(page)).to_have_attribute("data-step", "4")
