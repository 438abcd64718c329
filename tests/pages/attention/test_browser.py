"""The attention page in a browser: a click on a cell works it out, and what is locked stands in the link."""

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import Visits, figure, has_address, idle, locked, path, run, tile, tokens
from tests.samples import KINO


def grid(page: Page, key: str) -> Locator:
    return page.locator(f".gf-matrices[data-ready] .gf-map[data-key={key}]")


def click_cell(page: Page, key: str, row: int, column: int, shape: tuple[int, ...]) -> None:
    box = grid(page, key).bounding_box()
    assert box is not None
    at = {"x": (column + 0.5) * box["width"] / shape[1], "y": (row + 0.5) * box["height"] / shape[0]}
    grid(page, key).click(position=at)  # type: ignore[arg-type]
    idle(page)


def test_a_clicked_cell_is_worked_out(visit: Visits) -> None:
    page = visit.again(path("attention", view="cell", attention_kind="cross", layer=1, head=0))
    trace = run(KINO).trace
    weights = trace.weights("cross")[1, 0]
    for row, column in ((0, 1), (2, 4)):
        click_cell(page, "weights", row, column, weights.shape)
        has_address(page, query=row, key=column)
        line = page.locator(".gf-row .gf-chosen")
        expect(line.locator("th")).to_have_text(trace.source_tokens[column])
        on_screen = page.locator(".gf-steps tr:last-child td:last-child").inner_text()
        np.testing.assert_allclose(float(on_screen.replace("−", "-")), weights[row, column], rtol=1e-4)
    # and without a mouse, from the cell that was clicked last
    grid(page, "weights").focus()
    for press in ("ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(press)
    has_address(page, query=1, key=2)


@pytest.mark.thorough
def test_a_cell_of_the_large_map_that_is_locked_stands_in_the_link_until_it_is_let_go(visit: Visits) -> None:
    page = visit.again(path("attention", attention_kind="cross", layer=1, head=0))
    trace = run(KINO).trace
    weights = trace.weights("cross")[1, 0]
    large = figure(page).locator(".gf-map")
    for query, key in ((1, 3), (4, 2)):
        box = large.bounding_box()
        assert box is not None
        rows, columns = weights.shape
        at = {"x": (key + 0.5) * box["width"] / columns, "y": (query + 0.5) * box["height"] / rows}
        large.click(position=at)  # type: ignore[arg-type]
        has_address(page, pin=f"cross,{query},{key}")
    idle(page)
    again = visit.again(page.url.removeprefix(visit.address), by="another reader")
    for each in (page, again):
        expect(figure(each).locator(".gf-cursor")).to_have_attribute("data-state", "locked")
        readout = figure(each).get_by_role("status")
        expect(readout).to_contain_text(f"{trace.output_tokens[4]} → {trace.source_tokens[2]} ")
        expect(readout).to_contain_text(f"{weights[4, 2]:.3f}")
    # another head shows the same cell of its own, and Escape lets go
    tile(again, 0, 1).click()
    locked(again, 0, 1)
    readout = figure(again).get_by_role("status")
    expect(readout).to_contain_text(f"{trace.output_tokens[4]} → {trace.source_tokens[2]} ")
    expect(readout).to_contain_text(f"{trace.weights('cross')[0, 1, 4, 2]:.3f}")
    figure(again).locator(".gf-map").focus()
    again.keyboard.press("Escape")
    again.wait_for_url(lambda url: "pin=" not in url)


def test_a_word_that_is_locked_stands_in_the_link(visit: Visits) -> None:
    page = visit.again("/")
    tokens(page, "key").nth(4).click()
    has_address(page, pin="cross,,4")
    again = visit.again(page.url.removeprefix(visit.address), by="another reader")
    expect(tokens(again, "key").nth(4)).to_have_attribute("aria-pressed", "true")
    readout = figure(again).get_by_role("status").inner_text()
    assert readout.startswith(run(KINO).trace.source_tokens[4])
    tokens(again, "key").nth(4).click()
    again.wait_for_url(lambda url: "pin=" not in url)


def test_a_map_that_scrolls_shows_that_it_goes_on(visit: Visits) -> None:
    page = visit.again(path("attention", checkpoint="gpt-char"), viewport={"width": 900, "height": 900})
    scroll = figure(page).locator(".gf-scroll")
    expect(scroll).to_have_attribute("data-more", "true")
    scroll.evaluate("box => (box.scrollLeft = box.scrollWidth)")
    expect(scroll).to_have_attribute("data-more", "false")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(scroll).to_have_attribute("data-more", "true")
