"""Figures and pages as files: opened from the disk without a network, they still answer; copied, and printed."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.shared.text.words import all_texts
from tests.browser import Visits, idle, path
from tests.files import download
from tests.samples import BUCH, KINO

EN, ZH = all_texts("en"), all_texts("zh")
ALL_ATTENTION = 400_000  # bytes
PAPER = re.compile(rb"/Type\s*/Page\b")


@contextmanager
def opened(visit: Visits, content: bytes, folder: Path, **settings: Any) -> Iterator[Page]:
    """The file by a double click, on a machine without a network."""
    file = folder / "saved.html"
    file.write_bytes(content)
    context = visit.contexts.browser.new_context(offline=True, **settings)
    page, requests = context.new_page(), []
    page.on("request", lambda request: requests.append(request.url))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    yield page
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == [], "a file asks nobody"
    assert errors == []
    context.close()


def test_all_attention_of_a_sentence_works_in_its_file(visit: Visits, tmp_path: Path) -> None:
    view_page = visit.again(path("attention", language="zh", checkpoint="de-en", sentence=BUCH))
    content = download(view_page, view_page.locator(".gf-file[data-key=html]"))
    assert len(content) <= ALL_ATTENTION
    with opened(visit, content, tmp_path, color_scheme="dark") as page:
        figure = page.locator(".gf-attention")
        expect(figure, "dark follows the scheme").to_have_attribute("data-theme", "dark")
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        readout, cells = page.locator(".gf-readout"), page.locator(".gf-map")
        before = readout.text_content()
        cells.hover(position={"x": 20, "y": 20})
        expect(readout, "pointing reads a cell").not_to_have_text(before or "")
        cells.click(position={"x": 20, "y": 20})
        expect(page.locator('.gf-cursor[data-state="locked"]'), "a click pins it").to_be_visible()
        pinned = readout.text_content()
        page.keyboard.press("Escape")
        expect(page.locator('.gf-cursor[data-state="locked"]'), "Escape unpins").to_have_count(0)
        cells.focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
            page.keyboard.press(key)
        expect(readout, "the keyboard reads cells").not_to_have_text(pinned or "")
        page.emulate_media(color_scheme="light")
        expect(figure, "light follows the scheme").to_have_attribute("data-theme", "light")
        origin = page.locator("footer")
        for part in ("de-en", "MIT", "Glassformer 1"):
            expect(origin).to_contain_text(part)
        link = origin.get_by_role("link", name=ZH["take.open"]).get_attribute("href") or ""
        assert "/attention?" in link
        assert "checkpoint=de-en" in link


@pytest.mark.thorough
def test_the_live_page_of_a_view_runs_its_model(visit: Visits, tmp_path: Path) -> None:
    view_page = visit(path("attention", language="zh", checkpoint="de-en", sentence=BUCH, layer=2, head=3))
    content = download(view_page, view_page.locator(".gf-file[data-key=page_live]"))
    with opened(visit, content, tmp_path) as page:
        output = page.locator("[data-output]")
        expect(output, "the sentence of the view is there at once").to_have_attribute(
            "data-output", "Where's the book?"
        )
        expect(page.locator("body")).to_have_attribute("data-ready", "de-en")
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
        for name, value in (("kind", "cross"), ("layer", "2"), ("head", "3")):
            expect(page.locator(".gf-attention")).to_have_attribute(f"data-{name}", value)
        page.get_by_label(ZH["frame.sentence"], exact=True).fill(KINO)
        page.get_by_label(ZH["frame.sentence"], exact=True).press("Enter")
        expect(output).to_have_attribute("data-output", "We're going to the cinema today.")
        page.go_back()
        expect(output, "Back leads to the view that was saved").to_have_attribute("data-output", "Where's the book?")


def test_a_page_s_file_has_its_parts_in_order_and_follows_what_a_fragment_redraws(
    visit: Visits, tmp_path: Path
) -> None:
    view_page = visit.again(path("attention", language="en", checkpoint="de-en"))
    view_page.get_by_role("radio", name=EN["attention_view.scale"]).click()
    idle(view_page)
    content = download(view_page, view_page.locator("[data-key=page_html]"))
    with opened(visit, content, tmp_path) as page:
        expect(page.locator("h1")).to_have_text(EN["attention.question"])
        expect(page.locator("main > h2")).to_have_text([EN["attention_title.scale"]])
        order = page.locator("[data-component], math[display=block]").evaluate_all(
            "parts => parts.map((part) => part.dataset.component ?? 'formula')"
        )
        assert order == ["attention", "matrix", "formula"] or order == ["attention", "matrix", "formula", "formula"]
        expect(page.locator(".formula .caption")).to_contain_text(EN["attention.symbol_root"])
        expect(page.locator(".gf-matrices canvas").first).to_be_visible()


def test_a_chart_s_file_answers_and_a_picture_has_pixels_and_is_copied(visit: Visits, tmp_path: Path) -> None:
    view_page = visit(path("layers", language="en", checkpoint="de-en"))
    menu = view_page.locator(".gf-take:not(.gf-page)").first
    expect(menu.locator("summary")).to_be_visible()
    widths = []
    for scale in (1, 2, 3):
        picture = download(view_page, menu.locator(f"[data-key^=png{scale}]"))
        assert picture.startswith(b"\x89PNG")
        widths.append(int.from_bytes(picture[16:20], "big"))
    assert [width / widths[0] for width in widths] == [1, 2, 3]
    copy = menu.locator(".gf-copy")
    view_page.evaluate("() => (navigator.clipboard.write = async () => { throw new Error('closed'); })")
    open_menu(view_page)
    copy.click()
    expect(view_page.get_by_role("alert")).to_have_text(EN["take.refused"])
    view_page.evaluate(
        """() => (navigator.clipboard.write = async ([item]) => {
            window.copied = (await item.getType("image/png")).size;
        })"""
    )
    open_menu(view_page)
    copy.click()
    expect(copy).to_have_text(EN["take.copied"])
    assert view_page.evaluate("window.copied") > 1000
    chart = view_page.locator("[data-testid=stVegaLiteChart]").first
    expect(chart).to_be_visible()
    file = chart.locator("xpath=following::a[starts-with(@data-key,'html')][1]")
    with opened(visit, download(view_page, file), tmp_path, color_scheme="dark") as page:
        mark = page.locator(".chart svg [aria-roledescription]").last
        expect(mark).to_be_visible()
        mark.hover()
        ink = page.locator(".chart svg text").first.evaluate("text => getComputedStyle(text).fill")
        assert ink == "rgb(236, 239, 243)", "the words of a chart are light on dark"


@pytest.mark.thorough
def test_a_figure_in_three_dimensions_is_in_its_file(visit: Visits, tmp_path: Path) -> None:
    view_page = visit(path("embedding", show="space"))
    content = download(view_page, view_page.locator("[data-key=html_curve]"))
    with opened(visit, content, tmp_path, color_scheme="dark") as page:
        expect(page.locator(".chart canvas").first).to_be_visible()
        words = page.evaluate("document.querySelector('[data-plot]')._fullLayout.font.color")
        assert words == "#eceff3", "its words are light on dark"


def open_menu(page: Page) -> None:
    menu = page.locator(".gf-take:not(.gf-page)").first
    if menu.get_attribute("open") is None:
        menu.locator("summary").click()


def test_a_printed_page_has_its_figures_and_no_controls(visit: Visits) -> None:
    page = visit(path("attention", language="en", checkpoint="de-en"))
    page.evaluate("() => (window.print = () => (window.printed = document.documentElement.dataset.print))")
    page.locator(".gf-page summary").click()
    page.get_by_role("button", name=EN["take.print"]).click()
    page.wait_for_function("() => window.printed === ''")
    page.emulate_media(media="print")
    for selector in ("h1", ".gf-attention", ".katex-display"):
        expect(page.locator(selector).first).to_be_visible()
    for left_out in ("[data-testid=stSidebar]", ".gf-take", "[data-testid=stPageLink]", "[aria-checked=false]"):
        assert not [each for each in page.locator(left_out).all() if each.is_visible()], left_out
    expect(page.locator(".st-key-attention_kind [aria-checked=true]"), "what is chosen").to_be_visible()
    origin = page.locator(".gf-origin")
    expect(origin, "the model and the sentence").to_be_visible()
    expect(origin).to_have_attribute("data-origin", re.compile(f"de-en.*{KINO}"))
    page.emulate_media(media="null")
    for paper in ("A4", "Letter"):
        assert len(PAPER.findall(page.pdf(format=paper))) == 2, "the page's figures fit two sheets"
