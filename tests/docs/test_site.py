"""The documentation site: it is whole, in every language, and asks no other host for anything."""

import itertools
import os
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pages.shared.session import page_list
from pages.shared.text.words import all_texts
from tests.docs.conftest import build
from tests.samples import ROOT
from viz.languages import languages

DOCS = ROOT / "docs"
LANGUAGES = sorted(folder.name for folder in (DOCS / "guide").iterdir())
GUIDE = sorted(page.name for page in (DOCS / "guide/en").glob("*.md"))
IMAGES = sorted(DOCS.glob("images/*/*.png"))
# attributes that a browser follows by itself; and `href` of some elements
LOADS = {"src", "srcset", "poster", "data", "action"}
ELSEWHERE = re.compile(r"(?:https?:)?//[\w-]+\.")
IN_STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?((?:https?:)?//[^'\")]*)")


class Loaded(HTMLParser):
    """Page as parsed: the addresses that it loads, its scripts' texts, and its language."""

    def __init__(self, page: Path):
        super().__init__()
        self.addresses: list[str] = []
        self.scripts: list[str] = []
        self.language = ""
        self.inside = ""
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        for name, value in attrs:
            if name in LOADS or (name == "href" and tag in ("link", "use", "image")):
                self.addresses.append(value or "")
            if (tag, name) == ("html", "lang"):
                self.language = value or ""
            if name == "style":
                self.addresses += IN_STYLE.findall(value or "")

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts.append(data)
        elif self.inside == "style":
            self.addresses += IN_STYLE.findall(data)

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""


def test_no_page_refers_to_another_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        parsed_page = Loaded(page)
        assert len(parsed_page.addresses) > 5, page
        assert [address for address in parsed_page.addresses if ELSEWHERE.match(address)] == [], page
        assert [script for script in parsed_page.scripts if ELSEWHERE.search(script)] == [], page
    for style in site.rglob("*.css"):
        assert IN_STYLE.findall(style.read_text(encoding="utf-8")) == [], style


def test_each_complete_language_of_the_app_has_a_guide() -> None:
    assert {code for code, language in languages().items() if language.complete} <= set(LANGUAGES)


def test_each_page_of_the_guide_is_there_in_every_language(site: Path) -> None:
    assert len(GUIDE) >= 8
    for name, language in itertools.product(GUIDE, LANGUAGES):
        page = (site / "guide" / language / name).with_suffix(".html")
        assert Loaded(page).language == language, page
        html = page.read_text(encoding="utf-8")
        for other in {*LANGUAGES} - {language}:
            assert f'href="../{other}/{page.name}" hreflang="{other}"' in html, page
        sections = [
            re.findall("^#+", (DOCS / "guide" / each / name).read_text(encoding="utf-8"), re.M)
            for each in ("en", language)
        ]
        assert sections[0] == sections[1], f"the sections of {language}/{name} differ"


def test_the_first_page_of_each_language_leads_to_the_others(site: Path) -> None:
    homes = {each: "index.html" if each == "en" else f"guide/{each}/index.html" for each in LANGUAGES}
    for (language, home), (other, address) in itertools.permutations(homes.items(), 2):
        page = site / home
        assert Loaded(page).language == language, page
        link = os.path.relpath(site / address, page.parent)
        assert f'href="{link}" hreflang="{other}"' in page.read_text(encoding="utf-8"), page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_names_every_page_of_the_menu_in_its_order(language: str) -> None:
    text = (DOCS / "guide" / language / "pages.md").read_text(encoding="utf-8")
    words = all_texts(language)  # type: ignore[arg-type]
    pages = [words[f"pages.{name}"] for name in page_list.pages()]
    assert re.findall("^### (.*)$", text, re.M) == pages
    sections = re.findall("^## (.*)$", text, re.M)[1:]
    assert sections == [words[f"sections.{section}"] for section in page_list.SECTIONS if section]


def test_what_stands_outside_of_docs_is_part_of_the_site(site: Path) -> None:
    contributing = (site / "contributing.html").read_text(encoding="utf-8")
    assert 'href="architecture.html"' in contributing
    assert 'href="contributing.html"' in (site / "architecture.html").read_text(encoding="utf-8")
    assert (site / "assets/logo.svg").stat().st_size > 0


def test_a_broken_link_is_an_error(tmp_path: Path) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    for folder in ("scripts", "viz/languages"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "CONTRIBUTING.md", tmp_path)
    logo = Path("pages/shared/ui/frontend/logo.svg")
    (tmp_path / logo).parent.mkdir(parents=True)
    shutil.copy(ROOT / logo, tmp_path / logo)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    page = tmp_path / "docs/guide/en/share.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n[there](pages.md#nowhere)\n", encoding="utf-8")
    process = build(tmp_path / "site", tmp_path / "mkdocs.yml")
    assert process.returncode != 0
    assert "nowhere" in process.stderr


def test_pictures_are_small_and_each_is_there_in_every_language() -> None:
    for language in LANGUAGES:
        names = [{image.name for image in IMAGES if image.parent.name == each} for each in ("en", language)]
        assert names[0] == names[1], language
    for image in (*IMAGES, DOCS / "start.png"):
        assert image.stat().st_size <= 130_000, f"{image.name}: make screenshots makes it again"
