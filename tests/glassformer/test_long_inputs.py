"""Long inputs: which heads are exact, and what the figure says and does about the others."""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.glassformer.test_browser_notebook import only_files, opened
from tests.samples import opened_attention
from tests.viz.test_attention_blocks import softmax

LONG = softmax(12, 12, 300, 300, causal=True)
TOKENS = [f"t{i}" for i in range(300)]


def exact(figure: Any, kind: str = "decoder") -> list[list[int]]:
    header, _ = opened_attention(figure.message(kind))
    return next(panel["exact"] for panel in header["panels"] if panel["kind"] == kind)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("chosen", "heads"),
    [
        ({}, [[2, 1]]),
        ({"layers": [4, 0], "heads": [3]}, [[0, 3], [2, 1], [4, 3]]),
        ({"layers": np.array([2])}, [[2, head] for head in range(12)]),
        ({"heads": range(11, 12)}, sorted([[layer, 11] for layer in range(12)] + [[2, 1]])),
        ({"layers": []}, [[2, 1]]),
    ],
)
def test_named_heads_are_exact_beside_the_chosen_one(
    glassformer: ModuleType, chosen: dict[str, Any], heads: list[list[int]]
) -> None:
    assert exact(glassformer.head_wall(LONG, TOKENS, layer=2, head=1, **chosen)) == heads


def test_heads_are_named_of_one_kind_or_of_all(glassformer: ModuleType) -> None:
    given = {"encoder": softmax(12, 12, 300, 300), "cross": softmax(4, 12, 300, 300)}
    sides = {"encoder_tokens": TOKENS, "decoder_tokens": TOKENS}
    of_both = glassformer.head_wall(given, **sides, layers=[3, 7], heads=[0])
    assert (exact(of_both, "encoder"), exact(of_both, "cross")) == ([[0, 0], [3, 0], [7, 0]], [[3, 0]])
    of_one = glassformer.head_wall(given, **sides, kind="cross", layers=[3], heads=[0])
    assert (exact(of_one, "encoder"), exact(of_one, "cross")) == ([], [[0, 0], [3, 0]])


@pytest.mark.parametrize(
    ("chosen", "error", "sentence"),
    [
        ({"layers": [12]}, ValueError, "layers: there are 12, 0 to 11; there is no 12."),
        ({"heads": [0, -1]}, ValueError, "heads: there are 12, 0 to 11; there is no -1."),
        ({"layers": 3}, TypeError, "layers is a list of numbers, such as layers=[0], not 3."),
        ({"heads": "all"}, TypeError, "heads is a list of numbers, such as heads=[0], not 'all'."),
        ({"heads": [1.5]}, TypeError, "heads holds whole numbers, not 1.5."),
        ({"layers": [True]}, TypeError, "layers holds whole numbers, not True."),
        ({"layers": [0], "kind": "cross"}, ValueError, "There is no cross attention here, but decoder."),
    ],
)
def test_an_error_says_which_heads_there_are(
    glassformer: ModuleType, chosen: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    given = {"decoder": softmax(12, 12, 3, 3)}
    with pytest.raises(error, match=re.escape(sentence)):
        glassformer.head_wall(given, ["a", "b", "c"], **chosen)


def test_a_recording_takes_them_too(glassformer: ModuleType) -> None:
    recording = {"decoder_attention": LONG, "target_tokens": TOKENS}
    assert exact(glassformer.trace(recording, layers=[5], heads=[6])) == [[0, 0], [5, 6]]


def expect_readout(page: Page, text: str) -> None:
    expect(page.locator(".gf-readout")).to_contain_text(text)


def test_a_head_that_is_not_exact_shows_blocks_and_says_so(
    browser: Browser, glassformer: ModuleType, tmp_path: Path
) -> None:
    figure = glassformer.head_wall(LONG, TOKENS, layers=[1], heads=[4])
    page = opened(browser, figure.save(tmp_path / "x.html"))
    expect(page.locator(".gf-attention")).to_have_attribute("data-ready", "true")
    expect(page.locator(".gf-reduced")).to_contain_text("2 of 144 heads are exact")
    expect(page.locator(".gf-reduced")).to_contain_text("a block of 5 × 5 tokens")
    expect(page.locator(".gf-entropy")).to_contain_text("bits")
    page.locator(".gf-rows [data-index='3']").click()
    row = LONG[0, 0, 3]
    expect_readout(page, f"t3 → t{row.argmax()} {row.max():.3f} · sum of the row 1.000")

    page.locator(".gf-tile[data-layer='7'][data-head='2']").click()
    expect(page.locator(".gf-entropy")).to_have_text(
        "Blocks of 5 × 5 tokens: layers=[7], heads=[2] shows this head exactly."
    )
    expect(page.locator(".gf-rows .gf-token")).to_have_count(60)
    page.locator(".gf-rows [data-index='1']").click()
    block = LONG[7, 2, 5:10].reshape(5, 60, 5).sum(-1).mean(0)
    names = ["0–4 t0 … t4", "5–9 t5 … t9"]
    expect_readout(page, f"5–9 t5 … t9 → {names[block.argmax()]} {block.max():.3f} · sum of the row 1.000")

    page.locator(".gf-tile[data-layer='1'][data-head='4']").click()
    expect(page.locator(".gf-rows .gf-token")).to_have_count(300)
    expect_readout(page, "t5 → ")  # the first token of the block stays locked
    assert only_files(page)
    page.close()


def test_lines_of_heads_that_are_not_exact_join_blocks(
    browser: Browser, glassformer: ModuleType, tmp_path: Path
) -> None:
    figure = glassformer.attention_lines(LONG, TOKENS, layer=2, language="zh")
    page = opened(browser, figure.save(tmp_path / "x.html"))
    expect(page.locator(".gf-attention")).to_have_attribute("data-ready", "true")
    expect(page.locator(".gf-reduced")).to_contain_text("144 个头中有 12 个是精确的")
    expect(page.locator(".gf-links .gf-token")).to_have_count(600)
    page.locator(".gf-tile[data-layer='3'][data-head='2']").click()
    expect(page.locator(".gf-links .gf-token")).to_have_count(120)
    expect(page.locator(".gf-note")).to_contain_text("layers=[3], heads=[2]")
    page.locator(".gf-tile[data-layer='2'][data-head='5']").click()
    expect(page.locator(".gf-links .gf-token")).to_have_count(600)
    expect(page.locator(".gf-note")).to_have_text("")
    assert only_files(page)
    page.close()


def test_2000_tokens_are_drawn_and_read(browser: Browser, glassformer: ModuleType, tmp_path: Path) -> None:
    weights = softmax(1, 1, 2000, 2000, spread=3, causal=True)
    figure = glassformer.head_wall(weights, [f"t{i}" for i in range(2000)])
    page = opened(browser, figure.save(tmp_path / "x.html"))
    expect(page.locator(".gf-attention")).to_have_attribute("data-ready", "true")
    canvas = page.locator(".gf-map-body canvas")
    pixels = "(node, [x, y]) => [...node.getContext('2d').getImageData(x, y, 1, 1).data]"
    ground = canvas.evaluate(pixels, [1999, 0])
    assert canvas.evaluate(pixels, [0, 0]) != ground
    key = int(weights[0, 0, 1500].argmax())
    assert canvas.evaluate(pixels, [key, 1500]) != ground
    scroll = page.locator(".gf-scroll")
    assert scroll.evaluate("node => node.clientHeight") < 800
    scroll.evaluate("node => node.scrollTo(0, 1480 * 11)")
    page.locator(".gf-rows [data-index='1500']").click()
    expect_readout(page, f"t1500 → t{key} {weights[0, 0, 1500, key]:.3f} · sum of the row 1.000")
    page.close()
