"""Controls of the pages where the system chooses the colours."""

import pytest
from playwright.sync_api import Browser

from tests.samples import ROOT
from viz.palette import style_sheet


def test_a_chosen_option_looks_unlike_the_others(browser: Browser) -> None:
    """Pills and tabs, as Streamlit draws them; without a rule, all have the ground of the system."""
    style = style_sheet(ROOT / "pages/shared/server/frontend/frame.css")
    options = "".join(f'<button role="radio" aria-checked="{chosen}"><p>x</p></button>' for chosen in ("true", "false"))
    group = f'<div data-testid="stButtonGroup"><div role="radiogroup">{options}</div></div>'
    page = browser.new_page(forced_colors="active")
    page.set_content(f'<style>{style}</style>{group}<div class="st-key-view">{group}</div>')
    grounds = page.locator("button").evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node).backgroundColor)"
    )
    assert {grounds[0], grounds[2]}.isdisjoint({grounds[1], grounds[3]})
    page.close()


@pytest.mark.parametrize("forced", ["none", "active"])
def test_what_has_the_focus_shows_it(browser: Browser, forced: str) -> None:
    """As Streamlit draws it: without an outline, with a ground or a shadow that forced colours take away."""
    style = style_sheet(ROOT / "pages/shared/server/frontend/frame.css")
    theirs = ".own.link, .own.link:focus-visible { outline: none; }"
    controls = ["<a class='own link' href='#'>x</a>"]
    if forced == "active":  # elsewhere Streamlit's shadow shows it
        controls += ["<button class='own link'>x</button>", "<input class='own link'>"]
    page = browser.new_page(forced_colors=forced)
    page.set_content(f"<style>{theirs}</style><style>{style}</style>{''.join(controls)}")
    for _ in controls:
        page.keyboard.press("Tab")
        outline = page.evaluate("() => getComputedStyle(document.activeElement).outline")
        assert "solid" in outline
    page.close()
