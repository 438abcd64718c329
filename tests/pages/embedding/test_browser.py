"""Byte pairs in a browser: the slider goes through the merges, and the link keeps text and step."""

import pytest
from playwright.sync_api import Locator, Page, expect

from model.tokenization import byte_pairs
from pages.shared.text.words import all_texts
from tests.browser import Visits, accessible, has_address, idle, path, small

EN, ZH = all_texts("en"), all_texts("zh")
TEXT = "abab abab cd cd"


def figure(page: Page, step: int) -> Locator:
    locator = page.locator(f".gf-merges[data-ready][data-step='{step}']")
    expect(locator).to_be_visible()
    return locator


def pieces(page: Page) -> list[str]:
    return page.locator(".gf-merges .gf-word").evaluate_all(
        "words => words.map((word) => [...word.children].map((piece) => piece.textContent).join('|'))"
    )


def test_keys_go_from_merge_to_merge_and_the_link_keeps_the_step(visit: Visits) -> None:
    page = visit.again(path("embedding", show="merges", text=TEXT))
    figure(page, 0)
    assert pieces(page) == ["▁|a|b|a|b", "▁|a|b|a|b", "▁|c|d", "▁|c|d"]
    assert page.locator(".gf-piece[data-next]").count() == 8
    page.get_by_label(EN["embedding_merges_figure.moment"], exact=True).focus()
    page.keyboard.press("ArrowRight")
    figure(page, 1)
    assert pieces(page)[0] == "▁|ab|ab"
    expect(page.locator(".gf-merges tr[aria-current] th")).to_have_text("c + d")
    has_address(page, show="merges", text=TEXT, merges=1)
    page.keyboard.press("End")
    expect(page.locator(".gf-said")).to_contain_text(EN["embedding_merges_figure.end"])
    has_address(page, merges=len(byte_pairs.learn(TEXT).merges))
    idle(page)
    page.reload()
    expect(page.locator(".gf-said")).to_contain_text(EN["embedding_merges_figure.end"])


@pytest.mark.thorough
def test_another_text_begins_anew(visit: Visits) -> None:
    page = visit.again(path("embedding", show="merges", text=TEXT, merges=3))
    figure(page, 3)
    field = page.get_by_label(EN["embedding_merges.own"], exact=True)
    field.fill("xyxy")
    field.press("Enter")
    figure(page, 0)
    assert pieces(page) == ["▁|x|y|x|y"]
    has_address(page, text="xyxy")


@pytest.mark.sample(2)
@pytest.mark.parametrize(("language", "scheme", "width"), [("zh", "dark", 390), ("en", "light", 1280)])
def test_everyone_can_use_it(language: str, scheme: str, width: int, visit: Visits) -> None:
    size = {"width": width, "height": 900}
    page = visit.again(path("embedding", show="merges", language=language), color_scheme=scheme, viewport=size)
    figure(page, 0)
    expect(page.locator(".st-key-figure_tokenizers table")).to_be_visible()
    idle(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert small(page, 24) == []
    accessible(page)
