"""Saved files, frames and widgets in a browser."""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Locator, Page, expect

TOKENS = ["<s>", "the", "house", "is", "old"]
NASTY = '</script><img src="https://example.org/x.png" onerror="alert(1)">'


def weights(layers: int = 2, heads: int = 3, tokens: int = 5) -> np.ndarray:
    values = np.exp(np.random.default_rng(1).normal(size=(layers, heads, tokens, tokens)) * 2)
    return values / values.sum(-1, keepdims=True)


def opened(browser: Browser, file: Path, **look: Any) -> Page:
    """The page of a file, which may ask nobody for anything."""
    page = browser.new_page(viewport={"width": 1100, "height": 900}, **look)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: requests.append(str(error)))
    page.goto(file.as_uri())
    page.asked = requests  # type: ignore[attr-defined]
    return page


def only_files(page: Page) -> bool:
    return all(url.startswith(("file:", "data:", "blob:", "about:")) for url in page.asked)  # type: ignore[attr-defined]


def test_a_saved_file_answers_the_pointer(browser: Browser, glassformer: ModuleType, tmp_path: Path) -> None:
    figure = glassformer.head_wall(weights(), [*TOKENS[:-1], NASTY], title="A title & more")
    page = opened(browser, figure.save(tmp_path / "x.html"))
    figure_on_page = page.locator(".gf-attention")
    expect(figure_on_page).to_have_attribute("data-ready", "true")
    expect(page.get_by_role("heading", name="A title & more")).to_be_visible()
    readout = page.locator(".gf-readout")
    before = readout.inner_text()
    page.locator(".gf-map").first.hover(position={"x": 150, "y": 100})
    expect(readout).not_to_have_text(before)
    expect(readout).to_contain_text(re.compile(r"\d\.\d\d\d"))
    assert only_files(page)
    page.close()


def test_sixty_tokens_of_a_model_with_many_heads_are_seen_whole(
    browser: Browser, glassformer: ModuleType, tmp_path: Path
) -> None:
    """Beside a wall of 12 heads half of the columns were out of view; 5 tokens still stand beside it."""
    for tokens, beside in ((60, "false"), (5, "true")):
        figure = glassformer.head_wall(weights(12, 12, tokens), [TOKENS[at % 5] for at in range(tokens)])
        page = opened(browser, figure.save(tmp_path / "x.html"))
        expect(page.locator(".gf-attention")).to_have_attribute("data-ready", "true")
        expect(page.locator(".gf-matrix-frame")).to_have_attribute("data-beside", beside)
        wide, room = page.locator(".gf-scroll").evaluate("node => [node.scrollWidth, node.clientWidth]")
        assert wide <= room
        page.close()


def test_a_frame_is_as_dark_and_as_high_as_its_notebook(
    browser: Browser, glassformer: ModuleType, tmp_path: Path
) -> None:
    figure = glassformer.matrix([[1.0, -2.0], [0.5, 0.0]], rows=["a", NASTY], title="scores", language="zh")
    markup = figure._repr_html_()
    (tmp_path / "x.html").write_text(f"<!doctype html><body style='background:#111'>{markup}</body>", encoding="utf-8")
    page = opened(browser, tmp_path / "x.html")
    figure_on_page = page.frame_locator("iframe").locator(".gf-matrices")
    expect(figure_on_page).to_have_attribute("data-ready", "true")
    expect(figure_on_page).to_have_attribute("data-theme", "dark")
    page.evaluate("document.body.style.background = '#fff'")
    expect(figure_on_page).to_have_attribute("data-theme", "light")
    frame = page.locator("iframe")
    page.wait_for_function(
        "() => { const f = document.querySelector('iframe'); const d = f.contentDocument.body.getBoundingClientRect();"
        " return Math.abs(f.getBoundingClientRect().height - d.height) < 2; }"
    )
    assert "scores" in (frame.get_attribute("title") or "")
    picture = page.locator("img")  # what is left where frames are taken out
    assert not picture.is_visible(), "the picture stands beside the figure"
    assert "scores：2 行" in (picture.get_attribute("alt") or "")
    page.evaluate("""() => {
      const [image, frame] = ["img", "iframe"].map((name) => document.querySelector(name));
      frame.remove();
      for (const node of [image, image.parentElement]) node.removeAttribute("style");
    }""")
    assert picture.is_visible()
    assert picture.evaluate("image => image.naturalWidth") > 100
    assert only_files(page)
    page.close()


def looks(found: Locator) -> list[tuple[str, ...]]:
    """What tells elements apart where the system chooses the colours: ground, outline, colours of a scale."""
    read = "node => { const s = getComputedStyle(node);"
    read += " return [s.backgroundColor, s.outlineStyle, s.outlineWidth, s.backgroundImage]; }"
    return [tuple(node.evaluate(read)) for node in found.all()]


def test_what_is_chosen_shows_in_forced_colours(browser: Browser, glassformer: ModuleType, tmp_path: Path) -> None:
    page = opened(browser, glassformer.head_wall(weights(), TOKENS).save(tmp_path / "x.html"), forced_colors="active")
    expect(page.locator(".gf-attention")).to_have_attribute("data-ready", "true")
    page.locator(".gf-tile").nth(4).click()
    page.mouse.move(5, 5)
    tiles = looks(page.locator(".gf-tile"))
    assert [each for each in tiles if tiles.count(each) == 1] == [tiles[4]], "the chosen head looks like the others"
    assert "gradient" in looks(page.locator(".gf-bar"))[0][3], "the scale has no colours"
    page.locator(".gf-map").first.click(position={"x": 150, "y": 100})
    for name, value in (("outline-style", "solid"), ("outline-width", "3px")):  # the locked cell is marked
        expect(page.locator(".gf-cursor").first).to_have_css(name, value)
    page.close()

    page = opened(
        browser, glassformer.attention_lines(weights(), TOKENS).save(tmp_path / "y.html"), forced_colors="active"
    )
    expect(page.locator(".gf-attention")).to_have_attribute("data-ready", "true")
    chips = looks(page.locator(".gf-chip"))
    assert chips[0] != chips[1] == chips[2], "the shown head looks like the others"
    page.close()

    figure = glassformer.matrix([[1.0, -2.0], [0.5, 0.0]])
    page = opened(browser, figure.save(tmp_path / "z.html"), forced_colors="active")
    expect(page.locator(".gf-matrices")).to_have_attribute("data-ready", "true")
    page.locator(".gf-map").first.click(position={"x": 10, "y": 10})
    for name, value in (("outline-style", "solid"), ("outline-width", "3px")):  # the locked cell is marked
        expect(page.locator(".gf-cursor").first).to_have_css(name, value)
    page.close()


def test_a_widget_tells_what_is_locked(browser: Browser, glassformer: ModuleType, tmp_path: Path) -> None:
    """The widget's module with a stand-in for anywidget's model."""
    from viz.standalone.widget import module

    figure = glassformer.head_wall(weights(), TOKENS)
    data = [list(component.data) for component in figure.components]
    names = [component.name for component in figure.components]
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    page.set_content("<!doctype html><body><div id=here></div></body>")
    page.evaluate(
        """async ([source, names, data, selection]) => {
          const { default: made } = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
          const views = data.map((bytes) => new DataView(new Uint8Array(bytes).buffer));
          const state = { names, data: views, selection };
          window.state = state;
          const set = (name, value) => { state[name] = value; };
          const model = { get: (name) => state[name], set, save_changes() {} };
          window.stop = made.render({ model, el: document.getElementById("here") });
        }""",
        [module(figure.components), names, data, figure.start],
    )
    figure_on_page = page.locator(".gf-attention")
    expect(figure_on_page).to_have_attribute("data-ready", "true")
    page.locator(".gf-tile").nth(4).click()
    expect(figure_on_page).to_have_attribute("data-locked-layer", "1")
    assert page.evaluate("state.selection") == {"kind": "encoder", "layer": 1, "head": 1, "query": None, "key": None}
    page.locator(".gf-map").first.click(position={"x": 150, "y": 100})
    page.wait_for_function("() => state.selection.query !== null")
    assert page.evaluate("[state.selection.layer, state.selection.head]") == [1, 1]
    page.evaluate("stop()")
    page.close()
