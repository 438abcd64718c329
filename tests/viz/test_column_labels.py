"""Labels of columns: short ones and Chinese stand upright in files; `frontend/layout.test.mjs` for the screen."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.viz import test_attention, test_matrix
from tests.viz.pictures import attention_svg, matrix_svg

LIBRARY = ("<bos>", "我", "在", "图书馆", "看", "书", "。", "<eos>", *["<pad>"] * 9)
DATE = ("<bos>", *"3␣May␣2024", "<eos>")
SPACE = "{http://www.w3.org/2000/svg}"


def lying_in_files(columns: tuple[str, ...]) -> list[set[str]]:
    """The labels that lie or lean, in the picture of a matrix and in that of a head."""
    matrix = replace(test_matrix.matrix(), values=np.ones((3, len(columns))), columns=columns)
    panel = test_attention.panel("cross", columns=len(columns))
    head = replace(panel, keys=columns, key_specials=(False,) * len(columns))
    pictures = matrix_svg([matrix], test_matrix.WORD), attention_svg([(head, 0, 0)], test_attention.WORD)
    groups = [list(ElementTree.fromstring(picture).iter(f"{SPACE}g")) for picture in pictures]
    labels = [[group for group in each if "rotate" in group.get("transform", "")] for each in groups]
    return [{"".join(text.itertext()) for group in each for text in group.iter(f"{SPACE}text")} for each in labels]


@pytest.mark.parametrize("columns", [LIBRARY, DATE])
def test_short_and_chinese_labels_stand_upright_in_files(columns: tuple[str, ...]) -> None:
    for lying in lying_in_files(columns * 2):
        assert "<bos>" in lying
        assert all(label.startswith("<") for label in lying)
