"""The intervene page in a browser: a head locked on the wall is switched off, and what was typed stays text."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, has_address, idle, tile
from viz.html.plain_table import table_html

EN = all_texts("en")


@pytest.mark.thorough
def test_a_head_locked_on_the_wall_is_switched_off_by_apply(visit: Visits) -> None:
    page = visit.again("/intervene?show=probability")
    tile(page, 2, 3, "cross").click()
    idle(page)
    has_address(page, attention_kind="cross", layer=2, head=3)
    page.get_by_role("button", name=EN["intervene.add"], exact=True).click()
    idle(page)
    expect(page.get_by_text(EN["intervene_list.waiting"])).to_be_visible()
    page.get_by_role("button", name=EN["intervene_list.apply"], exact=True).click()
    idle(page)
    has_address(page, changes="off:cross.2.3")
    expect(page.locator(".gf-outputs")).not_to_contain_text(EN["intervene_outputs.unchanged"])


def test_the_change_and_what_the_model_writes_then_stand_in_one_window(visit: Visits) -> None:
    page = visit.again("/intervene", viewport={"width": 1280, "height": 800})
    change, output = (page.locator(f".st-key-{key}").bounding_box() for key in ("figure_change", "figure_list"))
    assert change
    assert output
    assert change["x"] + change["width"] <= output["x"]
    assert max(box["y"] + box["height"] for box in (change, output)) <= 800


@pytest.mark.parametrize("width", [390, 1280])
def test_the_answers_before_and_after_a_change_are_read_without_scrolling(visit: Visits, width: int) -> None:
    """In Spanish, whose words are the longest; how `label_table` fills it is held by `test_imported`."""
    page = visit.again("/intervene?language=es", viewport={"width": width, "height": 844})
    words = all_texts("es")
    heads = [words[f"labels.{name}"] for name in ("token", "text", "start", "end", "start", "end")]
    groups = [("", 2), *((words[f"intervene_outputs.{name}"], 2) for name in ("before", "after"))]
    table = table_html(heads, [["Wissenschaft", "2", *["100.0%"] * 4]], long=True, groups=groups)
    page.locator(".st-key-figure_list").evaluate("(card, table) => card.insertAdjacentHTML('beforeend', table)", table)
    wide, room = page.locator(".gf-wide:has(.gf-long)").evaluate("node => [node.scrollWidth, node.clientWidth]")
    assert 200 < wide <= room


@pytest.mark.thorough
def test_a_sentence_in_a_link_stays_text(visit: Visits) -> None:
    text = "![](http://x.example/y.png) <b>Haus</b> **Buch**"
    page = visit.again(f"/intervene?what=mask&changes={quote(f'-patch:encoder.0.1.1={text}')}")
    expect(page.get_by_text(text)).to_be_visible()
    expect(page.locator(".st-key-figure_list :is(b, strong, img)")).to_have_count(0)


@pytest.mark.thorough
def test_on_a_phone_only_the_figures_scroll_sideways(visit: Visits) -> None:
    link = quote("off:cross.1.0;patch:encoder.1.3.3=Wo ist das Buch?")
    for what, show in (("head", "effect"), ("row", "attention"), ("patch", "patching")):
        page = visit.again(f"/intervene?what={what}&show={show}&changes={link}", viewport={"width": 390, "height": 844})
        idle(page)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
        right = page.locator(".st-key-change_1 p").first.evaluate("node => node.getBoundingClientRect().right")
        assert right <= 390  # a long change is wrapped, not cut


@pytest.mark.thorough
def test_a_long_map_can_be_cancelled_and_blocks_nobody(visit: Visits) -> None:
    page = visit.again("/intervene?checkpoint=untrained-paper&what=mask&show=patching")
    other = visit("/primer")
    page.get_by_role("radio", name=EN["intervene_show.effect"], exact=True).click()
    # 18 passes of 8 rows through the paper's layers are over within seconds: click without waiting for a still button
    page.get_by_role("button", name=EN["progress.stop"], exact=True).dispatch_event("click")
    expect(page.get_by_text(EN["progress.stopped"])).to_be_visible()
    idle(page)
    page.get_by_role("button", name=EN["progress.go_on"], exact=True).click()
    other.reload()  # idle while the map of the other session goes on
    expect(other.locator("h1")).to_have_text(EN["primer.question"])
    idle(page)
    expect(page.locator(".st-key-map_cross .gf-matrices[data-ready]")).to_be_visible()
