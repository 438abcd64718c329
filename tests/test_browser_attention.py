"""The attention page in a browser: a click on a cell works it out, a click on a measure chooses its head."""

import numpy as np
from playwright.sync_api import Locator, Page, expect

from pages.shared.words import catalogue
from tests.browser import idle
from tests.fixtures import KINO
from tests.test_browser import Visits, address, browser, has_address, locked, path, run, visit  # noqa: F401

EN = catalogue("en")


def grid(page: Page, key: str) -> Locator:
    return page.locator(f".gf-matrices[data-ready] .gf-map[data-key={key}]")


def click_cell(page: Page, key: str, row: int, column: int, shape: tuple[int, ...]) -> None:
    box = grid(page, key).bounding_box()
    assert box is not None
    at = {"x": (column + 0.5) * box["width"] / shape[1], "y": (row + 0.5) * box["height"] / shape[0]}
    grid(page, key).click(position=at)  # type: ignore[arg-type]
    idle(page)


def test_a_clicked_cell_is_worked_out(visit: Visits) -> None:  # noqa: F811
    page = visit(path("attention", view="cell", attention_kind="cross", layer=1, head=0))
    trace = run(KINO).trace
    weights = trace.weights("cross")[1, 0]
    for row, column in ((0, 1), (2, 4)):
        click_cell(page, "weights", row, column, weights.shape)
        has_address(page, query=row, key=column)
        line = page.locator(".gf-row .gf-chosen")
        expect(line.locator("th")).to_have_text(trace.source_tokens[column])
        shown = page.locator(".gf-steps tr:last-child td:last-child").inner_text()
        np.testing.assert_allclose(float(shown.replace("−", "-")), weights[row, column], rtol=1e-4)


def test_a_clicked_cell_is_worked_out_without_a_mouse(visit: Visits) -> None:  # noqa: F811
    page = visit(path("attention", view="cell", attention_kind="cross", layer=1, head=0, query=0, key=0))
    grid(page, "weights").focus()
    for press in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(press)
    has_address(page, query=1, key=2)


def test_a_clicked_measure_chooses_its_head(visit: Visits) -> None:  # noqa: F811
    page = visit(path("attention", view="measures", measure="first"))
    click_cell(page, "decoder", 2, 3, (3, 4))
    locked(page, 2, 3, "decoder")
    has_address(page, attention_kind="decoder", layer=2, head=3, measure="first")


def test_next_leads_through_the_steps(visit: Visits) -> None:  # noqa: F811
    page = visit(path("attention", stage="raw"))
    expect(grid(page, "raw")).to_be_visible()
    page.locator(".st-key-stage_next button").click()
    expect(grid(page, "scaled")).to_be_visible()
    has_address(page, stage="scaled")
    expect(page.get_by_role("radio", name=EN["attention_step.scaled"])).to_be_checked()


def test_a_phone_shows_every_view_without_sliding_sideways(visit: Visits) -> None:  # noqa: F811
    for view in ("stages", "cell", "measures", "rollout", "similarity"):
        page = visit(path("attention", view=view), viewport={"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
