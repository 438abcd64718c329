"""Controls and bars of live pages and units where the system chooses the colours."""

from playwright.sync_api import Browser

from live.units.document import _style

CONTROLS = """
<label class="pill"><input type="radio" checked>x</label><label class="pill"><input type="radio">x</label>
<button class="tab" aria-selected="true">x</button><button class="tab">x</button>
<button class="pill-button" aria-pressed="true">x</button><button class="pill-button">x</button>
<label class="toggle"><input type="checkbox" checked></label><label class="toggle"><input type="checkbox"></label>
"""
DRAWN = """
<table class="gf-weights"><tr><td class="gf-bar"><div style="width: 60%; background: #c8551b"></div></td></tr></table>
<input type="range"><progress value="0.5"></progress>
"""


def test_what_is_chosen_and_drawn_can_be_seen(browser: Browser) -> None:
    page = browser.new_page(forced_colors="active", viewport={"width": 400, "height": 300})
    page.set_content(f"<style>{_style()}</style>{CONTROLS}")
    grounds = page.locator(":is(.pill, .tab, .pill-button, .toggle input)").evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node).backgroundColor)"
    )
    assert all(chosen != other for chosen, other in zip(grounds[::2], grounds[1::2], strict=True))

    page.set_content(f"<style>{_style()}</style>{DRAWN}")
    for selector in (".gf-bar div", "input", "progress"):
        drawn = page.locator(selector)
        box = drawn.bounding_box()
        assert box
        beside_the_thumb = {**box, "width": box["width"] / 4}
        before = page.screenshot(clip=beside_the_thumb)
        drawn.evaluate("node => { node.style.visibility = 'hidden' }")
        assert page.screenshot(clip=beside_the_thumb) != before, selector
    page.close()
