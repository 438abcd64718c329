"""The intervene page in a browser: what stands in one window, and what scrolls."""

from urllib.parse import quote

import pytest

from pages.shared.text.words import all_texts
from tests.browser import Visits, idle
from viz.html.plain_table import table_html


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
    wide, room = page.locator(".gf-wide:has(.gf-long)").evaluate(
        "node => { const sizes = [node.scrollWidth, node.clientWidth]; node.remove(); return sizes; }"
    )
    assert 200 < wide <= room


@pytest.mark.thorough
def test_on_a_phone_only_the_figures_scroll_sideways(visit: Visits) -> None:
    link = quote("off:cross.1.0;patch:encoder.1.3.3=Wo ist das Buch?")
    for what, show in (("head", "effect"), ("row", "attention"), ("patch", "patching")):
        page = visit.again(f"/intervene?what={what}&show={show}&changes={link}", viewport={"width": 390, "height": 844})
        idle(page)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
        right = page.locator(".st-key-change_1 p").first.evaluate("node => node.getBoundingClientRect().right")
        assert right <= 390  # a long change is wrapped, not cut
