"""Labels of columns: short ones and Chinese stand upright, on the screen and in files."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.viz import test_attention, test_matrix
from tests.viz.pictures import attention_svg, matrix_svg
from viz.components.matrix.height import estimated_widths
from viz.components.matrix.layout import matrix_layout
from viz.data import Matrix

LIBRARY = ("<bos>", "我", "在", "图书馆", "看", "书", "。", "<eos>", *["<pad>"] * 9)
DATE = ("<bos>", *"3␣May␣2024", "<eos>")
SPACE = "{http://www.w3.org/2000/svg}"


def on_screen(columns: tuple[str, ...], room: float) -> dict[str, str]:
    """The turn of each label that is drawn."""
    matrix = Matrix("m", "Title", np.zeros((1, len(columns))), ("row",), columns)
    laid = matrix_layout(matrix, [matrix], room, estimated_widths)
    return {columns[i]: turn for i, turn in zip(laid.columns, laid.turns, strict=True)}


def lying_in_files(columns: tuple[str, ...]) -> list[set[str]]:
    """The labels that lie or lean, in the picture of a matrix and in that of a head."""
    matrix = replace(test_matrix.matrix(), values=np.ones((3, len(columns))), columns=columns)
    panel = test_attention.panel("cross", columns=len(columns))
    head = replace(panel, keys=columns, key_specials=(False,) * len(columns))
    pictures = matrix_svg([matrix], test_matrix.WORD), attention_svg([(head, 0, 0)], test_attention.WORD)
    groups = [list(ElementTree.fromstring(picture).iter(f"{SPACE}g")) for picture in pictures]
    turned = [[group for group in each if "rotate" in group.get("transform", "")] for each in groups]
    return [{"".join(text.itertext()) for group in each for text in group.iter(f"{SPACE}text")} for each in turned]


@pytest.mark.parametrize("columns", [LIBRARY, DATE])
@pytest.mark.parametrize("room", [360, 520, 840])
def test_labels_of_one_or_two_characters_and_chinese_ones_stand_upright(columns: tuple[str, ...], room: float) -> None:
    for label, turn in on_screen(columns, room).items():
        assert turn in {"0", "han"} or label.startswith("<"), label


@pytest.mark.parametrize("columns", [LIBRARY, DATE])
def test_they_do_so_in_files(columns: tuple[str, ...]) -> None:
    for lying in lying_in_files(columns * 2):
        assert "<bos>" in lying
        assert all(label.startswith("<") for label in lying)


def test_special_tokens_read_upwards_beside_chinese() -> None:
    assert on_screen(LIBRARY, 360)["<bos>"] == "90"


def test_a_stack_of_characters_has_no_leaning_word_beside_it() -> None:
    assert on_screen(("<bos>", "图书馆", "Bibliothek"), 120)["Bibliothek"] == "90"
