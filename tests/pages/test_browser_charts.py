"""Charts in a browser: Vega draws them without a warning, and one can read them."""

import re

import pytest
from playwright.sync_api import expect

from pages.shared.text.words import all_texts
from tests.browser import Visits

VIEWS = (  # with a table that all layers share, with legends of several channels, with a size for each kind
    "/energy?show=drift", "/embedding?show=near", "/embedding?show=arithmetic", "/masks?show=leak",
    "/layers?show=residual", "/layers?show=early", "/why?show=trust", "/why?show=parts", "/break?show=effect",
    "/forecast?show=ahead", "/intervene?changes=off:cross.*.*&show=effect", "/compare?show=curves",
)  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("view", VIEWS)
def test_no_chart_warns(visit: Visits, view: str) -> None:
    """`visit` fails on what is written to the console."""
    expect(visit.again(view).locator("[data-testid=stVegaLiteChart] svg").first).to_be_visible()


_CLOSE = """chart => {
    const svg = chart.getBoundingClientRect();
    const boxes = [...chart.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    const close = boxes.filter(([text, box]) => text && (box.left < svg.left + 1 || box.right > svg.right - 1));
    return close.map(([text]) => text);
}"""


def test_labels_keep_clear_of_the_edges_of_a_phone(visit: Visits) -> None:
    """Vega takes some labels for narrower than they are drawn, and Streamlit leaves no room at the sides."""
    page = visit.again("/circuits?show=removal&language=es", viewport={"width": 390, "height": 844})
    for show in ("removal", "averages", "patching"):
        visit.go(page, f"/circuits?show={show}&language=es")
        chart = page.locator("[data-testid=stVegaLiteChart] svg").first
        expect(chart).to_be_visible()
        assert chart.evaluate(_CLOSE) == []


def test_a_screen_reader_hears_a_chart_in_the_language_of_the_page(visit: Visits) -> None:
    page = visit.again("/circuits?show=averages&language=zh")
    chart = page.locator("[data-testid=stVegaLiteChart]")
    heard = chart.locator("svg [aria-label]").evaluate_all("nodes => nodes.map((node) => node.ariaLabel)")
    words = all_texts("zh")
    assert len(heard) == 24  # a sentence for each bar, none for its interval, none for axes
    assert heard[0].startswith(f"{words['circuits_chart.part']}: decoder.0.feed_forward; ")
    assert f"; {words['circuits_chart.effect']}: −0." in heard[0]
    assert not [text for text in heard if re.search("axis|colour|titled", text)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_stands_at_axes_and_legends_can_be_read(visit: Visits, scheme: str) -> None:
    """WCAG 2.2, 1.4.3: text has a contrast of 4.5 : 1 at least; by a formula of its own, in the browser."""
    page = visit.again("/energy?show=drift", color_scheme=scheme)
    chart = page.locator("[data-testid=stVegaLiteChart]")
    expect(chart.locator(".role-legend-label text").first).to_be_visible()
    ground = page.locator(".st-key-figure_drift")
    colours = chart.locator("svg text").evaluate_all(
        "nodes => [...new Set(nodes.map((n) => getComputedStyle(n).fill))]"
    )
    card = ground.evaluate("node => getComputedStyle(node).backgroundColor")
    assert min(contrast(colour, card) for colour in colours) >= 4.5


def contrast(*colours: str) -> float:
    low, high = sorted(map(luminance, colours))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance of sRGB, as WCAG defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
