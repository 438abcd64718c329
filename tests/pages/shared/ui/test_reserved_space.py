"""Space for what is still to be drawn: how high a figure will be, and the style that keeps its place."""

import re

import numpy as np
import pytest

from pages.shared.server import page_html
from pages.shared.ui import reserved_space
from viz.components.matrix.height import SLIM, WIDE, height
from viz.data import Matrix


def kept(key: str, side: str) -> int:
    """The height that the style gives to a container of that key, read as a browser does."""
    [block] = [
        line for line in reserved_space.rules().splitlines() if line.startswith("@media") and f"-{side}h1-" in line
    ]
    result = {"hundreds": 0, "tens": 0, "ones": 0}
    for part, name, digit in re.findall(r'\[class\*="([^"]+)"\] \{ --(\w+): (\d+); \}', block):
        if part in f"st-key-{key}":
            result[name] = int(digit)
    return 100 * result["hundreds"] + 10 * result["tens"] + result["ones"]


@pytest.mark.parametrize(("wide", "slim"), [(372, 372), (1536.4, 2190), (0, 99), (40, 7), (9999, 5990), (1010, 100)])
def test_the_style_reads_the_height_off_the_key(wide: float, slim: float) -> None:
    key = reserved_space.key("masks_space", wide, slim)
    assert kept(key, "w") == min(5999, int(wide))
    assert kept(key, "s") == min(5999, int(slim))


def test_the_style_comes_with_the_page() -> None:
    page = page_html.completed(b"<html><head></head><body></body></html>", "/", "en").decode()
    assert reserved_space.rules() in page
    assert len(reserved_space.rules()) < 9000


def matrix(rows: int, columns: int, **more: object) -> Matrix:
    values = np.zeros((rows, columns))
    labels = tuple(map(str, range(rows))), tuple(map(str, range(columns)))
    return Matrix("m", "Title", values, *labels, **more)  # type: ignore[arg-type]


def test_one_matrix_by_hand() -> None:
    card, title, labels, around, legend, readout = 2 * 18 + 2 + 34.85, 22.4, 24, 21, 18.85, 21
    expected = card + title + labels + around + legend + readout + 5 * 36
    assert height([matrix(5, 4)], WIDE) == pytest.approx(expected)
    assert height([matrix(5, 4, note="short")], WIDE) == pytest.approx(expected + 18.85)
    assert height([matrix(5, 4)], WIDE, cell=20) == pytest.approx(expected - 5 * 16)


def test_small_matrices_stand_beside_each_other_and_on_a_phone_below() -> None:
    one, two, three = (height([matrix(5, 8)] * count, WIDE) for count in (1, 2, 3))
    assert one == two < three
    assert height([matrix(5, 4)] * 2, SLIM) > 1.5 * height([matrix(5, 4)], SLIM)
