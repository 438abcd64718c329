"""A file of figures: it holds its data, asks nobody for anything, and text stays text."""

import base64
import re
import zlib
from html.parser import HTMLParser

import numpy as np

from pages.shared.text.formulas import formulas
from viz.components import attention
from viz.data import AttentionPanel, Look
from viz.notebook.texts import attention_words
from viz.standalone.document import (
    Component,
    Formula,
    Picture,
    Slide,
    Source,
    Table,
    Text,
    VegaLite,
    deck,
    document,
    mathml,
    spelled,
)  # fmt: skip

NASTY = '</script><img src="https://example.org/x.png" onerror="alert(1)">'


WORDS = ("back", "next", "slide")


class Elements(HTMLParser):
    """The elements of a document with their attributes, and the texts of its scripts."""

    def __init__(self, text: str):
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self.scripts:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)


def figure(token: str = "a") -> Component:
    weights = np.full((1, 1, 2, 2), 0.5)
    panel = AttentionPanel.of_tokens("cross", weights, (token, "b"), (token, "b"), (token, "b"))
    data = attention.attention_data([panel], Look("matrix", "cross"), attention_words("en", written=True))
    return Component("attention", attention.FRONTEND, data)


def test_a_file_holds_the_bytes_of_its_figure_and_its_script_once() -> None:
    own_figure = figure()
    text = document("title", [own_figure, own_figure], Source("de-en", "MIT", "http://here/attention?a=1&b=2", "Open"))
    elements = Elements(text)
    content = [
        base64.b85decode(data.strip().replace(",", "<"))
        for attributes, data in elements.scripts
        if attributes.get("type") == "text/plain"
    ]
    assert content[:2] == [own_figure.data, own_figure.data]
    [script] = map(zlib.decompress, content[2:])
    assert b'window.gfComponents["attention"] = ' in script
    assert [attributes["href"] for tag, attributes in elements.found if tag == "a"] == ["http://here/attention?a=1&b=2"]


def test_nothing_in_a_file_is_markup_that_a_user_typed() -> None:
    spec = {"data": {"values": [{"token": NASTY}]}, "mark": "bar"}
    parts = [Text(NASTY, "title"), Text(NASTY), figure(NASTY), Component("attention", attention.FRONTEND, {"x": NASTY})]
    parts += [Formula(rf"\text{{{NASTY}}}", ((r"\mathrm{a < b}", NASTY),)), Formula(r"\href{javascript:alert(1)}{x}")]
    text = document(NASTY, [*parts, VegaLite(spec), Table("<p>a</p>")], Source(NASTY, NASTY, NASTY, NASTY))
    elements = Elements(text)
    assert not [tag for tag, _ in elements.found if tag == "img"]
    assert not [attributes for _, attributes in elements.found if "onerror" in attributes]
    assert not [attributes for _, attributes in elements.found if "javascript" in (attributes.get("href") or "")]
    slides = deck(NASTY, [Slide(NASTY, parts, NASTY, Source(NASTY, NASTY, NASTY, NASTY))], dict.fromkeys(WORDS, NASTY))
    assert not [tag for tag, _ in Elements(slides).found if tag == "img"]
    plain = Elements(document("a", [Text("a"), figure(), VegaLite({"mark": "bar"})], Source()))
    assert len(elements.scripts) == len(plain.scripts) + 1  # the second figure's data


def test_a_file_loads_nothing() -> None:
    elements = Elements(document("a", [figure(), VegaLite({"mark": "bar"})], Source()))
    for tag, attributes in elements.found:
        assert tag not in ("iframe", "object", "embed", "base")
        assert "src" not in attributes or (attributes["src"] or "").startswith("data:")
        assert tag != "link" or attributes["href"] == "data:,"
    styles = re.findall(r"@import|url\((?!data:)", document("a", [figure()], Source()))
    assert not styles


def test_bytes_are_spelled_without_what_could_end_their_element() -> None:
    for length in (0, 1, 2, 3, 4, 5, 1000):
        data = bytes(number * 7 % 256 for number in range(length))
        assert "<" not in spelled(data)
        assert base64.b85decode(str(spelled(data)).replace(",", "<")) == data


def test_every_formula_of_the_app_becomes_mathml() -> None:
    for name, formula in formulas().items():
        text = formula.latex.safe_substitute(dict.fromkeys(re.findall(r"\$(\w+)", formula.latex.template), "1"))
        if name != "look_up_sum":  # a line of another formula
            markup = mathml(text, display=True)
            assert "\\" not in markup, name
            assert "&amp;" not in markup, name


def test_a_picture_is_an_image_in_which_no_script_runs() -> None:
    elements = Elements(document("a", [Picture("<svg><script>alert(1)</script></svg>")], Source()))
    [image] = [attributes["src"] for tag, attributes in elements.found if tag == "img"]
    assert image is not None
    assert image.startswith("data:image/svg+xml;base64,")
