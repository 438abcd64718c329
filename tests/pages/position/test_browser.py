"""The position page in a browser: a click on a number works it out, and nothing scrolls sideways on a phone."""

from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser import Visits, has_address, idle

VIEWS = ("table", "waves", "one", "distance", "others", "worked")


@pytest.mark.thorough
def test_a_clicked_number_is_worked_out(visit: Visits) -> None:
    page = visit.again("/position?" + urlencode({"length": 16, "d_model": 16, "base": 100}))
    grid = page.locator(".gf-matrices[data-ready] .gf-map[data-key=table]")
    box = grid.bounding_box()
    assert box is not None
    grid.click(position={"x": 6.5 * box["width"] / 16, "y": 5.5 * box["height"] / 16})
    idle(page)
    has_address(page, row=5, column=6)
    sum_ = page.locator(".st-key-figure_table .katex-html").first
    expect(sum_).to_contain_text(f"{np.sin(5 / 100 ** (6 / 16)):.4f}".replace("-", "−"))
    grid.focus()
    for press in ("ArrowRight", "Enter"):
        page.keyboard.press(press)
    has_address(page, row=5, column=7)
    expect(sum_).to_contain_text(f"{np.cos(5 / 100 ** (6 / 16)):.4f}".replace("-", "−"))


SEEN = """
    const laid = (window.laid = []), added = (window.added = []);
    const watch = (root) => {
      new MutationObserver((records) => {
        for (const { target, addedNodes, type } of records) {
          if (type === "attributes") laid.push(target.className);
          else added.push(...[...addedNodes].map((node) => node.outerHTML ?? ""));
        }
      }).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ready"] });
    };
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (...options) {
      const root = attach.apply(this, options);
      watch(root);
      return root;
    };
    watch(document);
"""


def test_another_view_is_all_that_is_drawn_and_moves_nothing(visit: Visits) -> None:
    """Where the options are, at the top of the window, they stay, though the page below is begun anew."""
    page = visit.again("/position")  # with the fonts of the matrices
    page.locator(".gf-matrices[data-ready]").wait_for()
    options = page.locator(".st-key-show")
    before = options.evaluate("node => { node.scrollIntoView(); return node.getBoundingClientRect().top; }")

    def show(view: str, chart: str) -> None:
        options.get_by_role("radio").nth(VIEWS.index(view)).click()
        idle(page)
        page.locator(f".st-key-position-{chart} svg.marks").wait_for()
        idle(page)
        assert options.evaluate("node => node.getBoundingClientRect().top") == before

    show("one", "one")
    page.evaluate(SEEN)
    show("distance", "distance")
    page.locator(".gf-matrices[data-ready]").first.wait_for()
    assert not [html for html in page.evaluate("added.splice(0)") if "position-one" in html]
    page.evaluate("laid.splice(0)")
    show("table", "curves")
    page.locator(".gf-matrices[data-ready]").wait_for()
    assert page.evaluate("laid.length") == 1
