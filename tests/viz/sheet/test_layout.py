"""Where the parts of a sheet stand: each cell once, nothing over anything else, rows and columns in line."""

from itertools import combinations

import numpy as np
import pytest

from model.analysis.sheet.parts import Product
from pages.sheet.source import placed
from tests.model.analysis.sheet.test_sheet import CONFIGS, of
from viz.data import SheetPart
from viz.sheet.layout import Layout, layout


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    (x, y, width, height), (a, b, wide, high) = one, other
    return x < a + wide and a < x + width and y < b + high and b < y + height


def boxes(placed_: Layout) -> list[tuple[float, float, float, float]]:
    return [(p.x, p.y, p.columns, p.rows) for p in placed_.pieces]


@pytest.mark.parametrize("name", CONFIGS)
def test_each_cell_stands_once_and_nothing_lies_over_anything_else(name: str) -> None:
    parts = placed(of(name)[2])
    whole = layout(parts)
    counts = [np.zeros((part.rows, part.columns), int) for part in parts]
    for piece in whole.pieces:
        counts[piece.part][piece.row : piece.row + piece.rows, piece.column : piece.column + piece.columns] += 1
        assert 0 <= piece.x <= piece.x + piece.columns <= whole.width
        assert 0 <= piece.y <= piece.y + piece.rows <= whole.height
    assert all((count == 1).all() for count in counts)
    assert not any(overlap(*pair) for pair in combinations(boxes(whole), 2))
    for one, other in combinations(whole.frames, 2):  # beside each other, or one inside the other
        apart = not overlap((one.x, one.y, one.width, one.height), (other.x, other.y, other.width, other.height))
        assert apart != (other.path[: len(one.path)] == one.path)


def test_a_product_stands_where_its_row_and_its_column_cross() -> None:
    sheet = of("post")[2]
    parts = placed(sheet)
    at = {parts[piece.part].key: piece for piece in layout(parts).pieces}
    products = [(key, part.rule) for key, part in sheet.parts.items() if isinstance(part.rule, Product)]
    assert len(products) > 20
    for key, rule in products:
        right = at[rule.right]
        assert right.x == at[key].x
        assert right.y + right.rows < at[key].y
        if key.endswith(("scores[0]", "head_outputs[0]", "hidden", "feed_forward.output")):  # what stands beside it
            assert at[rule.left].y == at[key].y
            assert at[rule.left].x < at[key].x


def test_a_long_table_is_folded_and_many_layers_begin_new_lines() -> None:
    table = [SheetPart("table", 3000, 8, ("encoder", "embedding"), "x"), SheetPart("x", 5, 8, ("encoder", "embedding"))]
    layers = [SheetPart(f"y{n}", 5, 8, ("encoder", str(n), "feed_forward")) for n in range(60)]
    logits = [SheetPart("w", 8, 900, ("encoder", "output"), "z"), SheetPart("z", 5, 900, ("encoder", "output"))]
    whole = layout([*table, *layers, *logits])
    pieces = [piece for piece in whole.pieces if piece.part == 0]
    assert sum(piece.rows for piece in pieces) == 3000
    assert len({piece.y for piece in pieces}) == 1
    assert len({piece.y for piece in whole.pieces if 2 <= piece.part < 62}) > 1
    for weight in (piece for piece in whole.pieces if piece.part == 62):  # each stretch of logits below its weights
        [below] = [p for p in whole.pieces if p.part == 63 and p.column == weight.column]
        assert (below.x, below.columns) == (weight.x, weight.columns)
        assert below.y > weight.y
    assert 0.5 < whole.width / whole.height < 4
