"""What the first page loads: few scripts, small fonts, and a notice before any script has come."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from pages.shared.server import page_html
from pages.shared.server.static import FILES, FONTS, STREAMLIT, fonts, modules
from pages.shared.session import language_choice
from pages.shared.text.words import all_texts
from tests.browser import ADDRESSES
from tests.samples import ROOT

PAGE = (STREAMLIT / "index.html").read_bytes()
_IMPORTED = re.compile(r'\b(?:from|import)"([^"]+)"')


def test_the_scripts_of_the_first_page_are_streamlit_s_own_and_complete() -> None:
    for element in modules._ELEMENTS:
        found = [name for name in modules.needed() if name.startswith(f"{element}.")]
        assert found, f"Streamlit has no script {element} any more"
    assert len(set(modules.needed())) == len(modules.needed())
    assert all((FILES / "js" / name).is_file() for name in modules.needed())
    linked = re.findall(rb'rel="modulepreload"[^>]*/js/([^"]+)"', PAGE)
    assert {name.decode() for name in linked} <= set(modules.needed())


def test_a_script_travels_in_the_one_file_only_if_the_map_names_all_that_it_imports() -> None:
    texts = json.loads(modules.text().split("Object.entries(", 1)[1].split(")) {", 1)[0])
    assert set(modules.carried()) <= set(texts)
    assert len(modules.carried()) > 50
    for name, text in modules.carried().items():
        plain = (FILES / "js" / name).read_text(encoding="utf-8")
        assert "import.meta" not in plain
        assert "import(" not in plain
        assert texts[name] == text
        assert text.replace('"streamlit/', '"./') == plain  # only the addresses of imports are others
        for address in _IMPORTED.findall(text):
            assert address.removeprefix("streamlit/") in texts, (name, address)


@pytest.mark.parametrize(
    ("text", "travels"),
    [
        ('import{a}from"./b.js";export{a};', True),
        ('import"./b.js";', True),
        ("export const from='x';", True),
        ("export const a=()=>import(`./b.js`);", False),
        ("export const a=import.meta.url;", False),
        ('import{a}from"https://example.org/b.js";', False),
        ("import{a}from'./b.js';", False),
        ('import a,{b}from"react";', False),
        ("//" + "x" * 30_000, False),
    ],
)
def test_a_script_of_another_form_is_left_alone(text: str, travels: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modules, "needed", lambda: ("a.js",))
    monkeypatch.setattr(modules, "_text", lambda name: text)
    assert ("a.js" in modules.carried.__wrapped__()) == travels


def test_the_map_comes_before_all_that_starts_scripts() -> None:
    page = page_html.completed(PAGE, "/", "en").decode()
    one = page.index(f'<script src="./static/js/{modules.file_name()}">')
    start = page.index('<script type="module"')
    links = [link.start() for link in re.finditer('rel="modulepreload"', page)]
    assert one < min(links) < max(links) < start
    assert page.count('<script type="module"') == 1
    assert not any(name in page for name in modules.carried())  # asked for once
    assert page.index('class="gf-loading"') < one  # to be read before it has come


def test_a_page_without_scripts_and_another_version_of_streamlit_are_left_as_they_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bare = b"<html><head></head><body></body></html>"
    assert modules.with_one_file(bare) == bare
    (tmp_path / "js").mkdir()
    monkeypatch.setattr(fonts, "FILES", tmp_path)
    monkeypatch.setattr(fonts, "fit", fonts.fit.__wrapped__)
    assert fonts.with_small_fonts(PAGE) == PAGE  # the whole fonts have other names
    for name in ("js/a.js", *re.findall(r"media/[^)]+", (FONTS / "fonts.css").read_text(encoding="utf-8"))):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert fonts.with_small_fonts(PAGE) != PAGE
    (tmp_path / "js" / "a.js").write_text('icon=":material/of_tomorrow:"')
    assert fonts.with_small_fonts(PAGE) == PAGE


def test_the_small_fonts_are_those_of_the_streamlit_that_is_installed() -> None:
    assert fonts.fit(), "Streamlit has other fonts or icons now: run python -m scripts.subset_fonts"
    named = set(re.findall(r"fonts/([^)]+)", (FONTS / "fonts.css").read_text(encoding="utf-8")))
    assert named == {file.name for file in FONTS.glob("*.woff2")}
    page = page_html.completed(PAGE, "/", "en")
    assert page.count(b'as="font"') == 1


@pytest.mark.parametrize("language", language_choice.names())
def test_our_own_texts_need_no_whole_font(language: str) -> None:
    rules = (FONTS / "fonts.css").read_text(encoding="utf-8")
    for ranges in re.findall(r"media/.*?unicode-range: ([^;]+);", rules):
        ends = [(part + "-" + part).replace("U+", "").split("-")[:2] for part in ranges.split(", ")]
        whole = {chr(code) for first, last in ends for code in range(int(first, 16), int(last, 16) + 1)}
        assert not whole & set("".join(all_texts(language).values())), "add them to LATIN in scripts/subset_fonts.py"


def test_our_own_pages_ask_for_no_icon_that_the_small_font_lacks() -> None:
    icons = set((FONTS / "icons.txt").read_text(encoding="utf-8").split())
    for file in (ROOT / "pages").rglob("*.py"):
        used = set(re.findall(r":material/(\w+):", file.read_text(encoding="utf-8")))
        assert used <= icons, f"{file}: python -m scripts.subset_fonts does not know {used - icons}"


@pytest.mark.parametrize("language", language_choice.names())
def test_every_page_says_what_it_is_and_that_it_loads(language: str) -> None:
    texts = all_texts(language)
    colors = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    for name, address in ADDRESSES.items():
        page = page_html.completed(b"<body></body>", address, language).decode()
        notice = page[page.index("<style>") : page.index("</div>")]
        for text in (texts[f"{name}.question"], texts["notice.loading"]):
            assert text.replace("'", "&#39;") in notice
        assert all(colors[kind]["backgroundColor"] in notice for kind in ("light", "dark"))
