"""The engine that draws files: in forked processes, with large numbers, and where its package is missing."""

import os
import sys
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest

from tests.viz.pictures import matrix_svg
from tests.viz.test_matrix import WORD, mask
from viz.components import engine


def picture() -> str:
    return matrix_svg([replace(mask(), values=np.ones((40, 30), bool), rows=("r",) * 40, columns=("c",) * 30)], WORD)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no forks")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_process_that_was_forked_after_a_drawing_draws() -> None:
    expected = picture()
    with get_context("fork").Pool(1) as pool:
        assert pool.apply_async(picture).get(timeout=30) == expected


def test_large_numbers_have_commas_as_on_the_screen() -> None:
    assert ">1,200/1,200<" in picture()


def test_a_computer_without_the_engine_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "quickjs", None)
    monkeypatch.setattr(engine, "_function", engine._function.__wrapped__)
    with pytest.raises(ImportError, match="SVG and PNG files need the package quickjs-ng"):
        picture()
