"""Pages in a language from right to left: nothing is wider than the window, and figures keep their axes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Contexts, Visits
from tests.languages import pseudo
from tests.languages.pseudo import CODE
from tests.server import server
from viz.languages import FURTHER

PAGES = ("attention", "start", "masks", "layers", "embedding?show=merges", "glossary", "class", "quiz", "why")
SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
# the direction of each kind of figure on the page, in shadow roots too
DIRECTIONS = """() => {
  const below = (node) => [node, ...(node.shadowRoot ? all(node.shadowRoot) : [])];
  const all = (root) => [...root.querySelectorAll("*")].flatMap(below);
  const kinds = ["attention", "matrices", "architecture", "sheet", "merges"].map((kind) => `.gf-${kind}`);
  const figures = [...kinds, ".katex", "[data-testid=stVegaLiteChart]"].join();
  const found = all(document).filter((node) => node.matches(figures));
  return [...new Set(found.map((node) => getComputedStyle(node).direction))];
}"""
WIDER = """() => [document.documentElement, document.querySelector("[data-testid=stMain]")]
  .filter((node) => node.scrollWidth > node.clientWidth).map((node) => [node.scrollWidth, node.clientWidth])"""


@pytest.fixture(scope="module")
def mirrored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of the app that has the pseudo-language."""
    folder: Path = tmp_path_factory.mktemp("languages")
    pseudo.write(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FURTHER, str(folder))
        with server() as address:
            yield address


@pytest.fixture(scope="module")
def visits(mirrored: str, contexts: Contexts) -> Iterator[Visits]:
    visits = Visits(contexts, mirrored)
    yield visits
    visits.end()


def is_mirrored(page: Page) -> None:
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator("html")).to_have_attribute("lang", "he")
    assert page.locator("h1").evaluate("node => getComputedStyle(node).direction") == "rtl"
    assert page.evaluate(WIDER) == []
    assert page.evaluate(DIRECTIONS) in (["ltr"], [])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [PAGES[0], *(pytest.param(name, marks=pytest.mark.thorough) for name in PAGES[1:])])
def test_a_page_from_right_to_left_fits_and_its_figures_keep_their_axes(name: str, size: str, visit: Visits) -> None:
    page = visit.again(f"/{name}{'&' if '?' in name else '?'}language={CODE}", viewport=SIZES[size])
    is_mirrored(page)
    if name == "attention":
        assert page.evaluate(DIRECTIONS) == ["ltr"]
    if size == "wide":
        sidebar = page.locator("[data-testid=stSidebar]").bounding_box()
        assert sidebar is not None
        assert sidebar["x"] > SIZES[size]["width"] / 2
