"""A figure on the screen and its file: one drawing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.viz.test_matrix import WORD, matrix
from viz.components.engine import WIDE
from viz.components.matrix.data import FRONTEND, matrix_data
from viz.palette import Mode
from viz.standalone.document import Component, Source, document
from viz.svg.matrix import matrix_svg

WORDS = ("Wir", "gehen", "heute", "zusammen", "mit", "unseren", "Freundinnen", "ins", "Kino")
HAN = ("我们", "今天", "晚上", "去", "电影院", "看", "电影", "ひらがな", "한국어")
EDGES = 40  # px of the page round its figures
NEAR = 3  # px: a line of text on the page is higher than its letters

# What is drawn on the canvas of a map, in its order: colour, place and size of a rectangle, or colour, text and place.
RECORD = """
window.marks = [];
const { fillRect, fillText, clearRect } = CanvasRenderingContext2D.prototype;
const add = ({ canvas, fillStyle }, ...mark) => {
  if (canvas.parentElement?.className !== "gf-map-body") return;
  window.marks.push([typeof fillStyle === "string" ? fillStyle : "pattern", ...mark]);
};
Object.assign(CanvasRenderingContext2D.prototype, {
  clearRect(...box) { window.marks = []; clearRect.apply(this, box); },
  fillRect(...box) { add(this, ...box); fillRect.apply(this, box); },
  fillText(...text) { add(this, ...text); fillText.apply(this, text); },
});
"""
PLACES = """
const placed = (nodes, { left, top }) => [...nodes].map((node) => {
  const box = node.getBoundingClientRect();
  return [node.textContent.replaceAll("\\n", ""), box.left + box.width / 2 - left, box.top + box.height / 2 - top];
});
const boxOf = (node) => node.getBoundingClientRect();
"""
SCREEN = f"""root => {{ {PLACES}
  const head = ".gf-title, .gf-shape, .gf-note, .gf-axes";
  const texts = root.querySelectorAll(`${{head}}, .gf-scale span:not([aria-hidden]), .gf-extreme`);
  const labels = placed(root.querySelectorAll(".gf-token"), boxOf(root.querySelector(".gf-map-body")));
  const lines = placed(texts, boxOf(root.querySelector(".gf-card"))).map(([text, , y]) => [text, y]);
  return {{ marks: window.marks, labels, lines }};
}}"""
# The file beside it on the page, in the page's font.
FILE = f"""(root, svg) => {{ {PLACES}
  root.insertAdjacentHTML("beforeend", svg);
  const file = root.lastElementChild;
  file.style.fontFamily = getComputedStyle(root).fontFamily;
  const block = file.querySelector("g");
  const map = block.querySelector("g");
  const number = (node, name) => Number(node.getAttribute(name));
  const isRow = (node) => node.getAttribute("text-anchor") === "end";
  const isLabel = (node) => node.localName === "g" || isRow(node) || number(node, "y") < 0;
  const isMark = (node) => node.localName !== "defs" && !isLabel(node);
  const marks = [...map.children].filter(isMark).map((node) => {{
    const fill = node.getAttribute("fill").replace(/^url.*/, "pattern");
    if (node.localName === "text") return [fill, node.textContent, number(node, "x"), number(node, "y") - 0.35 * 12];
    return [fill, ...["x", "y", "width", "height"].map((name) => number(node, name))];
  }});
  const corner = [...block.children].find((node) => node.getAttribute("stroke"));
  const {{ left, top }} = boxOf(corner);
  const labels = placed([...map.children].filter(isLabel), {{ left: left + 1, top: top + 1 }});
  const lines = placed(block.querySelectorAll(":scope > text"), boxOf(file)).map(([text, , y]) => [text, y]);
  return {{ marks, labels, lines }};
}}"""


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_file_has_the_marks_of_the_screen(mode: Mode, browser: Browser, tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(9, 9))
    values[0, 3:6], values[2, 2], values[4, 4] = -np.inf, np.nan, 0
    shares = np.full((9, 9), 1 / 9)
    figures = {
        "words": matrix(values=values, rows=WORDS, columns=WORDS, note="A note"),
        "Chinese": matrix(values=values, rows=HAN, columns=HAN, title="分数", colour="cross"),
        "a mask": matrix(values=values > 0, rows=WORDS, columns=HAN, scale="mask", colour="decoder"),
        "weights": matrix(values=shares, rows=WORDS, columns=WORDS, scale="weight", colour="encoder"),
        "indices": matrix(values=values, rows=WORDS, columns=tuple(map(str, range(9)))),
    }
    page = browser.new_page(color_scheme=mode, viewport={"width": WIDE + EDGES, "height": 900})
    page.add_init_script(RECORD)
    for name, figure in figures.items():
        data = matrix_data([figure], WORD)
        path = tmp_path / "screen.html"
        path.write_text(document(name, [Component("matrix", FRONTEND, data)], Source()), encoding="utf-8")
        page.goto(path.as_uri())
        compare(name, page, matrix_svg([figure], WORD, mode))
    page.close()


def compare(name: str, page: Page, svg: str) -> None:
    root = page.locator(".gf-matrices[data-ready=true]")
    screen, file = root.evaluate(SCREEN), root.evaluate(FILE, svg)
    assert len(screen["marks"]) >= 9 * 9, name
    for part, off in (("marks", 0.6), ("labels", NEAR), ("lines", NEAR)):
        expected, found = (in_order(part, given[part]) for given in (screen, file))
        assert [mark[0] for mark in found] == [mark[0] for mark in expected], f"{name}: {part}"
        for one, other in zip(found, expected, strict=True):
            assert numbers(one) == pytest.approx(numbers(other), abs=off), f"{name}: {one}, not {other}"


def in_order(part: str, marks: list[list[Any]]) -> list[list[Any]]:
    """Marks as they are drawn, one over the other; labels by their text, those of rows first; lines by their text.

    Where in its line a text begins depends on the widths of those before it, which are estimated for a file.
    """
    return marks if part == "marks" else sorted(marks, key=lambda mark: (mark[1] > 0, mark[0]))


def numbers(mark: list[Any]) -> list[float]:
    return [part for part in mark if isinstance(part, int | float)]
