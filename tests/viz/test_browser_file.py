"""A figure on the screen and its file: one drawing."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from pages.shared.text.words import section
from tests.viz import test_attention
from tests.viz.pictures import matrix_svg
from tests.viz.test_matrix import WORD, matrix
from viz.components import attention, live_run, timeline
from viz.components.engine import WIDE, svg
from viz.components.matrix.matrix_data import FRONTEND, matrix_data
from viz.data import View
from viz.figures.run import RunFigure
from viz.figures.timeline import TimelineFigure
from viz.palette import Mode
from viz.standalone.document import Component, Source, document

WORDS = ("Wir", "gehen", "heute", "zusammen", "mit", "unseren", "Freundinnen", "ins", "Kino")
HAN = ("我们", "今天", "晚上", "去", "电影院", "看", "电影", "ひらがな", "한국어")
EDGES = 40  # px of the page round its figures
HEADS = 12  # so many that their squares, not the widths of letters, place linked words
NARROW = 680  # px: the overview of all heads stands above the large map, not beside it
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
  const map = root.className === "gf-attention" ? block : block.querySelector("g");
  const number = (node, name) => Number(node.getAttribute(name));
  const isRow = (node) => node.getAttribute("text-anchor") === "end";
  const isLabel = (node) => node.localName === "g" || isRow(node) || number(node, "y") < 0;
  const isMark = (node) => node.localName !== "defs" && !isLabel(node);
  const marks = [...map.children].filter(isMark).map((node) => {{
    const fill = node.getAttribute("fill").replace(/^url.*/, "pattern");
    const middle = number(node, "y") - 0.35 * number(node, "font-size");
    if (node.localName === "text") return [fill, node.textContent, number(node, "x"), middle];
    return [fill, ...["x", "y", "width", "height"].map((name) => number(node, name))];
  }});
  const {{ e: left, f: top }} = map.getScreenCTM();
  const labels = placed([...map.children].filter(isLabel), {{ left, top }});
  const lines = placed(block.querySelectorAll(":scope > text"), boxOf(file)).map(([text, , y]) => [text, y]);
  return {{ marks, labels, lines }};
}}"""

# What is drawn between the words of links: a curve with its colour, strength, width and points, or a square.
RECORD_LINKS = """
window.marks = [];
const { moveTo, bezierCurveTo, roundRect, stroke, fill, clearRect } = CanvasRenderingContext2D.prototype;
let path = [];
const isLinks = ({ canvas }) => canvas.parentElement?.className === "gf-links";
Object.assign(CanvasRenderingContext2D.prototype, {
  clearRect(...box) { if (isLinks(this)) window.marks = []; clearRect.apply(this, box); },
  moveTo(...at) { path = at; moveTo.apply(this, at); },
  bezierCurveTo(...at) { path.push(...at); bezierCurveTo.apply(this, at); },
  roundRect(...box) { path = box.slice(0, 4); roundRect.apply(this, box); },
  stroke() {
    const { strokeStyle, globalAlpha, lineWidth } = this;
    if (isLinks(this) && path.length > 4) window.marks.push([strokeStyle, globalAlpha, lineWidth, ...path]);
    stroke.apply(this);
  },
  fill() { if (isLinks(this)) window.marks.push([this.fillStyle, this.globalAlpha, ...path]); fill.apply(this); },
});
"""
FILE_LINKS = """(root, svg) => {
  root.insertAdjacentHTML("beforeend", svg);
  const numbers = (node, ...names) => names.map((name) => Number(node.getAttribute(name) ?? 1));
  return [...root.lastElementChild.querySelectorAll("path")].flatMap((node) => {
    const [fill, path] = [node.getAttribute("fill"), node.getAttribute("d")];
    const { x, y, width, height } = node.getBBox();
    const isFrame = width > 10; // of a word
    if (fill !== "none") return isFrame ? [] : [[fill, ...numbers(node, "opacity"), x, y, width, height]];
    const curve = path.includes("C") && path.match(/-?[\\d.]+/g).map(Number);
    return curve ? [[node.getAttribute("stroke"), ...numbers(node, "opacity", "stroke-width"), ...curve]] : [];
  });
}"""
HAN_LETTER = re.compile("[⺀-\U0003ffff]")
# Whether a font of this machine has Chinese characters, which are as wide as they are high.
HAS_HAN = """() => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "100px sans-serif";
  return ["我", "ひ", "한"].every((letter) => Math.abs(pen.measureText(letter).width - 100) < 10);
}"""
# The labels of a large map: where their letters are.
SCREEN_MAP = """root => {
  for (const node of root.querySelectorAll(".gf-on")) node.classList.remove("gf-on"); // of the word that is pointed at
  const range = document.createRange();
  const { left, top } = root.querySelector(".gf-map-body").getBoundingClientRect();
  const labels = [...root.querySelectorAll(".gf-stage .gf-token")].map((node) => {
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    return [node.textContent, box.left + box.width / 2 - left, box.top + box.height / 2 - top];
  });
  return { marks: window.marks, labels };
}"""


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


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_file_of_a_head_has_its_cells_and_labels(mode: Mode, browser: Browser, tmp_path: Path) -> None:
    page = narrow_page(browser, mode, RECORD)
    for words in (("one", "two", "six", "ten"), HAN[:4], ("Freundinnen", "zusammen", "unseren", "<eos>")):
        data = head_of(words, "matrix")
        opened(page, tmp_path, data)
        compare(str(words), page, svg("attention", [data], mode, NARROW))
    page.close()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_file_of_links_has_its_lines(mode: Mode, browser: Browser, tmp_path: Path) -> None:
    page = narrow_page(browser, mode, RECORD_LINKS)
    data = head_of(("one", "two", "three", "four"), "links")
    opened(page, tmp_path, data)
    root = page.locator(".gf-attention[data-ready=true]")
    screen = root.evaluate("() => window.marks")
    file = root.evaluate(FILE_LINKS, svg("attention", [data], mode, NARROW))
    assert len(screen) >= HEADS * 4 + 4
    same("links", file, screen, 0.02)
    page.close()


CURVES = """root => [...root.querySelectorAll(".gf-chart")].slice(0, 2).map((chart) => {
  const box = chart.getBoundingClientRect();
  const texts = [...chart.querySelectorAll("h3, .gf-keys span, .gf-axes text")].map((node) => node.textContent);
  const curves = [...chart.querySelectorAll(".gf-curve:not(.gf-other)")].map((node) =>
    [getComputedStyle(node).stroke, ...(node.getAttribute("d")?.match(/[\\d.]+/g) ?? []).map(Number)]);
  return { texts, curves };
})"""
# The file beside it: what is drawn as a curve is round at its ends.
FILE_CURVES = """(root, svg) => {
  root.insertAdjacentHTML("beforeend", svg);
  return [...root.lastElementChild.children].filter((node) => node.localName === "g").map((chart) => {
    const texts = [...chart.querySelectorAll("text")].map((node) => node.textContent);
    const curves = [...chart.querySelectorAll("path[stroke-linejoin]")].map((node) =>
      [getComputedStyle(node).stroke, ...node.getAttribute("d").match(/[\\d.]+/g).map(Number)]);
    return { texts, curves };
  });
}"""


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_file_of_a_run_has_its_curves(mode: Mode, browser: Browser) -> None:
    words = {name: name for name in section("train_figure", "en")}
    reports: list[dict[str, float]] = [{"step": step, "loss": 5 - step / 10} for step in range(0, 50, 7)]
    for n, report in enumerate(reports[::2]):
        report |= {"validation_loss": 4.5 / (n + 1), "token_accuracy": n / 4, "exact_held_out": n / 9}
    data = live_run.run_data(
        "abc", state="finished", live=False, moments=(), moment=None, selection=None, beside="", heads=(),
        details=False, language="en", words=words,
    )  # fmt: skip
    page = browser.new_page(color_scheme=mode, viewport={"width": WIDE + EDGES, "height": 900})
    text = document("A run", [Component("live_run", live_run.FRONTEND, data)], Source())
    answer = {"state": "finished", "position": 0, "wait": 0, "next": 9, "steps": 60, "reports": reports}
    page.route("http://figures.test/", lambda route: route.fulfill(body=text, content_type="text/html"))
    page.route("http://figures.test/runs/abc?since=*", lambda route: route.fulfill(json=answer))
    page.goto("http://figures.test/")
    root = page.locator('.gf-run[data-state="finished"][data-step="49"]')
    screen = root.evaluate(CURVES)
    assert [len(chart["curves"][0]) for chart in screen] == [9, 17]  # a colour, and two numbers for each report
    figure = RunFigure(lambda: reports, 60, (), words, list)
    for chart, drawn in zip(screen, root.evaluate(FILE_CURVES, figure.svg(dark=mode == "dark")), strict=True):
        assert sorted(filter(None, chart["texts"])) == sorted(drawn["texts"])
        same("curves", drawn["curves"], [curve for curve in chart["curves"] if len(curve) > 1], 0.02)
    page.close()


CANDIDATES = """root => [root.querySelector(".gf-caption").textContent,
  ...[...root.querySelectorAll(".gf-candidate")].map((row) => [
    row.querySelector(".gf-name").textContent, row.querySelector(".gf-share").textContent,
    getComputedStyle(row.querySelector(".gf-full")).backgroundColor,
    ...[".gf-full", ".gf-drawn"].map((part) => row.querySelector(part)?.getBoundingClientRect().width ?? 0),
  ])]"""
FILE_CANDIDATES = """(root, svg) => {
  root.insertAdjacentHTML("beforeend", svg);
  const [caption, ...texts] = [...root.lastElementChild.querySelectorAll("text")].map((node) => node.textContent);
  const rows = [];
  for (const node of root.lastElementChild.querySelectorAll("path")) {
    const { fill } = getComputedStyle(node);
    const { width } = node.getBBox();
    const row = rows.at(-1);
    if (fill === "none") row[4] = width + 2; // half of its line on either side
    else if (row?.length === 2) row.push(fill, width, 0);
    else rows.push([texts.shift(), texts.shift()]); // the track behind
  }
  return [caption, ...rows];
}"""


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_file_of_a_step_has_its_candidates(mode: Mode, browser: Browser, tmp_path: Path) -> None:
    words = {name: f"{name} {{word}} {{share}}" for name in section("player", "en")} | {"others": "{count} others"}
    candidates = (timeline.Candidate(5, "We", 0.7, 0.875), timeline.Candidate(6, "He", 0.1, 0.125))
    steps = [
        timeline.Step("<bos>", "We", 5, 0.7, 1, False, (*candidates, timeline.Candidate(7, " ", 0.004)), 0.196, 0.0, 9)
    ]
    page = browser.new_page(color_scheme=mode, viewport={"width": WIDE + EDGES, "height": 900})
    figure = TimelineFigure(("<bos>",), steps, 0, words, list)
    path = tmp_path / "screen.html"
    path.write_text(figure.html(), encoding="utf-8")
    page.goto(path.as_uri())
    root = page.locator(".gf-player[data-ready=true]")
    page.add_style_tag(content=f".gf-player {{ width: {WIDE}px; font-size: 16px }}")
    [caption, *screen], [title, *file] = (
        root.evaluate(CANDIDATES),
        root.evaluate(FILE_CANDIDATES, figure.svg(dark=mode == "dark")),
    )
    assert (title, [row[:3] for row in file]) == (caption, [row[:3] for row in screen])
    same("bars", [[row[0], *row[3:]] for row in file], [[row[0], *row[3:]] for row in screen], 0.6)
    page.close()


def head_of(words: tuple[str, ...], view: View) -> bytes:
    weights = test_attention.softmax((2, HEADS, 4, 4), 2.0)
    panel = test_attention.panel("encoder", rows=4, columns=4, heads=HEADS, weights=weights, queries=words, keys=words)
    return test_attention.pack([panel], view, "encoder")


def narrow_page(browser: Browser, mode: Mode, record: str) -> Page:
    page = browser.new_page(color_scheme=mode, viewport={"width": NARROW + EDGES, "height": 900})
    page.add_init_script(record)
    return page


def opened(page: Page, folder: Path, data: bytes) -> None:
    path = folder / "screen.html"
    path.write_text(document("Heads", [Component("attention", attention.FRONTEND, data)], Source()), encoding="utf-8")
    page.goto(path.as_uri())


def compare(name: str, page: Page, picture: str) -> None:
    root = page.locator(":is(.gf-matrices, .gf-attention)[data-ready=true]")
    is_matrix = "gf-matrices" in (root.get_attribute("class") or "")
    screen, file = root.evaluate(SCREEN if is_matrix else SCREEN_MAP), root.evaluate(FILE, picture)
    assert screen["marks"], name
    for part, off in [("marks", 0.6), ("labels", NEAR), ("lines", NEAR)][: 3 if is_matrix else 2]:
        expected, result = (in_order(part, parts[part]) for parts in (screen, file))
        if part == "labels" and not page.evaluate(HAS_HAN):  # boxes in place of letters have any width
            expected, result = (
                [each for each in some if not HAN_LETTER.search(each[0])] for some in (expected, result)
            )
        same(f"{name}: {part}", result, expected, off)


def same(name: str, found: list[list[Any]], expected: list[list[Any]], off: float) -> None:
    assert [mark[0] for mark in found] == [mark[0] for mark in expected], name
    for one, other in zip(found, expected, strict=True):
        assert numbers(one) == pytest.approx(numbers(other), abs=off), f"{name}: {one}, not {other}"


def in_order(part: str, marks: list[list[Any]]) -> list[list[Any]]:
    """Marks as they are drawn, one over the other; labels by their text, those of rows first; lines by their text.

    Where in its line a text begins depends on the widths of those before it, which are estimated for a file.
    """
    return marks if part == "marks" else sorted(marks, key=lambda mark: (mark[1] > 0, mark[0]))


def numbers(mark: list[Any]) -> list[float]:
    return [part for part in mark if isinstance(part, int | float)]
