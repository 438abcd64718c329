"""Each colour is declared once, and those that several places need in `viz/palette.py`."""

import re
import tomllib
from collections import Counter

from pages.shared.server import page_html
from tests.samples import ROOT
from viz.palette import NAMED, PAGE, coloured
from viz.templates import render

HEX = r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b(?![\w-])"
PAIR = re.compile(rf"light-dark\(({HEX}), ?({HEX})\)")
CODE = re.compile(rf"""["' ]({HEX})["' ;]""")
PLAIN = {"#fff", "#ffffff", "#000", "#000000"}  # white and black are nobody's choice
FOLDERS = ("viz", "pages", "live", "classroom", "model")
FILES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*.*")
    if path.suffix in (".py", ".js", ".css", ".html") and "vendor" not in path.parts
}


def test_code_takes_its_colours_from_the_palette() -> None:
    code = {name: text for name, text in FILES.items() if name.endswith((".py", ".js")) and name != "viz/palette.py"}
    found = {name: set(CODE.findall(text)) - PLAIN for name, text in code.items()}
    assert {name: colours for name, colours in found.items() if colours} == {}


def test_style_sheets_name_a_colour_that_stands_elsewhere_too() -> None:
    """`colour(link)`; a colour that one rule alone needs stands in that rule."""
    sheets = [text for name, text in FILES.items() if name.endswith((".css", ".html"))]
    pairs = Counter(pair for text in sheets for pair in PAIR.findall(text))
    tones = Counter(tone for text in sheets for tone in re.findall(HEX, PAIR.sub("", text)) if tone not in PLAIN)
    assert [each for each, count in (pairs | tones).items() if count > 1 or each in NAMED.values()] == []
    assert {tone for tone in tones if (tone, tone) in NAMED.values()} == set()
    assert [name for name in NAMED if not any(f"colour({name}" in text for text in sheets)] == []


def test_a_browser_gets_colours_and_not_their_names() -> None:
    assert coloured("a { color: colour(link); fill: colour(link dark); stroke: colour(gold); }") == (
        "a { color: light-dark(#a5420f, #f4a070); fill: #f4a070; stroke: #b08618; }"
    )
    assert "colour(" not in page_html._style() + render("pages/embedding/chips.html", "strip", tokens=[("a", 1, True)])


def test_streamlit_has_the_colours_of_the_pages() -> None:
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
    names = {"backgroundColor": "ground", "secondaryBackgroundColor": "raised", "textColor": "text",
             "linkColor": "link", "primaryColor": "accent", "borderColor": "border"}  # fmt: skip
    for at, mode in enumerate(("light", "dark")):
        for setting, name in names.items():
            assert theme[mode][setting] == PAGE[name][at], (mode, setting)
