"""Texts of users stay text in all HTML and SVG, whatever characters they have."""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from jinja2 import UndefinedError

from tests.samples import ROOT
from tests.viz.pictures import attention_svg, matrix_svg
from tests.viz.test_attention import WORD as HEAD_WORDS
from tests.viz.test_attention import panel
from tests.viz.test_matrix import WORD as MATRIX_WORDS
from tests.viz.test_matrix import matrix
from viz.charts import forecast_charts, mistake_charts
from viz.components import architecture_blocks
from viz.data import View
from viz.html import arithmetic_tables, configs, masks, outputs, plain_table, quiz
from viz.templates import render

NASTY = """<b>&"'</b>"""
PLAIN = "w" * len(NASTY)


class Parts(HTMLParser):
    """Markup as a browser parses it: elements with their attributes, and texts."""

    def __init__(self, markup: str):
        super().__init__()
        self.parts: list[object] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.parts.append((tag, *attributes))

    def handle_endtag(self, tag: str) -> None:
        self.parts.append(tag)

    def handle_data(self, text: str) -> None:
        self.parts.append(["text", text])


class Words(dict):
    """Every word of a figure says `text`."""

    def __init__(self, text: str):
        self.text = text

    def __missing__(self, key: str) -> str:
        return self.text


def blocks(text: str) -> str:
    """The map, once with a door at every block and once without."""
    both = (
        [architecture_blocks.Block(name, text, door) for name in architecture_blocks.BLOCKS]
        for door in (None, f"/masks?x={text}")
    )
    return "".join(architecture_blocks.architecture_svg(each, (2, 2), Words(text), wide=True) for each in both)


def test_a_layer_in_parallel_stands_beside_itself() -> None:
    names = ("decoder_input", "decoder_self_attention", "decoder_feed_forward", "logits", "next_word")
    blocks = [architecture_blocks.Block(name, "") for name in names]

    def arrows(**form: bool) -> int:
        return architecture_blocks.architecture_svg(blocks, (0, 2), Words("x"), **form).count('class="arrow"')

    for wide in (True, False):
        assert (arrows(wide=wide), arrows(wide=wide, parallel=True)) == (4, 5)


def head(text: str, view: View) -> str:
    tokens = tuple(text for _ in panel("cross").keys)
    return attention_svg([(replace(panel("cross"), keys=tokens), 0, 0)], HEAD_WORDS, view=view)


def files(text: str) -> str:
    file = {"key": "csv", "name": text, "label": text}
    return render("pages/shared/ui/components.html", "links", folder=f"/files/{text}", files=[file], making=text)


def tile(text: str) -> str:
    values = {"model": text, "title": text, "scores": [text], "size": text, "yours": text, "picture": ("/x", text)}
    return render("pages/checkpoints/gallery.html", "tile", **values)


DRAWN: dict[str, Callable[[str], str]] = {
    "steps": lambda x: arithmetic_tables.steps_html([arithmetic_tables.Step(x, x, x, 1.5)], Words(x)),
    "products": lambda x: arithmetic_tables.products_html([(x, x, x)], Words(x)),
    "row": lambda x: arithmetic_tables.row_html([arithmetic_tables.Key(x, "", x, x)], 0, Words(x)),
    "batch": lambda x: masks.batch_table([[(x, 1), ("<pad>", 0)]], [x], 0, "encoder", x),
    "loss": lambda x: masks.loss_table([masks.Counted(x, x, 1, True), masks.Counted(x, x, 1, False)], Words(x)),
    "outputs": lambda x: outputs.outputs_html(
        outputs.Output(x, [x, "a", x], frozenset({2}), x), outputs.Output(x, [x], frozenset(), x), Words(x)
    ),
    "cache": lambda x: outputs.cache_html([x], [x], [x], Words(x), True),
    "table": lambda x: plain_table.table_html([x, x], [[x, x]]),
    "weights": lambda x: quiz.row_html(x, [x, x], [0.5, math.nan], "cross"),
    "fields": lambda x: configs.fields_html([configs.Field(x, x, (x, x), True)], (x, x), Words(x)),
    "fields as a picture": lambda x: configs.fields_svg([configs.Field(x, x, (x, x), True)], (x, x), Words(x)),
    "measured": lambda x: mistake_charts.numbers_html([(x, x, x)], Words(x)),
    "lines": lambda x: mistake_charts.lines_html(x, x, Words(x)),
    "forecast": lambda x: forecast_charts.table_html([x, x], [[x, x]]),
    "map": blocks,
    "attention": lambda x: head(x, "matrix"),
    "links": lambda x: head(x, "links"),
    "matrix": lambda x: matrix_svg([replace(matrix(), title=x, rows=(x, x, x))], MATRIX_WORDS),
    "files": files,
    "sentence": lambda x: render("pages/shared/ui/components.html", "sentence", parts=[x, "a"], unseen=[x]),
    "tile": tile,
    "damaged tile": lambda x: render("pages/checkpoints/gallery.html", "damaged", model=x, sentence=x),
    "flow": lambda x: render("pages/embedding/chips.html", "flow", steps=[(x, x), (x, x)]),
    "strip": lambda x: render("pages/embedding/chips.html", "strip", tokens=[(x, 1, True)]),
    "overlay": lambda x: render("pages/shared/server/overlay.html", "overlay", notice="away", texts={"en": x}),
}


@pytest.mark.parametrize("draw", DRAWN.values(), ids=list(DRAWN))
def test_text_stays_text(draw: Callable[[str], str]) -> None:
    """Nasty text makes the same elements as a plain word, and can be read where the word would be."""
    plain, nasty = (Parts(draw(text)).parts for text in (PLAIN, NASTY))
    assert PLAIN in str(plain)
    assert nasty == said_instead(plain)


def said_instead(part):
    """The same with the nasty text in place of the plain one."""
    if isinstance(part, str):
        return part.replace(PLAIN, NASTY)
    return None if part is None else type(part)(said_instead(each) for each in part)


def test_no_template_takes_text_for_markup() -> None:
    templates = [path for folder in ("viz", "pages") for path in (ROOT / folder).rglob("*.html")]
    assert len(templates) > 10
    assert [path for path in templates if re.search(r"\|\s*safe\b|autoescape", path.read_text(encoding="utf-8"))] == []


def test_a_template_without_its_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        render("html/templates/masks.html", "table", side="encoder", caption="x")
