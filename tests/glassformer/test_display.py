"""What a notebook gets of a figure: the file in a frame, and a picture and words where frames are taken out."""

import base64
import csv
import io
import re
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from viz.figures.figure import Figure

WEIGHTS = np.array([[[[0.25, 0.75, 0], [0.5, 0.125, 0.375], [0, 0, 0]]]])


@pytest.fixture
def drawn(glassformer: ModuleType) -> list[Figure]:
    tokens = ["a", "b\n\nb", "{c}"]
    return [
        glassformer.head_wall(WEIGHTS, tokens, title="A\n\ntitle"),
        glassformer.attention_lines(WEIGHTS, tokens),
        glassformer.matrix([[1.0, -2.5], [np.nan, 3.0]], rows=["x", "y"], title="scores"),
    ]


def test_a_notebook_gets_the_figure_in_three_forms(drawn: list[Figure]) -> None:
    for figure in drawn:
        bundle = figure._repr_mimebundle_()
        assert set(bundle) == {"text/html", "image/svg+xml", "text/plain"}
        assert bundle["text/html"] == figure._repr_html_()
        assert bundle["image/svg+xml"] == figure.svg()
        [source] = re.findall(r'<img alt="[^"]+" src="data:image/svg\+xml;base64,([^"]+)"', bundle["text/html"])
        assert base64.b64decode(source).decode() == figure.svg()
        ElementTree.fromstring(figure.svg())


def test_a_line_ends_only_inside_attributes(drawn: list[Figure], glassformer: ModuleType, tmp_path: Any) -> None:
    """Markdown ends a piece of HTML at an empty line; nbconvert writes both into one file."""
    page = tmp_path / "x.html"
    page.write_text(
        '<meta name="generator" content="Glassformer">\n\n<meta content="connect-src &#39;none&#39;">', encoding="utf-8"
    )
    for shown in (*drawn, glassformer.live(page)):
        assert not re.search(r"[\r\n]", shown._repr_html_())


def test_the_words_name_the_strongest_keys_and_the_range(drawn: list[Figure]) -> None:
    wall, _, matrix = drawn
    assert wall.text() == (
        "A\n\ntitle\nIn words: encoder self-attention · layer 0 · head 0\n"
        "a looks most at b\n\nb, weight 0.750.\nb\n\nb looks most at a, weight 0.500.\n"
        "{c}: no weights, because all its keys are masked"
    )
    assert matrix.text() == (
        "scores: 2 rows, 2 columns. The minimum is −2.500, at row x, column 1; "
        "the maximum is 3.000, at row y, column 1."
    )


def test_words_of_other_matrices_and_long_inputs(glassformer: ModuleType) -> None:
    assert "1 of 2 cells are true" in glassformer.matrix([[True, False]]).text()
    assert "no finite value" in glassformer.matrix([[np.nan]]).text()
    lines = glassformer.head_wall(np.eye(60)[None], [f"t{i}" for i in range(60)]).text().splitlines()
    assert (len(lines), lines[-1]) == (52, "…")


def test_a_large_picture_is_left_out(drawn: list[Figure], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.figures.figure.MOST_PICTURE", 100)
    bundle = drawn[0]._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    assert "<img" not in bundle["text/html"]


def test_the_numbers_are_a_table(glassformer: ModuleType, tmp_path: Any) -> None:
    """As a spreadsheet and pandas read it: marked as UTF-8, no text a formula, and nothing where there is no number."""
    figure = glassformer.head_wall(WEIGHTS, ["=1+1", "b\n\nb", "汉"])
    content = figure.save(tmp_path / "x.csv").read_bytes()
    assert content.decode("utf-8-sig") == figure.csv() == content.decode()[1:]
    lines = list(csv.DictReader(io.StringIO(figure.csv())))
    assert [float(line["weight"]) for line in lines] == WEIGHTS.ravel().tolist()
    assert [line["query"] for line in lines[::3]] == ["'=1+1", "b\n\nb", "汉"]
    numbers = glassformer.matrix([[1.0, -2.5], [np.nan, np.inf]]).csv()
    assert [line["value"] for line in csv.DictReader(io.StringIO(numbers))] == ["1.0", "-2.5", "", "inf"]
